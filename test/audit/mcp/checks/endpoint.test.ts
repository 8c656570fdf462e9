import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  asStream,
  CHALLENGE,
  ENDPOINT,
  legacyServer,
  mcpSite,
  modernServer,
  protectedServer,
  protectedSite,
  result,
  rpcError,
  rpcOf,
} from '../../../support/audit/mcp-site.ts';
import { failure, html, json, notFound, type SiteAnswer, text } from '../../../support/audit/site-fetch.ts';
import { withCard, withRemotes } from '../../../support/audit/mcp-variants.ts';

/** A server whose handshake is open to any origin, and whose tools want a token. */
function openHandshake(origin: string): SiteAnswer {
  const foreign = result(3, { resultType: 'complete' }, { 'access-control-allow-origin': origin });
  const server = modernServer({ foreign });
  return (request) =>
    rpcOf(request).method === 'tools/list'
      ? json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } })
      : server(request);
}

testMcpChecks({
  'mcp.endpoint.reachable': [
    ['a modern server', mcpSite(), 'pass'],
    ['a legacy server with session and streams', mcpSite({ 'POST /mcp': legacyServer() }), 'pass'],
    ['a protected server', protectedSite(), 'pass', /protected/],
    ['a server that wants payment', mcpSite({ 'POST /mcp': json({ x402Version: 2 }, { status: 402 }) }), 'pass'],
    [
      'a modern server of another revision',
      mcpSite({ 'POST /mcp': rpcError(1, -32_022, 400, { supported: ['2027-05-01'] }) }),
      'pass',
    ],
    [
      '401 and nothing else',
      mcpSite({ 'POST /mcp': protectedServer('Basic realm="staging"') }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['HTML', mcpSite({ 'POST /mcp': html('<!doctype html><p>Welcome') }), 'fail'],
    ['404', mcpSite({ 'POST /mcp': undefined, '/mcp': notFound }), 'fail'],
    ['405', mcpSite({ 'POST /mcp': text('no', { status: 405 }) }), 'fail'],
    [
      'a redirect, which a POST must not follow',
      mcpSite({ 'POST /mcp': { status: 308, headers: {}, body: '' } }),
      'fail',
    ],
    ['JSON that is no JSON-RPC', mcpSite({ 'POST /mcp': json({ ok: true }) }), 'fail'],
    ['our request refused', mcpSite({ 'POST /mcp': text('blocked', { status: 403 }) }), 'unknown'],
    ['no answer', mcpSite({ 'POST /mcp': failure('timeout') }), 'unknown'],
    ['a gateway error', mcpSite({ 'POST /mcp': text('bad gateway', { status: 502 }) }), 'unknown'],
    [
      'an endpoint on another site',
      withRemotes({ type: 'streamable-http', url: 'https://other.example/mcp' }),
      'unknown',
    ],
    ['no declared endpoint', withCard({ remotes: undefined }), 'not_applicable'],
    ['only HTTP+SSE', withRemotes({ type: 'sse', url: ENDPOINT }), 'not_applicable'],
    [
      'a template',
      withRemotes({ type: 'streamable-http', url: 'https://{a}.site.test/mcp', variables: { a: {} } }),
      'not_applicable',
    ],
  ],
  'mcp.endpoint.modern': [
    ['the current revision', mcpSite(), 'pass'],
    [
      'the same, as a stream',
      mcpSite({
        'POST /mcp': (request) => {
          const given = modernServer()(request);
          return 'body' in given ? asStream(given) : given;
        },
      }),
      'pass',
    ],
    ['legacy only', mcpSite({ 'POST /mcp': legacyServer() }), 'partial', undefined, { value: 0.5 }],
    [
      'without resultType',
      mcpSite({ 'POST /mcp': modernServer({ discover: { resultType: undefined } }) }),
      'partial',
      /resultType/,
    ],
    ['only a later revision', mcpSite({ 'POST /mcp': modernServer({ versions: ['2027-05-01'] }) }), 'partial'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.origin': [
    ['403', mcpSite(), 'pass'],
    [
      'served as usual',
      mcpSite({ 'POST /mcp': modernServer({ foreign: result(3, { resultType: 'complete' }) }) }),
      'fail',
    ],
    ['a legacy server that serves it', mcpSite({ 'POST /mcp': legacyServer() }), 'fail'],
    ['refused with 400', mcpSite({ 'POST /mcp': modernServer({ foreign: rpcError(3, -32_000, 400) }) }), 'partial'],
    [
      'served with CORS where tools want a token',
      mcpSite({ 'POST /mcp': openHandshake('https://evil.example') }),
      'partial',
    ],
    ['not read', mcpSite({ 'POST /mcp': modernServer({ foreign: failure('timeout') }) }), 'unknown'],
    ['protected before', protectedSite(), 'not_applicable'],
  ],
  'mcp.endpoint.https': [
    ['https', mcpSite(), 'pass'],
    ['http', withRemotes({ type: 'streamable-http', url: 'http://site.test/mcp' }), 'fail'],
    ['http on another site', withRemotes({ type: 'streamable-http', url: 'http://other.example/mcp' }), 'fail'],
    ['a local site', mcpSite(), 'not_applicable', undefined, { local: true }],
    ['no endpoint', withCard({ remotes: undefined }), 'not_applicable'],
  ],
});
