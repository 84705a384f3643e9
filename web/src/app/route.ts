/** Addresses of the page: `/`, `/s/SESSION` and `/s/SESSION/n/NODE`, which is a link to a place in a conversation. */

import { useLocation } from "wouter";

export interface RouteParts {
  readonly sessionId: string | null;
  readonly nodeId: string | null;
}

const PATTERN = /^\/s\/([^/]+)(?:\/n\/([^/]+))?\/?$/;

export function parseRoute(path: string): RouteParts {
  const found = PATTERN.exec(path);
  return { sessionId: found?.[1] ?? null, nodeId: found?.[2] ?? null };
}

export function pathOf(sessionId: string | null, nodeId: string | null = null): string {
  if (sessionId === null) return "/";
  return nodeId === null ? `/s/${sessionId}` : `/s/${sessionId}/n/${nodeId}`;
}

export function useRoute(): RouteParts {
  const [location] = useLocation();
  return parseRoute(location);
}
