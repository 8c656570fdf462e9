import { type Rows, served, testMcpChecks, withTools } from '../../../support/audit/mcp-rows.ts';
import {
  CACHE_HINTS,
  CHALLENGE,
  ENDPOINT,
  except,
  legacyServer,
  mcpSite,
  modernServer,
  protectedSite,
  result,
  type Rpc,
  rpcError,
  rpcOf,
  servedCard,
  type Server,
  tool,
} from '../../../support/audit/mcp-site.ts';
import { failure, json, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const modern = modernServer();
const isToolCall = ({ method }: Rpc): boolean => method === 'tools/call';
const isList = ({ method }: Rpc): boolean => method === 'tools/list';

const called = (answer: SiteAnswer, server: Server = modern): SiteMap => served(except(server, isToolCall, answer));
const many = (count: number, members: object = {}): SiteMap =>
  withTools(...Array.from({ length: count }, (_, index) => tool(`tool_${index}`, { ...members })));
const endless = (perPage: number): SiteMap =>
  served(
    modernServer({
      pages: Array.from({ length: 9 }, (_, page) =>
        Array.from({ length: perPage }, (__, index) => tool(`t${page}_${index}`)),
      ),
    }),
  );

const property = (schema: object): object => ({ type: 'object', properties: { region: schema } });
const input = (inputSchema: object): SiteMap => withTools(tool('a', { inputSchema }), tool('b'));
const header = (schema: object): SiteMap => input(property(schema));
const output = (outputSchema: unknown): ReturnType<typeof tool> => tool('typed', { outputSchema });

/** A server whose second tools/list shows these names instead of `search, fetch`. */
const listingAgain = (names: readonly string[]): SiteMap => {
  const again = result(24, { resultType: 'complete', ...CACHE_HINTS, tools: names.map((name) => tool(name)) });
  return served(except(modern, (rpc) => isList(rpc) && rpc.id === 24, again));
};

const offering = (capabilities: object, answers: Readonly<Record<string, SiteAnswer>>): SiteMap =>
  served((request) => {
    const { method } = rpcOf(request);
    return answers[method] ?? modernServer({ discover: { capabilities } })(request);
  });
const resources = (...list: readonly unknown[]): SiteAnswer =>
  result(26, { resultType: 'complete', ...CACHE_HINTS, resources: list });
const prompts = (...list: readonly unknown[]): SiteAnswer =>
  result(27, { resultType: 'complete', ...CACHE_HINTS, prompts: list });

const terms = {
  x402Version: 2,
  resource: { url: 'mcp://tool/search' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '10000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
    },
  ],
};
const demand = (members: object): SiteAnswer => result(25, { isError: true, content: [], ...members });
const cardWith = (...types: readonly string[]): SiteMap =>
  mcpSite({
    '/mcp/server-card': servedCard({
      remotes: types.map((type, index) => ({ type, url: `${ENDPOINT}${index || ''}` })),
    }),
  });

testMcpChecks({
  'mcp.tools.x-mcp-header': [
    ['a string', header({ type: 'string', 'x-mcp-header': 'Region' }), 'pass'],
    ['an integer or null', header({ type: ['integer', 'null'], 'x-mcp-header': 'Region' }), 'pass'],
    ['a property of a property', header(property({ type: 'boolean', 'x-mcp-header': 'Dry-Run' })), 'pass'],
    ['a number', header({ type: 'number', 'x-mcp-header': 'Region' }), 'fail', /drop 1 of 2 tools/],
    ['an object', header({ type: 'object', 'x-mcp-header': 'Region' }), 'fail'],
    ['no type', header({ 'x-mcp-header': 'Region' }), 'fail'],
    ['an empty name', header({ type: 'string', 'x-mcp-header': '' }), 'fail'],
    ['a name with a space', header({ type: 'string', 'x-mcp-header': 'My Region' }), 'fail'],
    ['a name with a line end', header({ type: 'string', 'x-mcp-header': 'A\r\nB' }), 'fail'],
    ['true instead of a name', header({ type: 'string', 'x-mcp-header': true }), 'fail'],
    [
      'two names that differ by letter case',
      input({
        type: 'object',
        properties: {
          a: { type: 'string', 'x-mcp-header': 'Region' },
          b: { type: 'string', 'x-mcp-header': 'REGION' },
        },
      }),
      'fail',
    ],
    ['inside items', header({ type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } }), 'fail'],
    ['inside anyOf', header({ anyOf: [{ type: 'string', 'x-mcp-header': 'Region' }] }), 'fail'],
    [
      'behind a reference',
      input({
        type: 'object',
        properties: { a: { $ref: '#/$defs/region' } },
        $defs: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      }),
      'fail',
    ],
    ['on the root', input({ type: 'object', 'x-mcp-header': 'Region' }), 'fail'],
    [
      'a property of that name, which is no annotation',
      input({ type: 'object', properties: { 'x-mcp-header': { type: 'string', description: 'A header.' } } }),
      'not_applicable',
    ],
    ['none', mcpSite(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.output-schema': [
    [
      'an object, and a tool without',
      withTools(output({ type: 'object', properties: { rows: { type: 'array' } } }), tool('b')),
      'pass',
      /1 of 1 output schemas are valid \(2 tools/,
    ],
    ['an array, which 2026-07-28 allows', withTools(output({ type: 'array' })), 'pass'],
    ['an array of an older server', served(legacyServer({ pages: [[output({ type: 'array' })]] })), 'fail'],
    ['one of two is null', withTools(output({ type: 'object' }), output(null)), 'partial', undefined, { value: 0.5 }],
    ['an unknown type', withTools(output({ type: 'text' })), 'fail'],
    ['none', mcpSite(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.deterministic': [
    ['the same order', mcpSite(), 'pass', /2 tool/],
    ['an older server', served(legacyServer()), 'pass'],
    ['another order', listingAgain(['fetch', 'search']), 'fail'],
    ['one tool less', listingAgain(['search']), 'partial', undefined, { value: 0.5 }],
    ['one tool more in another order', listingAgain(['fetch', 'new', 'search']), 'fail'],
    ['an error the second time', served(except(modern, (rpc) => rpc.id === 24, rpcError(24, -32_603, 500))), 'fail'],
    ['not read the second time', served(except(modern, (rpc) => rpc.id === 24, failure('timeout'))), 'unknown'],
    ['no tools', withTools(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.cache-hints': [
    ['on discovery and list', mcpSite(), 'pass', /2 of 2/],
    ['never fresh, and private', served(modernServer({ discover: { ttlMs: 0, cacheScope: 'private' } })), 'pass'],
    [
      'none on discovery',
      served(modernServer({ discover: { ttlMs: undefined, cacheScope: undefined } })),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a negative time', served(modernServer({ discover: { ttlMs: -1 } })), 'partial'],
    ['a time in words', served(modernServer({ discover: { ttlMs: '60000' } })), 'partial'],
    ['a scope of their own', served(modernServer({ discover: { cacheScope: 'shared' } })), 'partial'],
    [
      'none at all',
      served((request) => {
        const answer = modern(request);
        if (!('body' in answer) || typeof answer.body !== 'string') return answer;
        return { ...answer, body: answer.body.replaceAll('ttlMs', 'ttl').replaceAll('cacheScope', 'scope') };
      }),
      'fail',
    ],
    [
      'pages of different scopes',
      served((request) => {
        const { method, params } = rpcOf(request);
        const answer = modernServer({ pages: [[tool('a')], [tool('b')]] })(request);
        const second = method === 'tools/list' && params['cursor'] === '1';
        if (!second || !('body' in answer) || typeof answer.body !== 'string') return answer;
        return { ...answer, body: answer.body.replace('"public"', '"private"') };
      }),
      'partial',
      /cacheScope/,
    ],
    ['an older server', served(legacyServer()), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.count': [
    ['two', mcpSite(), 'pass'],
    ['forty', many(40), 'pass'],
    ['forty-one', many(41), 'partial', undefined, { value: 0.5 }],
    ['a hundred', many(100), 'partial'],
    ['a hundred and one', many(101), 'fail'],
    ['more pages than are read, of many tools', endless(21), 'fail', /At least 105/],
    ['more pages than are read', endless(1), 'unknown'],
    ['none', withTools(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.tokens': [
    ['two short tools', mcpSite(), 'pass'],
    ['long descriptions', many(10, { description: 'word '.repeat(800) }), 'partial', undefined, { value: 0.5 }],
    ['longer descriptions', many(10, { description: 'word '.repeat(1800) }), 'fail'],
    ['more pages than are read', endless(1), 'unknown'],
    ['none', withTools(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.tools.unknown-tool': [
    ['-32602', mcpSite(), 'pass'],
    ['-32602 with status 400', called(rpcError(25, -32_602, 400)), 'pass'],
    ['isError of an older server', served(legacyServer()), 'pass'],
    ['isError', called(result(25, { isError: true, content: [] })), 'partial', undefined, { value: 0.5 }],
    ['another code', called(rpcError(25, -32_601, 404)), 'partial', /-32601/],
    ['a result', called(result(25, { content: [] })), 'fail', /as if it had run/],
    ['a result of an older server', called(result(25, { content: [] }), legacyServer()), 'fail'],
    ['a crash', called(text('oops', { status: 500 })), 'fail'],
    ['not read', called(failure('timeout')), 'unknown'],
    ['payment first', called(json(terms, { status: 402 })), 'not_applicable'],
    [
      'tools behind a token',
      served(except(modern, isList, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } }))),
      'not_applicable',
    ],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.resources.list': [
    [
      'both',
      offering(
        { tools: {}, resources: {}, prompts: {} },
        {
          'resources/list': resources({ uri: 'file:///a.md', name: 'a' }, { uri: 'note:7', name: 'b' }),
          'prompts/list': prompts({ name: 'summarise' }),
        },
      ),
      'pass',
    ],
    ['an empty list', offering({ resources: {} }, { 'resources/list': resources() }), 'pass'],
    [
      'a path instead of a URI',
      offering({ resources: {} }, { 'resources/list': resources({ uri: '/a.md', name: 'a' }) }),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'a URI with a space',
      offering({ resources: {} }, { 'resources/list': resources({ uri: 'file:///a b.md', name: 'a' }) }),
      'partial',
    ],
    [
      'one of two lists',
      offering({ resources: {}, prompts: {} }, { 'resources/list': resources() }),
      'partial',
      /prompts\/list is answered 404 with error -32601/,
    ],
    ['declared, not there', offering({ prompts: {} }, {}), 'fail'],
    ['no array', offering({ prompts: {} }, { 'prompts/list': result(27, { prompts: {} }) }), 'fail'],
    ['a prompt without a name', offering({ prompts: {} }, { 'prompts/list': prompts({}) }), 'partial'],
    ['not read', offering({ prompts: {} }, { 'prompts/list': failure('timeout') }), 'unknown'],
    ['undeclared', mcpSite(), 'not_applicable'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.instructions': [
    ['a sentence', mcpSite(), 'pass'],
    ['those of an older server', served(legacyServer()), 'pass'],
    ['4,000 characters', served(modernServer({ discover: { instructions: 'x'.repeat(4000) } })), 'pass'],
    ['4,001 characters', served(modernServer({ discover: { instructions: 'x'.repeat(4001) } })), 'fail'],
    ['absent', served(modernServer({ discover: { instructions: undefined } })), 'fail'],
    ['blank', served(modernServer({ discover: { instructions: '  ' } })), 'fail'],
    ['protected', protectedSite(), 'not_applicable'],
  ],
  'mcp.legacy.sse': [
    ['beside streamable HTTP', cardWith('streamable-http', 'sse'), 'pass'],
    ['alone', cardWith('sse'), 'partial', /2025-03-26.*SEP-2596/, { value: 0.5 }],
    [
      'alone, in mcp.json',
      mcpSite({
        '/.well-known/ai-catalog.json': undefined,
        '/mcp/server-card': undefined,
        '/.well-known/mcp.json': json({ mcpServers: { a: { type: 'sse', url: '/sse' } } }),
      }),
      'partial',
    ],
    ['none', mcpSite(), 'not_applicable'],
  ],
  'mcp.pay.x402': [
    ['terms in structuredContent', called(demand({ structuredContent: terms })), 'pass'],
    [
      'terms in the text, wrapped',
      called(
        demand({ content: [{ type: 'text', text: JSON.stringify({ 'x402/error': { code: 402, data: terms } }) }] }),
      ),
      'pass',
    ],
    ['terms in _meta, as agents send', called(demand({ _meta: { 'x402/error': terms } })), 'pass'],
    ['a 402 with terms', served(() => json(terms, { status: 402 })), 'pass'],
    [
      'terms without a network',
      called(demand({ structuredContent: { ...terms, accepts: [{ ...terms.accepts[0], network: 'base' }] } })),
      'partial',
      /CAIP-2/,
    ],
    ['a 402 without terms', served(() => text('pay', { status: 402 })), 'fail'],
    [
      'another protocol',
      served(() => text('', { status: 402, headers: { 'www-authenticate': 'L402 macaroon="a"' } })),
      'not_applicable',
    ],
    ['nothing asked for', mcpSite(), 'not_applicable'],
  ],
} satisfies Rows);
