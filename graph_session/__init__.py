"""A conversation with an LLM is a tree, kept in a graph database and served over GraphQL.

Every message is an immutable entry that points at its parent, so asking again from an earlier point is a
branch and nothing is copied. What the model is sent is small and exact: the turns nearest to where the user
stands as they were said, the ones before as summaries that are made in the background.

The store is Neo4j when a server is configured, otherwise an engine that runs inside this process.
"""

__version__ = "0.1.0"
