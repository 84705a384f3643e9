/** What is done in a session. The result of each is its payload or a failure: see `payload` of api/request. */

import { graphql } from "../graphql/generated";

export const FailureFields = graphql(`
  fragment FailureFields on Failure {
    code
    message
  }
`);

export const Ask = graphql(`
  mutation Ask($input: AskInput!) {
    ask(input: $input) {
      __typename
      ... on AskPayload {
        newNodeId
        node {
          ...NodeFields
        }
        session {
          ...SessionFields
        }
      }
      ... on InvalidActivePath {
        activePath
      }
      ... on ModelFailure {
        retryable
        failedNode: node {
          ...NodeFields
        }
      }
      ...FailureFields
    }
  }
`);

export const Regenerate = graphql(`
  mutation Regenerate($nodeId: ID!) {
    regenerate(nodeId: $nodeId, wait: false) {
      __typename
      ... on AskPayload {
        newNodeId
        node {
          ...NodeFields
        }
        session {
          ...SessionFields
        }
      }
      ...FailureFields
    }
  }
`);

export const CancelAnswer = graphql(`
  mutation CancelAnswer($nodeId: ID!) {
    cancelAnswer(nodeId: $nodeId) {
      __typename
      ... on CancelAnswerPayload {
        node {
          ...NodeFields
        }
      }
      ...FailureFields
    }
  }
`);

export const Fork = graphql(`
  mutation Fork($input: ForkInput!) {
    fork(input: $input) {
      __typename
      ... on ForkPayload {
        editText
        leafId
        activePath
        session {
          ...SessionFields
        }
      }
      ...FailureFields
    }
  }
`);

export const MoveLeaf = graphql(`
  mutation MoveLeaf($sessionId: ID!, $entryId: ID) {
    moveLeaf(sessionId: $sessionId, entryId: $entryId) {
      __typename
      ... on MoveLeafPayload {
        session {
          ...SessionFields
        }
      }
      ...FailureFields
    }
  }
`);

export const SetLabel = graphql(`
  mutation SetLabel($targetId: ID!, $label: String) {
    setLabel(targetId: $targetId, label: $label) {
      __typename
      ...FailureFields
    }
  }
`);

export const ChangeModel = graphql(`
  mutation ChangeModel($sessionId: ID!, $provider: String!, $modelId: String!) {
    changeModel(sessionId: $sessionId, provider: $provider, modelId: $modelId) {
      __typename
      ...FailureFields
    }
  }
`);

export const ChangeThinkingLevel = graphql(`
  mutation ChangeThinkingLevel($sessionId: ID!, $level: String!) {
    changeThinkingLevel(sessionId: $sessionId, level: $level) {
      __typename
      ...FailureFields
    }
  }
`);

export const MergeBranch = graphql(`
  mutation MergeBranch($fromId: ID!, $intoId: ID!) {
    mergeBranch(fromId: $fromId, intoId: $intoId) {
      __typename
      ... on SummarizeBranchPayload {
        entry {
          id
        }
        session {
          ...SessionFields
        }
      }
      ...FailureFields
    }
  }
`);

export const Compact = graphql(`
  mutation Compact($sessionId: ID!, $instructions: String) {
    compact(sessionId: $sessionId, instructions: $instructions) {
      __typename
      ... on CompactPayload {
        entry {
          id
        }
      }
      ...FailureFields
    }
  }
`);

export const RetrySummary = graphql(`
  mutation RetrySummary($nodeId: ID!) {
    retrySummary(nodeId: $nodeId) {
      __typename
      ... on RetrySummaryPayload {
        node {
          ...NodeFields
        }
      }
      ...FailureFields
    }
  }
`);
