import { type CheckOutcome, type FactsOf, verdict } from '../../core/check.ts';
import { issueNote, formatIssues, getString } from '../../structured-data/facts/json-document.ts';
import { hasCapability, getHandshakeExchange, findPaymentDemand, type Probe, getRpcResult } from '../facts/endpoint.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';
import { defineMcpCheck } from './common.ts';
import { withoutProbe } from './endpoint.ts';
import { answerText, onAnswer, onOpen, type OpenEndpoint, type ProbeFacts, buildProbeEvidence } from './open.ts';

/** What the server offers beside its tools, and by which transport. */
export const mcpOfferChecks = [
  defineMcpCheck({
    id: 'mcp.resources.list',
    title: 'Declared resources and prompts can be listed',
    failureTitle: 'Let clients list declared resources and prompts',
    weight: 1,
    grade: 'A',
    why: 'Clients show what a server declares: a capability without a list is an error in front of the user.',
    source:
      'MCP 2026-07-28 server/resources and server/prompts, "Capabilities": servers that declare the capability MUST respond to resources/list and prompts/list; "Common URI Schemes": URIs by RFC 3986',
    fix: 'Answer resources/list and prompts/list with arrays (empty ones are fine) and absolute URIs, or take the capability out of server/discover.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeListings),
  }),
  defineMcpCheck({
    id: 'mcp.instructions',
    title: 'Server instructions are present',
    failureTitle: 'Give instructions for the server',
    weight: 1,
    grade: 'C',
    why: 'A few sentences tell a model when to use this server at all, which no single tool description can.',
    source:
      'MCP 2026-07-28 server/discover, "DiscoverResult": instructions, optional guidance for LLMs on how to use the server; the upper bound is ours',
    fix: 'Add "instructions" to the result of server/discover (and of initialize): what the server is for, when to use it, and its limits, in at most 4,000 characters.',

    judge: onOpen(judgeInstructions),
  }),
  defineMcpCheck({
    id: 'mcp.legacy.sse',
    title: 'HTTP+SSE transport is retired',
    failureTitle: 'Drop the retired HTTP+SSE transport',
    weight: 1,
    grade: 'A',
    why: 'Clients drop the transport of 2024-11-05: a server that offers nothing else loses them one by one.',
    source:
      'MCP 2025-03-26 changelog: HTTP+SSE replaced by Streamable HTTP; MCP 2026-07-28 basic/transports/streamable-http, "HTTP+SSE Transport": Deprecated (SEP-2596), SHOULD migrate',
    fix: 'Serve Streamable HTTP at one URL and declare it with type "streamable-http"; keep the old one beside it while clients need it.',

    judge: judgeTransport,
  }),
  defineMcpCheck({
    id: 'mcp.pay.x402',
    title: 'Paid MCP declares price',
    failureTitle: 'Declare the price of paid tools',
    weight: 0,
    grade: 'C',
    why: 'An agent pays only on terms that it can read. Payment over MCP is young, so it is reported and not scored.',
    source:
      'x402 version 2, specs/transports-v2/mcp.md, "Payment Required Signaling"; specs/transports-v2/http.md for 402 answers',
    fix: 'Return the terms as a tool result with isError true and structuredContent {"x402Version": 2, "resource": {...}, "accepts": [...]}.',
    needs: ['mcpProbes'],
    judge: judgePayment,
  }),
];

function judgeListings({ handshake }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  const outcomes = [
    ...(hasCapability(handshake, 'resources') ? [judgeListing(mcpProbes.resources, 'resources', isResource)] : []),
    ...(hasCapability(handshake, 'prompts') ? [judgeListing(mcpProbes.prompts, 'prompts', isPrompt)] : []),
  ];
  const [first] = outcomes;
  if (!first) return verdict.notApplicable('The server declares neither resources nor prompts.');
  const judged = outcomes.filter(({ status }) => status === 'pass' || status === 'partial' || status === 'fail');
  if (judged.length === 0) return first;
  const value = judged.reduce((sum, outcome) => sum + outcome.value, 0) / judged.length;
  const note = judged.map((outcome) => outcome.note).join(' ');
  const evidence = judged.flatMap((outcome) => outcome.evidence);
  if (value === 1) return verdict.pass(note, evidence);
  return value === 0 ? verdict.fail(note, evidence) : verdict.partial(value, note, evidence);
}

function judgeListing(
  probe: Probe | undefined,
  member: 'resources' | 'prompts',
  isValid: (entry: unknown) => boolean,
): CheckOutcome {
  return onAnswer(probe, (answered) => {
    const entries: unknown = getRpcResult(answered)?.[member];
    const evidence = buildProbeEvidence(answered);
    if (!Array.isArray(entries))
      return verdict.fail(`${member}/list is answered ${answerText(answered)} and no list.`, evidence);
    const odd = entries.filter((entry) => !isValid(entry)).length;
    return odd === 0
      ? verdict.pass(`${member}/list shows ${entries.length}.`, evidence)
      : verdict.partial(
          0.5,
          `${odd} of ${entries.length} ${member} have no valid ${member === 'resources' ? 'URI' : 'name'}.`,
          evidence,
        );
  });
}

/** RFC 3986 section 3: a scheme, and no character that a URI must encode. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]{0,63}:[^\s<>"{}|\\^`]{1,4000}$/i;

const isResource = (entry: unknown): boolean => ABSOLUTE_URI.test(getString(entry, 'uri') ?? '');
const isPrompt = (entry: unknown): boolean => (getString(entry, 'name') ?? '').trim() !== '';

/** Characters up to which instructions are read as a whole by a model that serves many servers. */
const MAX_INSTRUCTIONS = 4000;

function judgeInstructions(endpoint: OpenEndpoint): CheckOutcome {
  const text = (getString(endpoint.handshake, 'instructions') ?? '').trim();
  const evidence = buildRequestEvidence(getHandshakeExchange(endpoint), { excerpt: text });
  if (text === '') return verdict.fail('The server sends no instructions.', evidence);
  return text.length <= MAX_INSTRUCTIONS
    ? verdict.pass(`The instructions have ${text.length} characters.`, evidence)
    : verdict.fail(`The instructions have ${text.length} characters, over ${MAX_INSTRUCTIONS}.`, evidence);
}

function judgeTransport({ mcpDiscovery: { sources } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  const named = sources.flatMap((source) => source.endpoints.map((endpoint) => ({ ...endpoint, from: source.url })));
  const older = named.filter(({ transport }) => transport?.toLowerCase() === 'sse');
  if (older.length === 0) return verdict.notApplicable('No document declares the HTTP+SSE transport.');
  const evidence = older.slice(0, 3).map(({ from, url }) => ({ url: from, excerpt: `sse: ${url}`.slice(0, 300) }));
  return older.length < named.length
    ? verdict.pass('HTTP+SSE is declared beside another transport.', evidence)
    : verdict.partial(0.5, 'Only HTTP+SSE is declared: deprecated in 2025-03-26, reclassified by SEP-2596.', evidence);
}

function judgePayment({ mcpEndpoint, mcpProbes }: ProbeFacts): CheckOutcome {
  if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
  const demand = findPaymentDemand([...mcpProbes.answers, ...(mcpProbes.unknownTool ? [mcpProbes.unknownTool] : [])]);
  if (!demand) return verdict.notApplicable('No demand for payment was seen; real tools are never called.');
  const { exchange, offer } = demand;
  const faults = offer.state === 'offer' ? offer.offer.issues : [];
  const evidence = buildRequestEvidence(exchange, faults.length > 0 ? { excerpt: formatIssues(faults) } : {});
  if (offer.state === 'other') return verdict.notApplicable(`Payment is asked for by another protocol: ${offer.why}.`);
  if (offer.state === 'unreadable') return verdict.unknown(`The terms could not be read: ${offer.why}.`, evidence);
  if (offer.state !== 'offer') return verdict.fail(`Payment is asked for without x402 terms: ${offer.why}.`, evidence);
  const { issues, options } = offer.offer;
  return issues.length === 0
    ? verdict.pass(`x402 terms with ${options.length} way(s) to pay.`, evidence)
    : verdict.partial(0.5, `x402 terms with faults: ${issueNote(issues)}.`, evidence);
}
