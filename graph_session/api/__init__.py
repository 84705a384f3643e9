"""The GraphQL API: its types, its transports, and what keeps a public endpoint safe and quick."""
