import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, type FactsOf, verdict } from '../../core/check.ts';
import { findAllowedOrigin, isWellFormedStream, listHeaderNames, selectPreflightOrigin } from '../facts/probes.ts';
import { listOlderVersions, type Probe, type ProbedEndpoint } from '../facts/endpoint.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { buildHeaderEvidence, buildRequestEvidence } from '../../core/evidence.ts';
import { defineMcpCheck, type McpSurface, TRANSPORT } from './common.ts';
import { withoutProbe } from './endpoint.ts';
import { NOT_MADE, onAnswer, onOpen, type OpenEndpoint, type ProbeFacts, judgeClosedEndpoint } from './open.ts';

/** How the endpoint uses HTTP: methods, media types, sessions, time and headers for browsers. */
export const mcpTransportChecks = [
  defineMcpCheck({
    id: 'mcp.endpoint.get-behaviour',
    title: 'GET behaves as specified',
    failureTitle: 'Answer GET as the specification says',
    weight: 1,
    grade: 'B',
    why: 'Older clients open with GET and wait for an event stream: a web page in its place leaves them hanging. DELETE, which ends a session, is not sent by the audit and not judged.',
    source: `${TRANSPORT}, "Earlier Streamable HTTP Revisions": GET or DELETE SHOULD get 405; MCP 2025-11-25 basic/transports, "Listening for Messages from the Server": GET MUST get text/event-stream or 405`,
    fix: 'Answer GET (and DELETE) at the MCP URL with 405 and Allow: POST, unless you serve the event stream of older revisions there.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeGet),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.accept',
    title: 'Response type follows Accept',
    failureTitle: 'Choose the response type by Accept',
    weight: 1,
    grade: 'A',
    why: 'A client picks its parser by the media type: JSON under another name, or a broken event stream, is a failed call.',
    source: `${TRANSPORT}, "Sending Messages" 6: a request MUST be answered with application/json or text/event-stream; "Receiving Messages": streams SHOULD carry X-Accel-Buffering: no`,
    fix: 'Send Content-Type: application/json with one JSON object, or text/event-stream with one JSON-RPC message per event and X-Accel-Buffering: no.',
    needs: ['mcpProbes'],
    judge: onOpen((_, { mcpProbes }) => judgeTypes(mcpProbes.answers)),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.stateless',
    title: 'Modern requests need no session',
    failureTitle: 'Answer requests without a session',
    weight: 1,
    grade: 'A',
    why: 'Current clients keep no session: a server that asks for one refuses their second request.',
    source:
      'MCP 2026-07-28 changelog, major change 1 (Mcp-Session-Id removed); basic, "Statelessness": servers MUST NOT rely on prior requests',
    fix: 'Serve requests of 2026-07-28 from their own _meta and headers alone, and neither ask for nor send Mcp-Session-Id.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeStateless),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.latency',
    title: 'Discover answers in time',
    failureTitle: 'Make the endpoint answer faster',
    weight: 1,
    grade: 'C',
    why: 'Clients wait a few seconds when they connect, then drop the server; slow first answers are the usual cause. Only the class is reported, so that the same site gives the same report.',
    source: 'Own rule: median of the answers to discovery, handshake and listing; 2 s is good, over 5 s fails',
    fix: 'Keep an instance warm, answer server/discover and tools/list from memory, and load what is large on the first call.',
    needs: ['mcpProbes'],
    judge: judgeLatency,
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.cors',
    title: 'Browser clients can read needed headers',
    failureTitle: 'Expose the headers that browser clients need',
    weight: 1,
    grade: 'B',
    why: 'A server that opens itself to browsers must also allow the headers MCP needs, or every client there fails. Authorization and WWW-Authenticate are asked for only where the server wants a token: an open one never needs them.',
    source: `${TRANSPORT}, "Request Metadata" (MCP-Protocol-Version, Mcp-Method, Mcp-Name); Fetch Standard, "CORS-preflight fetch" and "HTTP responses" (* does not cover Authorization)`,
    fix: 'Answer OPTIONS without a token, with Access-Control-Allow-Headers: Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name; send Access-Control-Expose-Headers: WWW-Authenticate with answers.',
    needs: ['mcpProtection', 'mcpProbes'],
    judge: judgeCors,
  }),
];

function judgeGet(endpoint: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  const probe = mcpProbes.get && { exchange: mcpProbes.get };
  return onAnswer(probe, ({ exchange }, status) => {
    const type = exchange.answer.ok ? parseMediaType(exchange.answer.headers['content-type'] ?? '') : '';
    const evidence = buildHeaderEvidence(exchange, 'content-type');
    const servesOlder = listOlderVersions(endpoint).length > 0;
    if (status === 405) return verdict.pass('GET is answered 405.', evidence);
    if (status === 400 && servesOlder && hasSessions(endpoint))
      return verdict.pass(
        'GET without a session is answered 400, by a server that has sessions for older clients.',
        evidence,
      );
    if (status < 300 && type === 'text/event-stream') {
      return servesOlder
        ? verdict.pass('GET opens an event stream, as clients of older revisions expect.', evidence)
        : verdict.partial(0.5, 'GET opens an event stream, which the current revision no longer has.', evidence);
    }
    const shown = `GET is answered ${status}${/html/.test(type) ? ' with a page of HTML' : ''}`;
    if (status >= 500) return verdict.fail(`${shown} instead of 405.`, evidence);
    const misleads = status < 300 && (endpoint.era === 'legacy' || /html/.test(type));
    return misleads
      ? verdict.fail(`${shown}: a client that listens there gets no stream and no refusal.`, evidence)
      : verdict.partial(0.5, `${shown} instead of 405.`, evidence);
  });
}

const hasSessions = ({ initialize }: ProbedEndpoint): boolean =>
  initialize.some(({ probe }) => hasSession(probe.exchange));

const hasSession = ({ answer }: Exchange): boolean => answer.ok && answer.headers['mcp-session-id'] !== undefined;

function judgeTypes(answers: readonly Probe[]): CheckOutcome {
  const good = answers.filter(({ status }) => status !== undefined && status >= 200 && status < 300);
  if (good.length === 0) return verdict.notApplicable('No request was answered with a 2xx status.');
  const wrong = good.filter((probe) => !isReadable(probe));
  const [first] = wrong;
  if (first) {
    const note = `${wrong.length} of ${good.length} answers are neither application/json nor a well-formed event stream.`;
    return verdict.fail(note, buildHeaderEvidence(first.exchange, 'content-type'));
  }
  const streams = good.filter(isStream);
  // Handshakes belong to revisions that do not ask for the header.
  const buffered = streams.find(({ exchange }) => isModern(exchange) && !isUnbuffered(exchange));
  if (buffered) {
    const note = 'Event streams lack X-Accel-Buffering: no, so a proxy may hold them back.';
    return verdict.partial(0.5, note, buildHeaderEvidence(buffered.exchange, 'x-accel-buffering'));
  }
  const note = `${good.length} answers: ${good.length - streams.length} as JSON, ${streams.length} as event streams.`;
  return verdict.pass(
    note,
    good.map(({ exchange }) => buildHeaderEvidence(exchange, 'content-type')),
  );
}

const getContentType = ({ answer }: Exchange): string =>
  answer.ok ? parseMediaType(answer.headers['content-type'] ?? '') : '';
const isStream = ({ exchange }: Probe): boolean => getContentType(exchange) === 'text/event-stream';
const isReadable = (probe: Probe): boolean =>
  probe.reply?.kind !== 'none' &&
  (isStream(probe) ? isWellFormedStream(probe.exchange) : getContentType(probe.exchange) === 'application/json');
const isModern = ({ requestHeaders }: Exchange): boolean => requestHeaders['mcp-method'] !== undefined;
const isUnbuffered = ({ answer }: Exchange): boolean =>
  answer.ok && answer.headers['x-accel-buffering']?.trim().toLowerCase() === 'no';

function judgeStateless({ era, discover, tools }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  if (era === 'legacy') return verdict.notApplicable('Only older revisions are spoken, which may have sessions.');
  if (tools.state === 'not_asked') return verdict.notApplicable(`There was no second request to make: ${tools.note}`);
  const { exchange } = tools;
  if (tools.state === 'unread') return verdict.unknown(tools.note, buildRequestEvidence(exchange));
  const evidence = [buildRequestEvidence(discover.exchange), buildRequestEvidence(exchange)];
  const status = exchange.answer.ok ? exchange.answer.status : 0;
  if (tools.state === 'failed') {
    return status >= 400 && status < 500
      ? verdict.fail(
          `tools/list without a session is refused with ${status} after server/discover was answered.`,
          evidence,
        )
      : verdict.notApplicable('tools/list failed for another reason; see mcp.tools.list.');
  }
  const minted = [discover, ...mcpProbes.toolPages].find((probe) => hasSession(probe.exchange));
  return minted
    ? verdict.partial(
        0.5,
        'The server works without a session, but still sends Mcp-Session-Id.',
        buildRequestEvidence(minted.exchange),
      )
    : verdict.pass('server/discover and tools/list are answered without a session.', evidence);
}

/** Milliseconds up to which the median answer is good, and up to which it is bearable. */
const GOOD_MS = 2000;
const BEARABLE_MS = 5000;

function judgeLatency({ mcpEndpoint, mcpProbes }: ProbeFacts, site: Site): CheckOutcome {
  if (site.local) return verdict.notApplicable('Time on a local network says nothing about clients elsewhere.');
  if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
  if (mcpEndpoint.access === 'silent') return judgeClosedEndpoint(mcpEndpoint);
  const answered = mcpProbes.answers.filter(({ status }) => status !== undefined).map(({ exchange }) => exchange);
  const sorted = answered.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined) return verdict.unknown('The endpoint gave no answer that could be timed.');
  const evidence = answered.slice(0, 1).map((exchange) => buildRequestEvidence(exchange));
  if (median <= GOOD_MS) return verdict.pass('Half of the answers or more took at most 2 seconds.', evidence);
  return median <= BEARABLE_MS
    ? verdict.partial(0.5, 'The median answer took between 2 and 5 seconds.', evidence)
    : verdict.fail('The median answer took more than 5 seconds.', evidence);
}

type CorsFacts = McpSurface & FactsOf<'mcpProtection' | 'mcpProbes'>;

function judgeCors({ mcpEndpoint, mcpProtection, mcpProbes }: CorsFacts, site: Site): CheckOutcome {
  if (mcpEndpoint.state !== 'probed') return withoutProbe(mcpEndpoint);
  const { access } = mcpEndpoint;
  if (access !== 'open' && access !== 'protected') return judgeClosedEndpoint(mcpEndpoint);
  const { cors, preflight } = mcpProbes;
  if (!cors)
    return verdict.notApplicable('The endpoint sends no Access-Control-Allow-Origin: it is not meant for browsers.');
  if (!preflight) return verdict.unknown(NOT_MADE);
  const { answer } = preflight;
  if (!answer.ok || answer.status === 429 || answer.status >= 502)
    return verdict.unknown('The answer to the preflight could not be read.', buildRequestEvidence(preflight));
  const origin = selectPreflightOrigin(cors.allowed, site.start);
  const allowed = findAllowedOrigin(preflight);
  if (answer.status > 299 || (allowed !== '*' && allowed !== origin)) {
    const note = `The preflight is answered ${answer.status}${allowed === undefined ? ' without leave' : ''}, so no browser sends the request.`;
    return verdict.fail(note, buildHeaderEvidence(preflight, 'access-control-allow-origin'));
  }
  // Without the version header no request of MCP passes; the others hinder some of them.
  const missing = listMissingHeaders(preflight, cors.exchange, {
    modern: mcpEndpoint.era !== 'legacy',
    wantsToken: mcpProtection.state === 'protected',
  });
  const evidence = [
    buildHeaderEvidence(preflight, 'access-control-allow-headers'),
    buildHeaderEvidence(cors.exchange, 'access-control-expose-headers'),
  ];
  if (missing.length === 0) return verdict.pass('The preflight allows every header that MCP needs.', evidence);
  const note = `Not allowed, or not readable, for browsers: ${missing.join(', ')}.`;
  return missing.includes('mcp-protocol-version') ? verdict.fail(note, evidence) : verdict.partial(0.5, note, evidence);
}

function listMissingHeaders(
  preflight: Exchange,
  opened: Exchange,
  server: { modern: boolean; wantsToken: boolean },
): readonly string[] {
  const allowed = listHeaderNames(preflight, 'access-control-allow-headers');
  const exposed = listHeaderNames(opened, 'access-control-expose-headers');
  const needed = ['content-type', 'mcp-protocol-version', ...(server.modern ? ['mcp-method', 'mcp-name'] : [])];
  const withToken = server.wantsToken && !allowed.includes('authorization') ? ['authorization'] : [];
  const hidden =
    server.wantsToken && !exposed.includes('www-authenticate') && !exposed.includes('*') ? ['www-authenticate'] : [];
  return [
    ...needed.filter((name) => !allowed.includes(name) && !allowed.includes('*')),
    ...withToken,
    ...hidden.map((name) => `${name} (expose)`),
  ];
}
