/** What the store of a session asks the server. */

import { graphql } from "../graphql/generated";

export const SessionFields = graphql(`
  fragment SessionFields on Session {
    id
    name
    leafId
    revision
    nodeCount
    entryCount
    systemPrompt
    model
    createdAt
    updatedAt
    config {
      linearThreshold
      keepRawCount
      anchorBudgetTokens
      reserveTokens
      keepRecentTokens
    }
  }
`);

export const EntryFields = graphql(`
  fragment EntryFields on Entry {
    __typename
    id
    parentId
    type
    timestamp
    ... on MessageEntry {
      role
      text
      content
      model
      stopReason
      error
      toolCallId
      toolName
      isError
      usage {
        inputTokens
        outputTokens
        cacheReadTokens
        cacheWriteTokens
        costUsd
      }
    }
    ... on CustomMessageEntry {
      customType
      customContent: content
      display
    }
    ... on ModelChangeEntry {
      provider
      modelId
    }
    ... on ThinkingLevelChangeEntry {
      level
    }
    ... on ActiveToolsChangeEntry {
      toolNames
    }
    ... on SessionInfoEntry {
      name
    }
    ... on CompactionEntry {
      summary
      firstKeptEntryId
      tokensBefore
    }
    ... on BranchSummaryEntry {
      fromId
      branchSummary: summary
      scope
      summaryState
      summaryError
    }
  }
`);

export const NodeFields = graphql(`
  fragment NodeFields on DialogueNode {
    nodeId
    parentNodeId
    userContent
    aiContent
    createTime
    status
    isSummaryAnchor
    anchorSummary
    nodeSummary
    summaryState
    summaryError
    label
    model
    error
    entries {
      ...EntryFields
    }
  }
`);

export const OpenSession = graphql(`
  query OpenSession($id: ID!) {
    session(id: $id) {
      ...SessionFields
    }
    activePath(sessionId: $id)
    treeOutline(sessionId: $id)
  }
`);

export const OutlineAfter = graphql(`
  query OutlineAfter($id: ID!, $after: String!) {
    treeOutline(sessionId: $id, after: $after)
  }
`);

export const OutlineOf = graphql(`
  query OutlineOf($id: ID!, $nodeIds: [ID!]!) {
    treeOutline(sessionId: $id, nodeIds: $nodeIds)
  }
`);

export const PathPage = graphql(`
  query PathPage($entryId: ID!, $first: Int!, $after: String) {
    pathToRoot(entryId: $entryId, first: $first, after: $after) {
      edges {
        node {
          ...EntryFields
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const ReadNode = graphql(`
  query ReadNode($nodeId: ID!) {
    node(nodeId: $nodeId) {
      ...NodeFields
    }
  }
`);

export const ReadEntry = graphql(`
  query ReadEntry($id: ID!) {
    entry(id: $id) {
      ...EntryFields
    }
  }
`);

export const Answer = graphql(`
  subscription Answer($nodeId: ID!, $after: Int!) {
    answer(nodeId: $nodeId, afterSequence: $after) {
      __typename
      nodeId
      sequence
      ... on AnswerDelta {
        text
        thinking
      }
      ... on AnswerDone {
        node {
          ...NodeFields
        }
      }
      ... on AnswerFailed {
        code
        message
        node {
          ...NodeFields
        }
      }
    }
  }
`);

export const SessionChanged = graphql(`
  subscription SessionChanged($id: ID!, $after: Int) {
    sessionChanged(sessionId: $id, afterRevision: $after) {
      revision
      kind
      nodeIds
      session {
        ...SessionFields
      }
    }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
    }
  }
`);

export const ActivePath = graphql(`
  query ActivePath($id: ID!) {
    activePath(sessionId: $id)
  }
`);

export const SetLabel = graphql(`
  mutation SetLabel($targetId: ID!, $label: String) {
    setLabel(targetId: $targetId, label: $label) {
      __typename
      ... on Failure {
        code
        message
      }
    }
  }
`);

export const ChangeModel = graphql(`
  mutation ChangeModel($sessionId: ID!, $provider: String!, $modelId: String!) {
    changeModel(sessionId: $sessionId, provider: $provider, modelId: $modelId) {
      __typename
      ... on Failure {
        code
        message
      }
    }
  }
`);

export const ChangeThinkingLevel = graphql(`
  mutation ChangeThinkingLevel($sessionId: ID!, $level: String!) {
    changeThinkingLevel(sessionId: $sessionId, level: $level) {
      __typename
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
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
      ... on Failure {
        code
        message
      }
    }
  }
`);
