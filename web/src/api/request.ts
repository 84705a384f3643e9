/** Queries and mutations over HTTP, and what can become of them. */

import { type AnyVariables, Client, fetchExchange, type TypedDocumentNode } from "@urql/core";
import { useConnection } from "./connection";

/** The server could not be reached; the same request may succeed later. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** The server wants a token that it knows. */
export class Unauthorized extends Error {
  override name = "Unauthorized";
}

/** The server refused the request; `code` is stable, the message is for people. */
export class ServerError extends Error {
  override name = "ServerError";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** A failure that is a member of the mutation's result, as the schema has it. */
export class Refused<F extends Failure = Failure> extends Error {
  override name = "Refused";
  readonly failure: F;

  constructor(failure: F) {
    super(failure.message);
    this.failure = failure;
  }
}

interface Failure {
  __typename?: string;
  code: string;
  message: string;
}

export const client = new Client({
  url: "/graphql",
  // The server answers queries by POST only.
  preferGetMethod: false,
  exchanges: [fetchExchange],
  fetchOptions: () => {
    const { token } = useConnection.getState();
    return token ? { headers: { Authorization: `Bearer ${token}` } } : {};
  },
});

/** Raises Unreachable, Unauthorized, ServerError. */
export async function request<D, V extends AnyVariables>(
  document: TypedDocumentNode<D, V>,
  variables: V,
): Promise<D> {
  const result = await (isMutation(document)
    ? client.mutation(document, variables)
    : client.query(document, variables));
  const { data, error } = result;
  if (error?.networkError) {
    const status = (error.response as Response | undefined)?.status;
    if (status === 401) throw unauthorized();
    if (status === undefined || status >= 500) throw new Unreachable("The server cannot be reached.");
    throw new ServerError(error.networkError.message, `HTTP_${status}`);
  }
  const first = error?.graphQLErrors[0];
  // A refusal in the shape of a GraphQL answer, as our server gives it, is no error of the network.
  if (first?.extensions.code === "UNAUTHENTICATED") throw unauthorized();
  if (first) throw new ServerError(first.message, String(first.extensions.code ?? "INTERNAL"));
  if (data === undefined || data === null) throw new Unreachable("The server gave no answer.");
  return data;
}

/** Have a person asked for a token. */
function unauthorized(): Unauthorized {
  useConnection.getState().refused();
  return new Unauthorized("The server needs a token.");
}

function isMutation({ definitions }: Pick<TypedDocumentNode, "definitions">): boolean {
  return definitions.some((it) => it.kind === "OperationDefinition" && it.operation === "mutation");
}

type FailureOf<R> = Extract<R, { code: string; message: string }>;
type PayloadOf<R> = Exclude<R, { code: string; message: string }>;

/** The payload of a mutation's result. Raises Refused with any of its failures. */
export function payload<R extends { __typename?: string }>(result: R): PayloadOf<R> {
  if (result.__typename === undefined || "code" in result)
    throw new Refused(result as unknown as FailureOf<R> & Failure);
  return result as PayloadOf<R>;
}
