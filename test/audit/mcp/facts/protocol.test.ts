import { expect, test } from 'vitest';
import { hasStackTrace } from '../../../../src/audit/api/facts/http-behaviour.ts';
import { type Rows, served, testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  asStream,
  CACHE_HINTS,
  CHALLENGE,
  except,
  legacyServer,
  modernServer,
  protectedServer,
  protectedSite,
  result,
  type Rpc,
  rpcError,
  rpcOf,
  type Server,
  mcpSite,
} from '../../../support/audit/mcp-site.ts';
import {
  failure,
  html,
  json,
  notFound,
  type Served,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';

const modern = modernServer();
const legacy = (options: Parameters<typeof legacyServer>[0] = {}): SiteMap => served(legacyServer(options));
const paid = served(() => json({ x402Version: 2, accepts: [] }, { status: 402 }));
const silent = served(() => html('<!doctype html><p>Welcome'));

const isVersion = ({ headers }: Rpc): boolean => headers['mcp-protocol-version'] === '1900-01-01';
const isMismatch = ({ method, headers }: Rpc): boolean =>
  headers['mcp-method'] !== undefined && headers['mcp-method'] !== method;
const isUnknown = ({ method }: Rpc): boolean => method === 'sightline/does-not-exist';
const isBroken = ({ broken }: Rpc): boolean => broken;
const isInitialize = ({ method }: Rpc): boolean => method === 'initialize';

const answering = (when: (rpc: Rpc) => boolean, answer: SiteAnswer): SiteMap => served(except(modern, when, answer));
const legacyAnswering = (when: (rpc: Rpc) => boolean, answer: SiteAnswer): SiteMap =>
  served(except(legacyServer(), when, answer));
const oldError = json(
  { jsonrpc: '2.0', id: 'server-error', error: { code: -32_700, message: 'Parse error' } },
  { status: 400 },
);
const get = (answer: SiteAnswer, server: Server = except(modern, isInitialize, rpcError(2, -32_020, 400))): SiteMap =>
  served(server, { '/mcp': answer });
const stream: Served = { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' };
const mapped = (change: (answer: Served) => SiteAnswer, server: Server = modern): SiteMap =>
  served((request) => {
    const answer = server(request);
    return 'body' in answer && !isInitialize(rpcOf(request)) ? change(answer) : answer;
  });

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
  'mcp.endpoint.get-behaviour': [
    ['405', mcpSite(), 'pass'],
    ['a stream for older clients', served(modern, { '/mcp': stream }), 'pass'],
    ['a stream of an older server', served(legacyServer(), { '/mcp': stream }), 'pass'],
    ['400 where a session is missing', served(legacyServer(), { '/mcp': rpcError(undefined, -32_000, 400) }), 'pass'],
    ['a stream of the current revision alone', get(stream), 'partial', undefined, { value: 0.5 }],
    ['400 without sessions', get(rpcError(undefined, -32_000, 400)), 'partial'],
    ['404', get(notFound), 'partial'],
    ['JSON', get(json({ name: 'archive' })), 'partial'],
    ['JSON of an older server', get(json({ name: 'archive' }), legacyServer()), 'fail'],
    ['a web page', get(html('<!doctype html><p>Welcome')), 'fail', /200 with a page of HTML/],
    ['a web page beside an older era', served(modern, { '/mcp': html('<p>Hello') }), 'fail'],
    ['a crash', get(text('oops', { status: 500 })), 'fail'],
    ['not read', get(failure('timeout')), 'unknown'],
    ['a block', get(text('', { status: 429 })), 'unknown'],
    ['a token for listening', get(text('', { status: 401 })), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.accept': [
    ['JSON', mcpSite(), 'pass', /3 as JSON, 0 as event streams/],
    [
      'streams that no proxy holds back, the first event without data',
      mapped((answer) => asStream({ ...answer, headers: { ...answer.headers, 'x-accel-buffering': 'No' } })),
      'pass',
      /1 as JSON, 2 as event streams/,
    ],
    ['streams of an older server', legacy(), 'pass', /2 as event streams/],
    [
      'JSON with a charset',
      mapped((answer) => ({ ...answer, headers: { 'content-type': 'Application/JSON; charset=utf-8' } })),
      'pass',
    ],
    ['streams that a proxy may hold back', mapped(asStream), 'partial', /X-Accel-Buffering/],
    [
      'JSON under another name',
      mapped((answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
      'fail',
      /2 of 3/,
    ],
    [
      'a stream with an event that is no JSON',
      answering(
        ({ method }) => method === 'tools/list',
        asStreamWithNoise(result(10, { resultType: 'complete', ...CACHE_HINTS, tools: [] })),
      ),
      'fail',
      /1 of 3/,
    ],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.stateless': [
    ['no session', mcpSite(), 'pass'],
    [
      'a session that nobody needs',
      mapped((answer) => ({ ...answer, headers: { ...answer.headers, 'mcp-session-id': 'abc' } })),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'a session that tools/list wants',
      answering(({ method }) => method === 'tools/list', rpcError(undefined, -32_000, 400)),
      'fail',
      /400/,
    ],
    [
      'a crash of tools/list',
      answering(({ method }) => method === 'tools/list', rpcError(10, -32_603, 500)),
      'not_applicable',
    ],
    ['tools/list that is not read', answering(({ method }) => method === 'tools/list', failure('timeout')), 'unknown'],
    ['no tools', served(modernServer({ discover: { capabilities: {} } })), 'not_applicable'],
    ['an older server', legacy(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.latency': [
    ['at once', mcpSite(), 'pass'],
    ['two seconds', mcpSite(), 'pass', undefined, { postMs: [2000] }],
    ['one slow answer of three', mcpSite(), 'pass', undefined, { postMs: [9000, 100] }],
    ['over two seconds', mcpSite(), 'partial', undefined, { value: 0.5, postMs: [2001] }],
    ['five seconds', mcpSite(), 'partial', undefined, { postMs: [5000] }],
    ['over five seconds', mcpSite(), 'fail', undefined, { postMs: [5001] }],
    ['a protected server', protectedSite(), 'fail', undefined, { postMs: [6000] }],
    ['no answer', served(() => failure('timeout')), 'unknown'],
    ['no MCP, slowly', silent, 'not_applicable', undefined, { postMs: [9000] }],
    ['a local site', mcpSite(), 'not_applicable', undefined, { local: true, postMs: [9000] }],
  ],
  'mcp.endpoint.cors': [
    ['all headers by name', browsers(), 'pass'],
    ['any header', browsers({ 'access-control-allow-headers': '*' }), 'pass'],
    ['one origin, its own', browsers({ 'access-control-allow-origin': 'https://app.example' }), 'pass'],
    [
      'a token behind a preflight that lets it pass',
      browsers({ 'access-control-expose-headers': 'WWW-Authenticate' }, protectedServer()),
      'pass',
    ],
    [
      'the headers of 2025',
      browsers({ 'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version' }),
      'partial',
      /mcp-method, mcp-name/,
    ],
    [
      'an older server with the headers of 2025',
      browsers({ 'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version' }, legacyServer()),
      'pass',
    ],
    [
      'leave for any origin, and for no header',
      browsers({ 'access-control-allow-headers': '' }),
      'fail',
      /mcp-protocol-version/,
    ],
    ['a challenge that scripts cannot read', browsers({}, protectedServer()), 'partial', /www-authenticate \(expose\)/],
    [
      'any header but the token, which * does not cover',
      browsers({ 'access-control-allow-headers': '*', 'access-control-expose-headers': '*' }, protectedServer()),
      'partial',
      /authorization/,
    ],
    ['no answer to OPTIONS', browsers({}, modern, text('', { status: 405 })), 'fail'],
    ['a preflight that wants a token', browsers({}, protectedServer(), text('', { status: 401 })), 'fail'],
    ['a preflight without leave', browsers({}, modern, text('', { status: 204 })), 'fail'],
    ['a preflight that is not read', browsers({}, modern, failure('timeout')), 'unknown'],
    ['no MCP behind the headers', browsers({}, () => html('<p>Welcome')), 'not_applicable'],
    ['payment first', browsers({}, () => json({}, { status: 402 })), 'not_applicable'],
    ['an endpoint that refuses us', browsers({}, () => text('', { status: 403 })), 'unknown'],
    ['no CORS', mcpSite(), 'not_applicable'],
    ['no CORS, and protected', protectedSite(), 'not_applicable'],
  ],
} satisfies Rows);

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

/** A stream with an event that no client can read before the reply. */
function asStreamWithNoise(answer: Served): Served {
  const streamed = asStream(answer);
  return { ...streamed, body: `data: {"jsonrpc": \n\n${String(streamed.body)}` };
}

/** A site whose answers and preflight carry CORS headers; `headers` replace or add to them. */
function browsers(
  headers: Readonly<Record<string, string>> = {},
  server: Server = modern,
  preflight?: SiteAnswer,
): SiteMap {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    ...headers,
  };
  const open: Server = (request) => {
    const answer = server(request);
    return 'body' in answer ? { ...answer, headers: { ...answer.headers, ...cors } } : answer;
  };
  return served(open, { 'OPTIONS /mcp': preflight ?? { status: 204, headers: cors, body: '' } });
}
