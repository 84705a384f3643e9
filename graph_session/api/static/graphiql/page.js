"use strict";

const http = new URL("/graphql", window.location.href);
const socket = new URL(http);
socket.protocol = http.protocol === "https:" ? "wss:" : "ws:";

const WELCOME = `# A server with a token needs it in the Headers tab below, for subscriptions too:
#   {"Authorization": "Bearer ..."}

query Sessions {
  sessions(first: 20) {
    edges { node { id name nodeCount updatedAt } }
  }
}
`;

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: http.href, subscriptionUrl: socket.href }),
    defaultQuery: WELCOME,
    plugins: [GraphiQLPluginExplorer.explorerPlugin()],
    isHeadersEditorEnabled: true,
    // A token must not stay behind in the browser's storage.
    shouldPersistHeaders: false,
  }),
);
