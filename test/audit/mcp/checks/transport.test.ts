import { answering, isInitialize, legacy, modern, served, silent } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  asStream,
  CACHE_HINTS,
  except,
  legacyServer,
  mcpSite,
  modernServer,
  protectedServer,
  protectedSite,
  result,
  rpcError,
  rpcOf,
  type Server,
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

const get = (answer: SiteAnswer, server: Server = except(modern, isInitialize, rpcError(2, -32_020, 400))): SiteMap =>
  served(server, { '/mcp': answer });

const stream: Served = { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' };

const mapped = (change: (answer: Served) => SiteAnswer, server: Server = modern): SiteMap =>
  served((request) => {
    const answer = server(request);
    return 'body' in answer && !isInitialize(rpcOf(request)) ? change(answer) : answer;
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

testMcpChecks({
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
});
