import { type CheckOutcome, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { isJsonRecord, type JsonRecord } from '../../structured-data/facts/json-document.ts';
import {
  getRpcResult,
  isCurrentRevision,
  type McpEndpoint,
  type Probe,
  type ProbedEndpoint,
} from '../facts/endpoint.ts';
import { MODERN_REVISION } from '../facts/places.ts';
import { findFirstDocument } from '../facts/protection.ts';
import { FOREIGN_ORIGIN } from '../facts/requests.ts';
import type { Site } from '../../core/site.ts';
import { buildHeaderEvidence, buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';
import { defineMcpCheck, isLoopbackHost, TRANSPORT } from './common.ts';

export const mcpEndpointChecks = [
  defineMcpCheck({
    id: 'mcp.endpoint.reachable',
    title: 'The endpoint speaks MCP',
    failureTitle: 'Make the endpoint speak MCP',
    weight: 6,
    grade: 'A',
    why: 'Documents that lead to an endpoint which does not answer as MCP promise a server that is not there.',
    source: `${TRANSPORT}, "Sending Messages": the endpoint MUST support POST and answer a request with JSON or an event stream`,
    fix: 'Serve JSON-RPC over POST at the URL your documents declare: server/discover, and initialize for older clients.',
    capabilities: ['check_mcp'],
    gate: { caps: { mcp: 50 } },
    needs: ['mcpProtection'],
    judge: judgeReachable,
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.modern',
    title: 'Current revision is supported',
    failureTitle: 'Support the current revision of MCP',
    weight: 3,
    grade: 'A',
    why: 'A client of the current revision makes no handshake and fails against a server that knows only the older ones.',
    source:
      'MCP 2026-07-28 basic/versioning: servers MUST implement server/discover; compatibility matrix, "Modern client, legacy server: fails"',
    fix: 'Implement server/discover with supportedVersions including 2026-07-28, capabilities and resultType; keep initialize for older clients.',

    judge: judgeModern,
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.origin',
    title: 'Foreign Origin is refused',
    failureTitle: 'Refuse a foreign Origin',
    weight: 2,
    grade: 'A',
    why: "Without this, a web page can make its visitor's browser talk to the server by DNS rebinding.",
    source: `${TRANSPORT}, "Security & Endpoint": servers MUST validate Origin and answer 403 when it is invalid`,
    fix: 'Answer 403 to a request whose Origin is present and not on your list.',
    needs: ['mcpProtection'],
    judge: judgeOrigin,
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.https',
    title: 'Endpoint is https',
    failureTitle: 'Serve the endpoint by https',
    weight: 2,
    grade: 'A',
    why: 'Bearer tokens and tool results travel over this URL; plain http shows them to everybody on the way.',
    source: 'MCP 2026-07-28 basic/authorization/security-considerations; OAuth 2.1 section 1.5',
    fix: 'Serve the endpoint over https and declare that URL.',

    judge: judgeHttps,
  }),
];

/** Why a declared endpoint was not probed. */
const NOT_PROBED = {
  other_site: 'The declared endpoint is on another site: it is reported, not probed.',
  template: 'The declared endpoint is a URL template that only a client can fill in.',
  deprecated_transport: 'Only the deprecated HTTP+SSE transport is declared, which is not probed.',
  not_asked: 'The declared endpoint was not probed in this audit.',
} as const;

/** The outcome where there is no probed endpoint to judge; undefined when there is one. */
export function withoutProbe(endpoint: Exclude<McpEndpoint, { state: 'probed' }>): CheckOutcome {
  if (endpoint.state === 'undeclared') return verdict.notApplicable('No document declares an endpoint.');
  const note = NOT_PROBED[endpoint.why];
  return endpoint.why === 'other_site' || endpoint.why === 'not_asked'
    ? verdict.unknown(note, { url: endpoint.url })
    : verdict.notApplicable(note);
}

function judgeReachable({
  mcpEndpoint: endpoint,
  mcpProtection: protection,
}: FactsOf<'mcpEndpoint' | 'mcpProtection'>): CheckOutcome {
  if (endpoint.state !== 'probed') return withoutProbe(endpoint);
  const evidence = listHandshakeProbes(endpoint).map((probe) =>
    buildRequestEvidence(probe.exchange, { excerpt: formatProbeExcerpt(probe) }),
  );
  if (endpoint.access === 'open')
    return verdict.pass(`The endpoint answers as MCP (${endpoint.era} revision).`, evidence);
  if (endpoint.access === 'paid') return verdict.pass('The endpoint is there and asks for payment (402).', evidence);
  if (endpoint.access === 'protected') {
    const usable =
      protection.state === 'protected' && (protection.bearer || findFirstDocument(protection.resourceMetadata));
    return usable
      ? verdict.pass('The endpoint is there and protected (401).', evidence)
      : verdict.partial(0.5, 'The endpoint answers 401, but with nothing that marks a protected MCP server.', evidence);
  }
  if (endpoint.access === 'refused')
    return verdict.unknown('The endpoint refused our request (403 or 429), perhaps ours alone.', evidence);
  if (endpoint.access === 'unread') return verdict.unknown('The endpoint could not be read.', evidence);
  return verdict.fail('The declared endpoint does not answer as MCP.', evidence);
}

const listHandshakeProbes = (endpoint: ProbedEndpoint): readonly Probe[] => [
  endpoint.discover,
  ...endpoint.initialize.map(({ probe }) => probe),
];

function formatProbeExcerpt({ exchange, reply }: Probe): string {
  if (!exchange.answer.ok) return exchange.answer.reason;
  if (reply?.kind === 'error') return `JSON-RPC error ${reply.code}: ${reply.message}`;
  return extractBodyStart(exchange);
}

function judgeModern({ mcpEndpoint: endpoint }: FactsOf<'mcpEndpoint'>): CheckOutcome {
  if (endpoint.state !== 'probed') return withoutProbe(endpoint);
  if (endpoint.access !== 'open')
    return verdict.notApplicable('The endpoint did not open up to an anonymous client, so its revision is not seen.');
  const { discover, accepted } = endpoint;
  const evidence = buildRequestEvidence(discover.exchange, { excerpt: formatProbeExcerpt(discover) });
  const versions = formatCount(accepted.length, 'version');
  if (endpoint.era === 'legacy')
    return verdict.partial(0.5, `Only older revisions are spoken (${versions} named).`, evidence);
  if (!isCurrentRevision(endpoint)) {
    return verdict.partial(
      0.5,
      `The server discovers without a handshake, but does not name ${MODERN_REVISION} (${versions} named).`,
      evidence,
    );
  }
  const lacks = listMissingMembers(getRpcResult(discover));
  if (lacks.length > 0)
    return verdict.partial(0.5, `server/discover answers without ${lacks.join(' and ')}.`, evidence);
  return verdict.pass(`server/discover names ${MODERN_REVISION}; the server accepts ${versions}.`, evidence);
}

function listMissingMembers(result: JsonRecord | undefined): readonly string[] {
  if (!result) return ['a result'];
  return [
    ...(isJsonRecord(result['capabilities']) ? [] : ['capabilities']),
    ...(result['resultType'] === 'complete' ? [] : ['resultType "complete"']),
  ];
}

function judgeOrigin({
  mcpEndpoint: endpoint,
  mcpProtection: protection,
}: FactsOf<'mcpEndpoint' | 'mcpProtection'>): CheckOutcome {
  if (endpoint.state !== 'probed') return withoutProbe(endpoint);
  const { origin } = endpoint;
  if (!origin) return verdict.notApplicable('The endpoint did not answer as MCP, so no foreign Origin was tried.');
  if (!origin.exchange.answer.ok)
    return verdict.unknown('The answer to a foreign Origin could not be read.', buildRequestEvidence(origin.exchange));
  const evidence = buildRequestEvidence(origin.exchange, {
    header: `Origin: ${FOREIGN_ORIGIN}`,
    excerpt: formatProbeExcerpt(origin),
  });
  const { status, headers } = origin.exchange.answer;
  if (status === 403) return verdict.pass('A request with a foreign Origin is answered 403.', evidence);
  if (status === 401 || status === 402)
    return verdict.notApplicable('The endpoint asks for authorization or payment before it looks at the Origin.');
  if (status === 429 || status >= 500)
    return verdict.unknown(`The request with a foreign Origin was answered ${status}.`, evidence);
  if (!getRpcResult(origin))
    return verdict.partial(0.5, `A foreign Origin is refused, but with ${status} instead of 403.`, evidence);
  const cors = headers['access-control-allow-origin'];
  if (cors !== undefined && protection.state === 'protected') {
    const note = 'A foreign Origin is served, by an explicit CORS header, and what matters wants a token.';
    return verdict.partial(0.5, note, buildHeaderEvidence(origin.exchange, 'access-control-allow-origin'));
  }
  return verdict.fail('A request with a foreign Origin is served like any other.', evidence);
}

function judgeHttps({ mcpEndpoint: endpoint }: FactsOf<'mcpEndpoint'>, site: Site): CheckOutcome {
  if (site.local) return verdict.notApplicable('A local site needs no https.');
  if (endpoint.state === 'undeclared') return withoutProbe(endpoint);
  const url = URL.parse(endpoint.url.replaceAll(/\{\w{1,64}\}/g, 'x'));
  if (!url) return verdict.notApplicable('The declared endpoint is a template for the whole URL.');
  if (url.protocol === 'https:') return verdict.pass('The declared endpoint is https.', { url: endpoint.url });
  if (isLoopbackHost(url.hostname)) return verdict.notApplicable('The declared endpoint is on the loopback host.');
  return verdict.fail('The declared endpoint is plain http.', { url: endpoint.url });
}
