import { expect, test } from 'vitest';
import { hasStackTrace } from '../../../../src/audit/api/facts/http-behaviour.ts';
import { type Rows, served, testRows } from '../../../support/audit/mcp-rows.ts';
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

testRows({
  'mcp.endpoint.legacy': [
    { name: 'a server of both eras', site: mcpSite(), gives: 'pass' },
    { name: 'a server of the older era alone', site: legacy(), gives: 'pass' },
    { name: 'one that answers with an older version', site: legacy({ protocolVersion: '2025-06-18' }), gives: 'pass' },
    {
      name: 'a refusal',
      site: answering(isInitialize, rpcError(2, -32_020, 400)),
      gives: 'partial',
      value: 0.5,
      note: /400 with error -32020/,
    },
    {
      name: 'no serverInfo',
      site: answering(isInitialize, result(2, { protocolVersion: '2025-11-25', capabilities: {} })),
      gives: 'partial',
      note: /serverInfo/,
    },
    { name: 'no answer', site: answering(isInitialize, failure('timeout')), gives: 'unknown' },
    { name: 'a block', site: answering(isInitialize, text('blocked', { status: 429 })), gives: 'unknown' },
    {
      name: 'a token for older clients alone',
      site: answering(isInitialize, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })),
      gives: 'not_applicable',
    },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
    { name: 'no MCP', site: silent, gives: 'not_applicable' },
  ],
  'mcp.endpoint.version-error': [
    { name: '400, -32022 and the list', site: mcpSite(), gives: 'pass' },
    {
      name: 'the same as a stream',
      site: answering(isVersion, asStream(rpcError(20, -32_022, 400, { supported: ['2026-07-28'] }))),
      gives: 'pass',
    },
    { name: '400 of an older server', site: legacy(), gives: 'pass' },
    { name: 'no list', site: answering(isVersion, rpcError(20, -32_022, 400)), gives: 'partial', note: /list/ },
    {
      name: 'status 200',
      site: answering(isVersion, rpcError(20, -32_022, 200, { supported: ['2026-07-28'] })),
      gives: 'fail',
    },
    {
      name: 'status 422',
      site: answering(isVersion, rpcError(20, -32_022, 422, { supported: ['2026-07-28'] })),
      gives: 'partial',
      note: /status 400/,
    },
    { name: 'another code', site: answering(isVersion, rpcError(20, -32_600, 400)), gives: 'partial', note: /-32022/ },
    { name: 'served', site: answering(isVersion, result(20, { resultType: 'complete' })), gives: 'fail' },
    { name: 'a crash', site: answering(isVersion, text('oops', { status: 500 })), gives: 'fail' },
    { name: 'served by an older server', site: legacyAnswering(isVersion, result(20, {})), gives: 'fail' },
    { name: 'a gateway error', site: answering(isVersion, text('', { status: 503 })), gives: 'unknown' },
    { name: 'not read', site: answering(isVersion, failure('timeout')), gives: 'unknown' },
    {
      name: 'a revision before the header',
      site: legacy({ protocolVersion: '2025-03-26' }),
      gives: 'not_applicable',
    },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
    {
      name: 'a server of a revision to come',
      site: served(() => rpcError(1, -32_022, 400, { supported: ['2027-05-01'] })),
      gives: 'not_applicable',
    },
  ],
  'mcp.endpoint.header-mismatch': [
    { name: '400 and -32020', site: mcpSite(), gives: 'pass' },
    { name: 'another code', site: answering(isMismatch, rpcError(21, -32_600, 400)), gives: 'partial', value: 0.5 },
    { name: 'another status', site: answering(isMismatch, rpcError(21, -32_020, 422)), gives: 'partial' },
    { name: 'served', site: answering(isMismatch, result(21, { resultType: 'complete' })), gives: 'fail' },
    { name: 'a crash', site: answering(isMismatch, text('oops', { status: 500 })), gives: 'fail' },
    { name: 'a block', site: answering(isMismatch, text('blocked', { status: 403 })), gives: 'unknown' },
    { name: 'an older server', site: legacy(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
    { name: 'paid', site: paid, gives: 'not_applicable' },
  ],
  'mcp.endpoint.unknown-method': [
    { name: '404 and -32601', site: mcpSite(), gives: 'pass' },
    { name: 'status 200 of an older server', site: legacy(), gives: 'pass' },
    {
      name: 'status 404 of an older server',
      site: legacyAnswering(isUnknown, rpcError(22, -32_601, 404)),
      gives: 'pass',
    },
    { name: 'status 200', site: answering(isUnknown, rpcError(22, -32_601, 200)), gives: 'partial', value: 0.5 },
    {
      name: 'status 500 of an older server',
      site: legacyAnswering(isUnknown, rpcError(22, -32_601, 500)),
      gives: 'partial',
    },
    { name: 'another code', site: answering(isUnknown, rpcError(22, -32_600, 404)), gives: 'fail', note: /-32600/ },
    { name: 'a plain 404', site: answering(isUnknown, notFound), gives: 'fail' },
    { name: 'a result', site: answering(isUnknown, result(22, {})), gives: 'fail' },
    { name: 'not read', site: answering(isUnknown, failure('body_failed')), gives: 'unknown' },
    {
      name: 'a token for all but discovery',
      site: answering(isUnknown, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })),
      gives: 'not_applicable',
    },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.endpoint.bad-json': [
    { name: '400 and -32700', site: mcpSite(), gives: 'pass' },
    { name: 'an older server', site: legacy(), gives: 'pass' },
    { name: 'an id of the server, as the Python SDK sends', site: answering(isBroken, oldError), gives: 'pass' },
    { name: 'another code', site: answering(isBroken, rpcError(undefined, -32_600, 400)), gives: 'partial' },
    {
      name: 'a plain 400',
      site: answering(isBroken, text('bad request', { status: 400 })),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'status 200 with the code',
      site: answering(isBroken, rpcError(undefined, -32_700, 200)),
      gives: 'partial',
    },
    { name: 'a crash', site: answering(isBroken, text('oops', { status: 500 })), gives: 'fail' },
    { name: 'accepted', site: answering(isBroken, json({ ok: true })), gives: 'fail' },
    {
      name: 'a stack trace',
      site: answering(
        isBroken,
        text('SyntaxError: x\n    at JSON.parse (<anonymous>)\n    at read (/srv/app/server.js:10:14)', {
          status: 400,
        }),
      ),
      gives: 'fail',
      note: /stack trace/,
    },
    {
      name: 'a traceback in JSON',
      site: answering(
        isBroken,
        json(
          { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Traceback (most recent call last):\n' } },
          { status: 400 },
        ),
      ),
      gives: 'fail',
    },
    { name: 'not read', site: answering(isBroken, failure('connection_failed')), gives: 'unknown' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.endpoint.get-behaviour': [
    { name: '405', site: mcpSite(), gives: 'pass' },
    { name: 'a stream for older clients', site: served(modern, { '/mcp': stream }), gives: 'pass' },
    { name: 'a stream of an older server', site: served(legacyServer(), { '/mcp': stream }), gives: 'pass' },
    {
      name: '400 where a session is missing',
      site: served(legacyServer(), { '/mcp': rpcError(undefined, -32_000, 400) }),
      gives: 'pass',
    },
    { name: 'a stream of the current revision alone', site: get(stream), gives: 'partial', value: 0.5 },
    { name: '400 without sessions', site: get(rpcError(undefined, -32_000, 400)), gives: 'partial' },
    { name: '404', site: get(notFound), gives: 'partial' },
    { name: 'JSON', site: get(json({ name: 'archive' })), gives: 'partial' },
    { name: 'JSON of an older server', site: get(json({ name: 'archive' }), legacyServer()), gives: 'fail' },
    {
      name: 'a web page',
      site: get(html('<!doctype html><p>Welcome')),
      gives: 'fail',
      note: /200 with a page of HTML/,
    },
    { name: 'a web page beside an older era', site: served(modern, { '/mcp': html('<p>Hello') }), gives: 'fail' },
    { name: 'a crash', site: get(text('oops', { status: 500 })), gives: 'fail' },
    { name: 'not read', site: get(failure('timeout')), gives: 'unknown' },
    { name: 'a block', site: get(text('', { status: 429 })), gives: 'unknown' },
    { name: 'a token for listening', site: get(text('', { status: 401 })), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.endpoint.accept': [
    { name: 'JSON', site: mcpSite(), gives: 'pass', note: /3 as JSON, 0 as event streams/ },
    {
      name: 'streams that no proxy holds back, the first event without data',
      site: mapped((answer) => asStream({ ...answer, headers: { ...answer.headers, 'x-accel-buffering': 'No' } })),
      gives: 'pass',
      note: /1 as JSON, 2 as event streams/,
    },
    { name: 'streams of an older server', site: legacy(), gives: 'pass', note: /2 as event streams/ },
    {
      name: 'JSON with a charset',
      site: mapped((answer) => ({ ...answer, headers: { 'content-type': 'Application/JSON; charset=utf-8' } })),
      gives: 'pass',
    },
    { name: 'streams that a proxy may hold back', site: mapped(asStream), gives: 'partial', note: /X-Accel-Buffering/ },
    {
      name: 'JSON under another name',
      site: mapped((answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
      gives: 'fail',
      note: /2 of 3/,
    },
    {
      name: 'a stream with an event that is no JSON',
      site: answering(
        ({ method }) => method === 'tools/list',
        asStreamWithNoise(result(10, { resultType: 'complete', ...CACHE_HINTS, tools: [] })),
      ),
      gives: 'fail',
      note: /1 of 3/,
    },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.endpoint.stateless': [
    { name: 'no session', site: mcpSite(), gives: 'pass' },
    {
      name: 'a session that nobody needs',
      site: mapped((answer) => ({ ...answer, headers: { ...answer.headers, 'mcp-session-id': 'abc' } })),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'a session that tools/list wants',
      site: answering(({ method }) => method === 'tools/list', rpcError(undefined, -32_000, 400)),
      gives: 'fail',
      note: /400/,
    },
    {
      name: 'a crash of tools/list',
      site: answering(({ method }) => method === 'tools/list', rpcError(10, -32_603, 500)),
      gives: 'not_applicable',
    },
    {
      name: 'tools/list that is not read',
      site: answering(({ method }) => method === 'tools/list', failure('timeout')),
      gives: 'unknown',
    },
    { name: 'no tools', site: served(modernServer({ discover: { capabilities: {} } })), gives: 'not_applicable' },
    { name: 'an older server', site: legacy(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.endpoint.latency': [
    { name: 'at once', site: mcpSite(), gives: 'pass' },
    { name: 'two seconds', site: mcpSite(), postMs: [2000], gives: 'pass' },
    { name: 'one slow answer of three', site: mcpSite(), postMs: [9000, 100], gives: 'pass' },
    { name: 'over two seconds', site: mcpSite(), postMs: [2001], gives: 'partial', value: 0.5 },
    { name: 'five seconds', site: mcpSite(), postMs: [5000], gives: 'partial' },
    { name: 'over five seconds', site: mcpSite(), postMs: [5001], gives: 'fail' },
    { name: 'a protected server', site: protectedSite(), postMs: [6000], gives: 'fail' },
    { name: 'no answer', site: served(() => failure('timeout')), gives: 'unknown' },
    { name: 'no MCP, slowly', site: silent, postMs: [9000], gives: 'not_applicable' },
    { name: 'a local site', site: mcpSite(), local: true, postMs: [9000], gives: 'not_applicable' },
  ],
  'mcp.endpoint.cors': [
    { name: 'all headers by name', site: browsers(), gives: 'pass' },
    { name: 'any header', site: browsers({ 'access-control-allow-headers': '*' }), gives: 'pass' },
    {
      name: 'one origin, its own',
      site: browsers({ 'access-control-allow-origin': 'https://app.example' }),
      gives: 'pass',
    },
    {
      name: 'a token behind a preflight that lets it pass',
      site: browsers({ 'access-control-expose-headers': 'WWW-Authenticate' }, protectedServer()),
      gives: 'pass',
    },
    {
      name: 'the headers of 2025',
      site: browsers({ 'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version' }),
      gives: 'partial',
      note: /mcp-method, mcp-name/,
    },
    {
      name: 'an older server with the headers of 2025',
      site: browsers({ 'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version' }, legacyServer()),
      gives: 'pass',
    },
    {
      name: 'leave for any origin, and for no header',
      site: browsers({ 'access-control-allow-headers': '' }),
      gives: 'fail',
      note: /mcp-protocol-version/,
    },
    {
      name: 'a challenge that scripts cannot read',
      site: browsers({}, protectedServer()),
      gives: 'partial',
      note: /www-authenticate \(expose\)/,
    },
    {
      name: 'any header but the token, which * does not cover',
      site: browsers({ 'access-control-allow-headers': '*', 'access-control-expose-headers': '*' }, protectedServer()),
      gives: 'partial',
      note: /authorization/,
    },
    { name: 'no answer to OPTIONS', site: browsers({}, modern, text('', { status: 405 })), gives: 'fail' },
    {
      name: 'a preflight that wants a token',
      site: browsers({}, protectedServer(), text('', { status: 401 })),
      gives: 'fail',
    },
    { name: 'a preflight without leave', site: browsers({}, modern, text('', { status: 204 })), gives: 'fail' },
    { name: 'a preflight that is not read', site: browsers({}, modern, failure('timeout')), gives: 'unknown' },
    { name: 'no MCP behind the headers', site: browsers({}, () => html('<p>Welcome')), gives: 'not_applicable' },
    { name: 'payment first', site: browsers({}, () => json({}, { status: 402 })), gives: 'not_applicable' },
    { name: 'an endpoint that refuses us', site: browsers({}, () => text('', { status: 403 })), gives: 'unknown' },
    { name: 'no CORS', site: mcpSite(), gives: 'not_applicable' },
    { name: 'no CORS, and protected', site: protectedSite(), gives: 'not_applicable' },
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
