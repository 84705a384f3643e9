/** What the model and thinking picker asks the server. */

import { graphql } from "../graphql/generated";

export const StateAt = graphql(`
  query StateAt($entryId: ID!) {
    stateAt(entryId: $entryId) {
      provider
      modelId
      thinkingLevel
    }
  }
`);
