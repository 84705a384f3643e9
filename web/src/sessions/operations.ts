/** What the list of conversations, its dialogs and menus ask the server. */

import { graphql } from "../graphql/generated";

export const ListedFields = graphql(`
  fragment ListedFields on Session {
    id
    name
    updatedAt
    revision
    nodeCount
    entryCount
  }
`);

export const ListSessions = graphql(`
  query ListSessions($first: Int!, $after: String, $query: String) {
    sessions(first: $first, after: $after, query: $query) {
      edges {
        node {
          ...ListedFields
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const UpdateSession = graphql(`
  mutation UpdateSession($input: UpdateSessionInput!) {
    updateSession(input: $input) {
      __typename
      ... on UpdateSessionPayload {
        session {
          ...SessionFields
        }
      }
      ... on InvalidInput {
        field
      }
      ...FailureFields
    }
  }
`);

export const DeleteSession = graphql(`
  mutation DeleteSession($id: ID!) {
    deleteSession(id: $id) {
      __typename
      ... on DeleteSessionPayload {
        id
      }
      ...FailureFields
    }
  }
`);

export const ImportConversation = graphql(`
  mutation ImportConversation($input: ImportInput!) {
    importConversation(input: $input) {
      __typename
      ... on ImportPayload {
        session {
          ...ListedFields
        }
        report {
          format
          entries
          problems {
            line
            code
            message
            lost
          }
          problemCount
        }
      }
      ... on SessionExists {
        sessionId
      }
      ...FailureFields
    }
  }
`);

export const ExportSession = graphql(`
  query ExportSession($id: ID!, $after: String) {
    exportSession(sessionId: $id, after: $after) {
      text
      cursor
      hasNext
    }
  }
`);

export const Verify = graphql(`
  query Verify($id: ID!) {
    verify(sessionId: $id) {
      ok
      entries
      settled
      problemCount
      problems {
        code
        entryId
        message
        severity
      }
    }
  }
`);
