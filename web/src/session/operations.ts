/** What the store of a session reads of the server. */

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

export const ActivePath = graphql(`
  query ActivePath($id: ID!) {
    activePath(sessionId: $id)
  }
`);
