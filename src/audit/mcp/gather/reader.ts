import type { FetchTarget } from '../../../net/fetched.ts';
import { MAX_DOCUMENT_BYTES, MAX_MCP_REQUESTS } from '../facts/places.ts';
import type { Gather } from '../../core/gatherer.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Reads for the MCP part, at most `MAX_MCP_REQUESTS` in one audit; undefined when nothing is left. */
export type McpRead = (role: string, target: FetchTarget) => Promise<Exchange | undefined>;

/**
 * Makes a step run once in an audit, however many gatherers build on it: they run at the same time, and each would see
 * another part of what the others have read so far.
 */
export function rememberPerAudit<T>(step: (gather: Gather) => T): (gather: Gather) => T {
  const results = new WeakMap<Gather, T>();
  return (gather) => {
    const known = results.get(gather) ?? step(gather);
    results.set(gather, known);
    return known;
  };
}

/** The one counter of requests that all MCP gatherers of an audit share. */
export const getMcpReader = rememberPerAudit((gather): McpRead => {
  const counted = new Set<string>();
  return async (role, target) => {
    if (!counted.has(role) && counted.size >= MAX_MCP_REQUESTS) return undefined;
    counted.add(role);
    return await gather.read(role, target);
  };
});

/** A GET for a JSON document. */
export const buildDocumentRequest = (url: string, accept: string): FetchTarget => ({
  url,
  headers: { accept },
  maxBytes: MAX_DOCUMENT_BYTES,
});
