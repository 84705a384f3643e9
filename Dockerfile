FROM node:22-slim AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY schema.graphql /src/
COPY web ./
RUN npm run build

FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md schema.graphql ./
COPY cypher cypher
COPY docs/neo4j-browser docs/neo4j-browser
COPY graph_session graph_session
# The package's build needs no Node when it finds a page that is newer than the schema.
COPY --from=page /src/graph_session/web graph_session/web
RUN touch graph_session/web/index.html \
 && pip wheel --no-cache-dir --no-deps --wheel-dir /dist .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 app \
 && install -d -o app -g app -m 700 /data
COPY constraints.txt /tmp/
COPY --from=build /dist /tmp/dist
RUN pip install --no-cache-dir -c /tmp/constraints.txt /tmp/dist/*.whl \
 && rm -r /tmp/dist /tmp/constraints.txt
USER app
# The home of the embedded engine, used where NEO4J_URI is not set.
ENV GRAPH_SESSION_HOME=/data \
    GRAPH_SESSION_HOST=0.0.0.0 \
    GRAPH_SESSION_PORT=8000
VOLUME /data
EXPOSE 8000
CMD ["graph-session", "serve"]
