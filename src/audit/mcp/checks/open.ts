import { type CheckOutcome, verdict } from '../../core/check.ts';
import { buildRequestEvidence, type CheckEvidence, extractBodyStart } from '../../core/evidence.ts';
import type { JsonRecord } from '../../structured-data/facts/json-document.ts';
import { type Probe, type ProbedEndpoint, hasSharedRevision } from '../facts/endpoint.ts';
import { findRpcError, type McpProbes } from '../facts/probes.ts';
import type { Exchange } from '../../core/snapshot.ts';
import type { McpSurface } from './common.ts';
import { withoutProbe } from './endpoint.ts';

export type ProbeFacts = McpSurface & { mcpProbes: McpProbes };

/** An endpoint whose handshake an anonymous client can make. */
export type OpenEndpoint = ProbedEndpoint & { handshake: JsonRecord };

/** Runs a judge over an open endpoint; one that wants a token or payment first is not asked for anything else. */
export function onOpen<Facts extends McpSurface, Rest extends readonly unknown[]>(
  judge: (endpoint: OpenEndpoint, facts: Facts, ...rest: Rest) => CheckOutcome,
): (facts: Facts, ...rest: Rest) => CheckOutcome {
  return (facts, ...rest) => {
    const { mcpEndpoint } = facts;
    if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
    const { handshake } = mcpEndpoint;
    if (handshake && hasSharedRevision(mcpEndpoint)) return judge({ ...mcpEndpoint, handshake }, facts, ...rest);
    return judgeClosedEndpoint(mcpEndpoint);
  };
}

/** The outcome where an anonymous client cannot talk to the endpoint. */
export function judgeClosedEndpoint({ access, url }: ProbedEndpoint): CheckOutcome {
  if (access === 'protected')
    return verdict.notApplicable('The endpoint wants authorization, and the audit sends no credential.');
  if (access === 'paid') return verdict.notApplicable('The endpoint wants payment, and the audit never pays.');
  if (access === 'refused' || access === 'unread')
    return verdict.unknown('The endpoint could not be read by us.', { url });
  return access === 'open'
    ? verdict.notApplicable('The server speaks none of the revisions that the audit speaks.')
    : verdict.notApplicable('The endpoint did not answer as MCP; see mcp.endpoint.reachable.');
}

/**
 * Judges the answer to a probe. It says nothing about the server when the probe was not made or not answered, or when a
 * guard in front answered it.
 */
export function onAnswer(
  probe: Probe | undefined,
  judge: (probe: Probe, status: number) => CheckOutcome,
): CheckOutcome {
  if (!probe) return verdict.unknown(NOT_MADE);
  const { exchange } = probe;
  return judgeUnreadableAnswer(exchange) ?? judge(probe, getAnswerStatus(exchange));
}

export const NOT_MADE = 'This request was not made: the budget of requests was used up.';

function judgeUnreadableAnswer(exchange: Exchange): CheckOutcome | undefined {
  if (!exchange.answer.ok) return verdict.unknown('The answer could not be read.', buildRequestEvidence(exchange));
  const { status } = exchange.answer;
  if (status === 401 || status === 402)
    return verdict.notApplicable(`The endpoint asks for authorization or payment first (${status}).`);
  return status === 403 || status === 429 || status >= 502
    ? verdict.unknown(`The request was answered ${status}, perhaps to us alone.`, buildRequestEvidence(exchange))
    : undefined;
}

/** 0 where there is no answer, which `unjudged` has ruled out. */
const getAnswerStatus = (exchange: Exchange): number => (exchange.answer.ok ? exchange.answer.status : 0);

/** CheckEvidence of a probe: its JSON-RPC error, or how the body begins. */
export function buildProbeEvidence(probe: Probe): CheckEvidence {
  const error = findRpcError(probe);
  return buildRequestEvidence(probe.exchange, {
    excerpt: error ? `JSON-RPC error ${error.code}` : extractBodyStart(probe.exchange),
  });
}

/** What a probe was answered with, in our words: `404 with error -32601`. */
export function answerText(probe: Probe): string {
  const error = findRpcError(probe);
  const status = getAnswerStatus(probe.exchange);
  return error ? `${status} with error ${error.code}` : `${status} without a JSON-RPC error`;
}
