import { notApplicable, type Outcome, unknown } from '../../core/check.ts';
import type { Evidence } from '../../core/evidence.ts';
import type { JsonObject } from '../../structured-data/facts/json-document.ts';
import { type Probe, type ProbedEndpoint, sharesRevision } from '../facts/endpoint.ts';
import { errorIn, type McpProbes } from '../facts/probes.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { bodyStart, type McpSurface, onSurface, seen } from './common.ts';
import { withoutProbe } from './endpoint.ts';

export type ProbeFacts = McpSurface & { mcpProbes: McpProbes };

/** An endpoint whose handshake an anonymous client can make. */
export type OpenEndpoint = ProbedEndpoint & { handshake: JsonObject };

/** Runs a judge over an open endpoint; one that wants a token or payment first is not asked for anything else. */
export function onOpen<Facts extends McpSurface, Rest extends readonly unknown[]>(
  judge: (endpoint: OpenEndpoint, facts: Facts, ...rest: Rest) => Outcome,
): (facts: Facts, ...rest: Rest) => Outcome {
  return onSurface((facts: Facts, ...rest: Rest) => {
    const { mcpEndpoint } = facts;
    if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
    const { handshake } = mcpEndpoint;
    if (handshake && sharesRevision(mcpEndpoint)) return judge({ ...mcpEndpoint, handshake }, facts, ...rest);
    return shutOutcome(mcpEndpoint);
  });
}

/** The outcome where an anonymous client cannot talk to the endpoint. */
export function shutOutcome({ access, url }: ProbedEndpoint): Outcome {
  if (access === 'protected')
    return notApplicable('The endpoint wants authorization, and the audit sends no credential.');
  if (access === 'paid') return notApplicable('The endpoint wants payment, and the audit never pays.');
  if (access === 'refused' || access === 'unread') return unknown('The endpoint could not be read by us.', { url });
  return access === 'open'
    ? notApplicable('The server speaks none of the revisions that the audit speaks.')
    : notApplicable('The endpoint did not answer as MCP; see mcp.endpoint.reachable.');
}

/**
 * Judges the answer to a probe. It says nothing about the server when the probe was not made or not answered, or when a
 * guard in front answered it.
 */
export function onAnswer(probe: Probe | undefined, judge: (probe: Probe, status: number) => Outcome): Outcome {
  if (!probe) return unknown(NOT_MADE);
  const { exchange } = probe;
  return unjudged(exchange) ?? judge(probe, statusOf(exchange));
}

export const NOT_MADE = 'This request was not made: the budget of requests was used up.';

function unjudged(exchange: Exchange): Outcome | undefined {
  if (!exchange.answer.ok) return unknown('The answer could not be read.', seen(exchange));
  const { status } = exchange.answer;
  if (status === 401 || status === 402)
    return notApplicable(`The endpoint asks for authorization or payment first (${status}).`);
  return status === 403 || status === 429 || status >= 502
    ? unknown(`The request was answered ${status}, perhaps to us alone.`, seen(exchange))
    : undefined;
}

/** 0 where there is no answer, which `unjudged` has ruled out. */
const statusOf = (exchange: Exchange): number => (exchange.answer.ok ? exchange.answer.status : 0);

/** Evidence of a probe: its JSON-RPC error, or how the body begins. */
export function seenProbe(probe: Probe): Evidence {
  const error = errorIn(probe);
  return seen(probe.exchange, {
    excerpt: error ? `JSON-RPC error ${error.code}` : bodyStart(probe.exchange),
  });
}

/** What a probe was answered with, in our words: `404 with error -32601`. */
export function answerText(probe: Probe): string {
  const error = errorIn(probe);
  const status = statusOf(probe.exchange);
  return error ? `${status} with error ${error.code}` : `${status} without a JSON-RPC error`;
}
