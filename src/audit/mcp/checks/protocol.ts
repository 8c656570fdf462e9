import { type CheckOutcome, verdict } from '../../core/check.ts';
import { isJsonRecord, getString, getStrings } from '../../structured-data/facts/json-document.ts';
import { getRpcResult } from '../facts/endpoint.ts';
import { FIRST_WITH_VERSION_HEADER, IMPOSSIBLE_REVISION, LEGACY_REVISION } from '../facts/places.ts';
import { findRpcError } from '../facts/probes.ts';
import { UNKNOWN_METHOD } from '../facts/requests.ts';
import { hasStackTrace } from '../../api/facts/http-behaviour.ts';
import { answerText, onAnswer, onOpen, type OpenEndpoint, type ProbeFacts, buildProbeEvidence } from './open.ts';
import { defineMcpCheck, TRANSPORT } from './common.ts';

/** How the endpoint answers older clients, and requests that are wrong. Every probe is sent once and changes nothing. */
export const mcpProtocolChecks = [
  defineMcpCheck({
    id: 'mcp.endpoint.legacy',
    title: 'Older clients are still served',
    failureTitle: 'Serve older clients too',
    weight: 1,
    grade: 'B',
    why: 'Most installed clients still open with initialize and have no way forward to a server that knows only the current revision.',
    source:
      'MCP 2025-11-25 basic/lifecycle, "Initialization"; MCP 2026-07-28 basic/versioning, compatibility matrix: "Legacy client, modern server: fails"',
    fix: 'Answer initialize with protocolVersion 2025-11-25, capabilities and serverInfo beside server/discover; current SDKs serve both eras from one endpoint.',

    judge: onOpen(judgeLegacy),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.version-error',
    title: 'Unsupported version gets the right error',
    failureTitle: 'Answer an unsupported version with the right error',
    weight: 1,
    grade: 'A',
    why: 'From this error a client learns which version to retry with; without it a newer client cannot fall back.',
    source: `${TRANSPORT}, "Protocol Version Header": the server MUST respond 400 with UnsupportedProtocolVersionError (-32022) listing its supported versions; MCP 2025-11-25 basic/transports, same heading: MUST respond 400`,
    fix: 'Answer an MCP-Protocol-Version you do not support with 400, JSON-RPC error -32022 and data {"supported": [...], "requested": "..."}.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeVersionError),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.header-mismatch',
    title: 'Header/body mismatch is refused',
    failureTitle: 'Refuse headers that contradict the body',
    weight: 1,
    grade: 'A',
    why: 'Gateways decide by the header and the server by the body: where the two may differ, a request slips past the gateway.',
    source: `${TRANSPORT}, "Server Validation": servers MUST reject header values that do not match the body with 400 and MUST include error -32020 (HeaderMismatch)`,
    fix: 'Compare Mcp-Method, Mcp-Name and MCP-Protocol-Version with the body, and answer 400 with JSON-RPC error -32020 when they differ or are missing.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeMismatch),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.unknown-method',
    title: 'Unknown method gets -32601',
    failureTitle: 'Answer an unknown method with -32601',
    weight: 1,
    grade: 'A',
    why: 'Clients try methods that a server may lack, and tell "not offered" from "broken" by this code alone.',
    source: `${TRANSPORT}, "Protocol Version Header": an unknown RPC method MUST get 404 with JSON-RPC error -32601; JSON-RPC 2.0 section 5.1`,
    fix: 'Answer a method you do not know with JSON-RPC error -32601 (Method not found), and to a client of 2026-07-28 with HTTP 404.',
    needs: ['mcpProbes'],
    judge: onOpen(judgeUnknownMethod),
  }),
  defineMcpCheck({
    id: 'mcp.endpoint.bad-json',
    title: 'Broken JSON is handled',
    failureTitle: 'Answer broken JSON with a parse error',
    weight: 1,
    grade: 'A',
    why: 'A truncated request is everyday: a server that crashes on it, or shows its insides, is not fit for the open network.',
    source:
      'JSON-RPC 2.0 section 5.1: -32700, invalid JSON was received; MCP 2026-07-28 basic, "Error Codes": the standard codes for general protocol failures',
    fix: 'Catch the parse error and answer 400 with {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}, without a stack trace.',
    needs: ['mcpProbes'],
    judge: onOpen((_, facts) => judgeBadJson(facts)),
  }),
];

function judgeLegacy({ initialize }: OpenEndpoint): CheckOutcome {
  const handshake = initialize.find(({ asked }) => asked === LEGACY_REVISION);
  return onAnswer(handshake?.probe, (probe) => {
    const result = getRpcResult(probe);
    const evidence = buildProbeEvidence(probe);
    if (!result) {
      const note = `initialize is answered ${answerText(probe)}: only clients of the current revision are served.`;
      return verdict.partial(0.5, note, evidence);
    }
    const lacks = [
      ...(getString(result, 'protocolVersion') === undefined ? ['protocolVersion'] : []),
      ...(isJsonRecord(result['serverInfo']) ? [] : ['serverInfo']),
    ];
    return lacks.length === 0
      ? verdict.pass(`initialize of ${LEGACY_REVISION} is answered with a version and serverInfo.`, evidence)
      : verdict.partial(0.5, `initialize is answered without ${lacks.join(' and ')}.`, evidence);
  });
}

function judgeVersionError({ era, accepted }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  if (era === 'legacy' && accepted.every((version) => version < FIRST_WITH_VERSION_HEADER))
    return verdict.notApplicable('The revision of this server has no version header yet.');
  return onAnswer(mcpProbes.version, (probe, status) => {
    const evidence = buildProbeEvidence(probe);
    const asked = `A request in version ${IMPOSSIBLE_REVISION} is answered ${answerText(probe)}`;
    if (getRpcResult(probe) || status < 400) return verdict.fail(`${asked}, as if it were supported.`, evidence);
    if (status >= 500) return verdict.fail(`${asked}.`, evidence);
    const lacks = [
      ...(era === 'legacy' ? [] : listVersionErrorLacks(findRpcError(probe))),
      ...(status === 400 ? [] : ['status 400']),
    ];
    return lacks.length === 0
      ? verdict.pass(`${asked}, as it should be.`, evidence)
      : verdict.partial(0.5, `${asked}; due, and missing: ${lacks.join(', ')}.`, evidence);
  });
}

function listVersionErrorLacks(error: { code: number; data: unknown } | undefined): readonly string[] {
  if (error?.code !== -32_022) return ['error -32022'];
  return (getStrings(error.data, 'supported') ?? []).length > 0 ? [] : ['the list of supported versions'];
}

function judgeMismatch({ era }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  if (era === 'legacy') return verdict.notApplicable('Older revisions mirror nothing in headers.');
  return onAnswer(mcpProbes.mismatch, (probe, status) => {
    const evidence = { ...buildProbeEvidence(probe), header: 'Mcp-Method: tools/list (the body says server/discover)' };
    const asked = `A request whose header names another method is answered ${answerText(probe)}`;
    if (getRpcResult(probe) || status < 400 || status >= 500)
      return verdict.fail(`${asked}; 400 with -32020 is due.`, evidence);
    return status === 400 && findRpcError(probe)?.code === -32_020
      ? verdict.pass(`${asked}.`, evidence)
      : verdict.partial(0.5, `${asked}; 400 with -32020 is due.`, evidence);
  });
}

function judgeUnknownMethod({ era }: OpenEndpoint, { mcpProbes }: ProbeFacts): CheckOutcome {
  return onAnswer(mcpProbes.unknownMethod, (probe, status) => {
    const evidence = buildProbeEvidence(probe);
    const asked = `The method ${UNKNOWN_METHOD} is answered ${answerText(probe)}`;
    if (findRpcError(probe)?.code !== -32_601) return verdict.fail(`${asked}; -32601 is due.`, evidence);
    const allowed = era === 'legacy' ? [200, 400, 404] : [404];
    return allowed.includes(status)
      ? verdict.pass(`${asked}.`, evidence)
      : verdict.partial(0.5, `${asked}, where status ${allowed.join(' or ')} is due.`, evidence);
  });
}

function judgeBadJson({ mcpProbes }: ProbeFacts): CheckOutcome {
  return onAnswer(mcpProbes.badJson, (probe, status) => {
    const evidence = buildProbeEvidence(probe);
    const asked = `Broken JSON is answered ${answerText(probe)}`;
    const { answer } = probe.exchange;
    const code = findRpcError(probe)?.code;
    if (answer.ok && hasStackTrace(answer.body))
      return verdict.fail(`${asked}, and the answer shows a stack trace.`, evidence);
    if (status >= 500) return verdict.fail(`${asked}: a fault of the sender is no failure of the server.`, evidence);
    if (status < 400 && code === undefined) return verdict.fail(`${asked}, as if it were a request.`, evidence);
    return status >= 400 && code === -32_700
      ? verdict.pass(`${asked}.`, evidence)
      : verdict.partial(0.5, `${asked}; 400 with -32700 is due.`, evidence);
  });
}
