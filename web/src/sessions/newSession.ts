import { payload, request } from "../api/request";
import { graphql } from "../graphql/generated";

const CreateSession = graphql(`
  mutation CreateSession($input: CreateSessionInput!) {
    createSession(input: $input) {
      __typename
      ... on CreateSessionPayload {
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

/** Make an empty session; its id. Raises what `request` and `payload` raise. */
export async function createSession(): Promise<string> {
  const { session } = payload((await request(CreateSession, { input: {} })).createSession);
  return session.id;
}
