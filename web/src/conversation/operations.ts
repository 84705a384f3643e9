/** What the model and thinking picker asks the server. */

import { graphql } from "../graphql/generated";

export const Choices = graphql(`
  query Choices {
    models {
      id
      provider
      window
      isDefault
      inputUsdPerMillion
      outputUsdPerMillion
    }
    thinkingLevels
  }
`);

export const StateAt = graphql(`
  query StateAt($entryId: ID!) {
    stateAt(entryId: $entryId) {
      provider
      modelId
      thinkingLevel
    }
  }
`);
