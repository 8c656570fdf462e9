import { expect, test } from 'vitest';
import { hasStackTrace } from '../../../../src/audit/api/facts/http-behaviour.ts';
import { answering, isInitialize, legacy, served, silent } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  asStream,
  CHALLENGE,
  except,
  legacyServer,
  mcpSite,
  protectedSite,
  result,
  type Rpc,
  rpcError,
} from '../../../support/audit/mcp-site.ts';
import { failure, json, notFound, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const paid = served(() => json({ x402Version: 2, accepts: [] }, { status: 402 }));

const isVersion = ({ headers }: Rpc): boolean => headers['mcp-protocol-version'] === '1900-01-01';

const isMismatch = ({ method, headers }: Rpc): boolean =>
  headers['mcp-method'] !== undefined && headers['mcp-method'] !== method;

const isUnknown = ({ method }: Rpc): boolean => method === 'sightline/does-not-exist';

const isBroken = ({ broken }: Rpc): boolean => broken;

const legacyAnswering = (when: (rpc: Rpc) => boolean, answer: SiteAnswer): SiteMap =>
  served(except(legacyServer(), when, answer));

const oldError = json(
  { jsonrpc: '2.0', id: 'server-error', error: { code: -32_700, message: 'Parse error' } },
  { status: 400 },
);

testMcpChecks({
  'mcp.endpoint.legacy': [
    ['a server of both eras', mcpSite(), 'pass'],
    ['a server of the older era alone', legacy(), 'pass'],
    ['one that answers with an older version', legacy({ protocolVersion: '2025-06-18' }), 'pass'],
    [
      'a refusal',
      answering(isInitialize, rpcError(2, -32_020, 400)),
      'partial',
      /400 with error -32020/,
      { value: 0.5 },
    ],
    [
      'no serverInfo',
      answering(isInitialize, result(2, { protocolVersion: '2025-11-25', capabilities: {} })),
      'partial',
      /serverInfo/,
    ],
    ['no answer', answering(isInitialize, failure('timeout')), 'unknown'],
    ['a block', answering(isInitialize, text('blocked', { status: 429 })), 'unknown'],
    [
      'a token for older clients alone',
      answering(isInitialize, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })),
      'not_applicable',
    ],
    ['protected', protectedSite(), 'not_applicable'],
    ['no MCP', silent, 'not_applicable'],
  ],
  'mcp.endpoint.version-error': [
    ['400, -32022 and the list', mcpSite(), 'pass'],
    [
      'the same as a stream',
      answering(isVersion, asStream(rpcError(20, -32_022, 400, { supported: ['2026-07-28'] }))),
      'pass',
    ],
    ['400 of an older server', legacy(), 'pass'],
    ['no list', answering(isVersion, rpcError(20, -32_022, 400)), 'partial', /list/],
    ['status 200', answering(isVersion, rpcError(20, -32_022, 200, { supported: ['2026-07-28'] })), 'fail'],
    [
      'status 422',
      answering(isVersion, rpcError(20, -32_022, 422, { supported: ['2026-07-28'] })),
      'partial',
      /status 400/,
    ],
    ['another code', answering(isVersion, rpcError(20, -32_600, 400)), 'partial', /-32022/],
    ['served', answering(isVersion, result(20, { resultType: 'complete' })), 'fail'],
    ['a crash', answering(isVersion, text('oops', { status: 500 })), 'fail'],
    ['served by an older server', legacyAnswering(isVersion, result(20, {})), 'fail'],
    ['a gateway error', answering(isVersion, text('', { status: 503 })), 'unknown'],
    ['not read', answering(isVersion, failure('timeout')), 'unknown'],
    ['a revision before the header', legacy({ protocolVersion: '2025-03-26' }), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
    [
      'a server of a revision to come',
      served(() => rpcError(1, -32_022, 400, { supported: ['2027-05-01'] })),
      'not_applicable',
    ],
  ],
  'mcp.endpoint.header-mismatch': [
    ['400 and -32020', mcpSite(), 'pass'],
    ['another code', answering(isMismatch, rpcError(21, -32_600, 400)), 'partial', undefined, { value: 0.5 }],
    ['another status', answering(isMismatch, rpcError(21, -32_020, 422)), 'partial'],
    ['served', answering(isMismatch, result(21, { resultType: 'complete' })), 'fail'],
    ['a crash', answering(isMismatch, text('oops', { status: 500 })), 'fail'],
    ['a block', answering(isMismatch, text('blocked', { status: 403 })), 'unknown'],
    ['an older server', legacy(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
    ['paid', paid, 'not_applicable'],
  ],
  'mcp.endpoint.unknown-method': [
    ['404 and -32601', mcpSite(), 'pass'],
    ['status 200 of an older server', legacy(), 'pass'],
    ['status 404 of an older server', legacyAnswering(isUnknown, rpcError(22, -32_601, 404)), 'pass'],
    ['status 200', answering(isUnknown, rpcError(22, -32_601, 200)), 'partial', undefined, { value: 0.5 }],
    ['status 500 of an older server', legacyAnswering(isUnknown, rpcError(22, -32_601, 500)), 'partial'],
    ['another code', answering(isUnknown, rpcError(22, -32_600, 404)), 'fail', /-32600/],
    ['a plain 404', answering(isUnknown, notFound), 'fail'],
    ['a result', answering(isUnknown, result(22, {})), 'fail'],
    ['not read', answering(isUnknown, failure('body_failed')), 'unknown'],
    [
      'a token for all but discovery',
      answering(isUnknown, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })),
      'not_applicable',
    ],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.bad-json': [
    ['400 and -32700', mcpSite(), 'pass'],
    ['an older server', legacy(), 'pass'],
    ['an id of the server, as the Python SDK sends', answering(isBroken, oldError), 'pass'],
    ['another code', answering(isBroken, rpcError(undefined, -32_600, 400)), 'partial'],
    ['a plain 400', answering(isBroken, text('bad request', { status: 400 })), 'partial', undefined, { value: 0.5 }],
    ['status 200 with the code', answering(isBroken, rpcError(undefined, -32_700, 200)), 'partial'],
    ['a crash', answering(isBroken, text('oops', { status: 500 })), 'fail'],
    ['accepted', answering(isBroken, json({ ok: true })), 'fail'],
    [
      'a stack trace',
      answering(
        isBroken,
        text('SyntaxError: x\n    at JSON.parse (<anonymous>)\n    at read (/srv/app/server.js:10:14)', {
          status: 400,
        }),
      ),
      'fail',
      /stack trace/,
    ],
    [
      'a traceback in JSON',
      answering(
        isBroken,
        json(
          { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Traceback (most recent call last):\n' } },
          { status: 400 },
        ),
      ),
      'fail',
    ],
    ['not read', answering(isBroken, failure('connection_failed')), 'unknown'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
});

test.each([
  ['JavaScript', 'SyntaxError: x\n    at read (/srv/app/server.js:10:14)', true],
  ['JavaScript in JSON', JSON.stringify({ stack: 'Error\n    at async Server.post (file:///app/a.mjs:1:2)' }), true],
  ['JavaScript without a name', 'Error\n    at file:///app/a.mjs:1:2', true],
  ['Python', 'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>', true],
  ['Java', '\tat com.acme.Server.handle(Server.java:42)', true],
  ['Go', 'goroutine 1 [running]:\nmain.main()', true],
  ['Ruby', "app/server.rb:10:in `parse'", true],
  ['PHP', '#0 /var/www/index.php(12): parse()', true],
  ['.NET', '   at Acme.Server.Handle() in C:\\src\\Server.cs:line 7', true],
  ['a message', 'Parse error: Unexpected end of JSON input at position 1 (line 1 column 2)', false],
  ['a time', 'Come at 10:30:15) or later', false],
  ['an error in JSON', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', false],
])('a stack trace of %s is seen as what it is', (_, body, shows) => {
  expect(hasStackTrace(body)).toBe(shows);
});
