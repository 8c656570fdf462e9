import { type Rows, served, testRows, withTools } from '../../../support/audit/mcp-rows.ts';
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

testRows({
  'mcp.tools.x-mcp-header': [
    { name: 'a string', site: header({ type: 'string', 'x-mcp-header': 'Region' }), gives: 'pass' },
    {
      name: 'an integer or null',
      site: header({ type: ['integer', 'null'], 'x-mcp-header': 'Region' }),
      gives: 'pass',
    },
    {
      name: 'a property of a property',
      site: header(property({ type: 'boolean', 'x-mcp-header': 'Dry-Run' })),
      gives: 'pass',
    },
    {
      name: 'a number',
      site: header({ type: 'number', 'x-mcp-header': 'Region' }),
      gives: 'fail',
      note: /drop 1 of 2 tools/,
    },
    { name: 'an object', site: header({ type: 'object', 'x-mcp-header': 'Region' }), gives: 'fail' },
    { name: 'no type', site: header({ 'x-mcp-header': 'Region' }), gives: 'fail' },
    { name: 'an empty name', site: header({ type: 'string', 'x-mcp-header': '' }), gives: 'fail' },
    { name: 'a name with a space', site: header({ type: 'string', 'x-mcp-header': 'My Region' }), gives: 'fail' },
    { name: 'a name with a line end', site: header({ type: 'string', 'x-mcp-header': 'A\r\nB' }), gives: 'fail' },
    { name: 'true instead of a name', site: header({ type: 'string', 'x-mcp-header': true }), gives: 'fail' },
    {
      name: 'two names that differ by letter case',
      site: input({
        type: 'object',
        properties: {
          a: { type: 'string', 'x-mcp-header': 'Region' },
          b: { type: 'string', 'x-mcp-header': 'REGION' },
        },
      }),
      gives: 'fail',
    },
    {
      name: 'inside items',
      site: header({ type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } }),
      gives: 'fail',
    },
    {
      name: 'inside anyOf',
      site: header({ anyOf: [{ type: 'string', 'x-mcp-header': 'Region' }] }),
      gives: 'fail',
    },
    {
      name: 'behind a reference',
      site: input({
        type: 'object',
        properties: { a: { $ref: '#/$defs/region' } },
        $defs: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      }),
      gives: 'fail',
    },
    {
      name: 'on the root',
      site: input({ type: 'object', 'x-mcp-header': 'Region' }),
      gives: 'fail',
    },
    {
      name: 'a property of that name, which is no annotation',
      site: input({ type: 'object', properties: { 'x-mcp-header': { type: 'string', description: 'A header.' } } }),
      gives: 'not_applicable',
    },
    { name: 'none', site: mcpSite(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.output-schema': [
    {
      name: 'an object, and a tool without',
      site: withTools(output({ type: 'object', properties: { rows: { type: 'array' } } }), tool('b')),
      gives: 'pass',
      note: /1 of 1 output schemas are valid \(2 tools/,
    },
    { name: 'an array, which 2026-07-28 allows', site: withTools(output({ type: 'array' })), gives: 'pass' },
    {
      name: 'an array of an older server',
      site: served(legacyServer({ pages: [[output({ type: 'array' })]] })),
      gives: 'fail',
    },
    {
      name: 'one of two is null',
      site: withTools(output({ type: 'object' }), output(null)),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'an unknown type', site: withTools(output({ type: 'text' })), gives: 'fail' },
    { name: 'none', site: mcpSite(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.deterministic': [
    { name: 'the same order', site: mcpSite(), gives: 'pass', note: /2 tool/ },
    { name: 'an older server', site: served(legacyServer()), gives: 'pass' },
    { name: 'another order', site: listingAgain(['fetch', 'search']), gives: 'fail' },
    { name: 'one tool less', site: listingAgain(['search']), gives: 'partial', value: 0.5 },
    { name: 'one tool more in another order', site: listingAgain(['fetch', 'new', 'search']), gives: 'fail' },
    {
      name: 'an error the second time',
      site: served(except(modern, (rpc) => rpc.id === 24, rpcError(24, -32_603, 500))),
      gives: 'fail',
    },
    {
      name: 'not read the second time',
      site: served(except(modern, (rpc) => rpc.id === 24, failure('timeout'))),
      gives: 'unknown',
    },
    { name: 'no tools', site: withTools(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.cache-hints': [
    { name: 'on discovery and list', site: mcpSite(), gives: 'pass', note: /2 of 2/ },
    {
      name: 'never fresh, and private',
      site: served(modernServer({ discover: { ttlMs: 0, cacheScope: 'private' } })),
      gives: 'pass',
    },
    {
      name: 'none on discovery',
      site: served(modernServer({ discover: { ttlMs: undefined, cacheScope: undefined } })),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'a negative time', site: served(modernServer({ discover: { ttlMs: -1 } })), gives: 'partial' },
    { name: 'a time in words', site: served(modernServer({ discover: { ttlMs: '60000' } })), gives: 'partial' },
    {
      name: 'a scope of their own',
      site: served(modernServer({ discover: { cacheScope: 'shared' } })),
      gives: 'partial',
    },
    {
      name: 'none at all',
      site: served((request) => {
        const answer = modern(request);
        if (!('body' in answer) || typeof answer.body !== 'string') return answer;
        return { ...answer, body: answer.body.replaceAll('ttlMs', 'ttl').replaceAll('cacheScope', 'scope') };
      }),
      gives: 'fail',
    },
    {
      name: 'pages of different scopes',
      site: served((request) => {
        const { method, params } = rpcOf(request);
        const answer = modernServer({ pages: [[tool('a')], [tool('b')]] })(request);
        const second = method === 'tools/list' && params['cursor'] === '1';
        if (!second || !('body' in answer) || typeof answer.body !== 'string') return answer;
        return { ...answer, body: answer.body.replace('"public"', '"private"') };
      }),
      gives: 'partial',
      note: /cacheScope/,
    },
    { name: 'an older server', site: served(legacyServer()), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.count': [
    { name: 'two', site: mcpSite(), gives: 'pass' },
    { name: 'forty', site: many(40), gives: 'pass' },
    { name: 'forty-one', site: many(41), gives: 'partial', value: 0.5 },
    { name: 'a hundred', site: many(100), gives: 'partial' },
    { name: 'a hundred and one', site: many(101), gives: 'fail' },
    { name: 'more pages than are read, of many tools', site: endless(21), gives: 'fail', note: /At least 105/ },
    { name: 'more pages than are read', site: endless(1), gives: 'unknown' },
    { name: 'none', site: withTools(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.tokens': [
    { name: 'two short tools', site: mcpSite(), gives: 'pass' },
    { name: 'long descriptions', site: many(10, { description: 'word '.repeat(800) }), gives: 'partial', value: 0.5 },
    { name: 'longer descriptions', site: many(10, { description: 'word '.repeat(1800) }), gives: 'fail' },
    { name: 'more pages than are read', site: endless(1), gives: 'unknown' },
    { name: 'none', site: withTools(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.tools.unknown-tool': [
    { name: '-32602', site: mcpSite(), gives: 'pass' },
    { name: '-32602 with status 400', site: called(rpcError(25, -32_602, 400)), gives: 'pass' },
    { name: 'isError of an older server', site: served(legacyServer()), gives: 'pass' },
    { name: 'isError', site: called(result(25, { isError: true, content: [] })), gives: 'partial', value: 0.5 },
    { name: 'another code', site: called(rpcError(25, -32_601, 404)), gives: 'partial', note: /-32601/ },
    { name: 'a result', site: called(result(25, { content: [] })), gives: 'fail', note: /as if it had run/ },
    { name: 'a result of an older server', site: called(result(25, { content: [] }), legacyServer()), gives: 'fail' },
    { name: 'a crash', site: called(text('oops', { status: 500 })), gives: 'fail' },
    { name: 'not read', site: called(failure('timeout')), gives: 'unknown' },
    { name: 'payment first', site: called(json(terms, { status: 402 })), gives: 'not_applicable' },
    {
      name: 'tools behind a token',
      site: served(except(modern, isList, json({}, { status: 401, headers: { 'www-authenticate': CHALLENGE } }))),
      gives: 'not_applicable',
    },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.resources.list': [
    {
      name: 'both',
      site: offering(
        { tools: {}, resources: {}, prompts: {} },
        {
          'resources/list': resources({ uri: 'file:///a.md', name: 'a' }, { uri: 'note:7', name: 'b' }),
          'prompts/list': prompts({ name: 'summarise' }),
        },
      ),
      gives: 'pass',
    },
    { name: 'an empty list', site: offering({ resources: {} }, { 'resources/list': resources() }), gives: 'pass' },
    {
      name: 'a path instead of a URI',
      site: offering({ resources: {} }, { 'resources/list': resources({ uri: '/a.md', name: 'a' }) }),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'a URI with a space',
      site: offering({ resources: {} }, { 'resources/list': resources({ uri: 'file:///a b.md', name: 'a' }) }),
      gives: 'partial',
    },
    {
      name: 'one of two lists',
      site: offering({ resources: {}, prompts: {} }, { 'resources/list': resources() }),
      gives: 'partial',
      note: /prompts\/list is answered 404 with error -32601/,
    },
    { name: 'declared, not there', site: offering({ prompts: {} }, {}), gives: 'fail' },
    {
      name: 'no array',
      site: offering({ prompts: {} }, { 'prompts/list': result(27, { prompts: {} }) }),
      gives: 'fail',
    },
    {
      name: 'a prompt without a name',
      site: offering({ prompts: {} }, { 'prompts/list': prompts({}) }),
      gives: 'partial',
    },
    { name: 'not read', site: offering({ prompts: {} }, { 'prompts/list': failure('timeout') }), gives: 'unknown' },
    { name: 'undeclared', site: mcpSite(), gives: 'not_applicable' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.instructions': [
    { name: 'a sentence', site: mcpSite(), gives: 'pass' },
    { name: 'those of an older server', site: served(legacyServer()), gives: 'pass' },
    {
      name: '4,000 characters',
      site: served(modernServer({ discover: { instructions: 'x'.repeat(4000) } })),
      gives: 'pass',
    },
    {
      name: '4,001 characters',
      site: served(modernServer({ discover: { instructions: 'x'.repeat(4001) } })),
      gives: 'fail',
    },
    { name: 'absent', site: served(modernServer({ discover: { instructions: undefined } })), gives: 'fail' },
    { name: 'blank', site: served(modernServer({ discover: { instructions: '  ' } })), gives: 'fail' },
    { name: 'protected', site: protectedSite(), gives: 'not_applicable' },
  ],
  'mcp.legacy.sse': [
    { name: 'beside streamable HTTP', site: cardWith('streamable-http', 'sse'), gives: 'pass' },
    { name: 'alone', site: cardWith('sse'), gives: 'partial', value: 0.5, note: /2025-03-26.*SEP-2596/ },
    {
      name: 'alone, in mcp.json',
      site: mcpSite({
        '/.well-known/ai-catalog.json': undefined,
        '/mcp/server-card': undefined,
        '/.well-known/mcp.json': json({ mcpServers: { a: { type: 'sse', url: '/sse' } } }),
      }),
      gives: 'partial',
    },
    { name: 'none', site: mcpSite(), gives: 'not_applicable' },
  ],
  'mcp.pay.x402': [
    { name: 'terms in structuredContent', site: called(demand({ structuredContent: terms })), gives: 'pass' },
    {
      name: 'terms in the text, wrapped',
      site: called(
        demand({ content: [{ type: 'text', text: JSON.stringify({ 'x402/error': { code: 402, data: terms } }) }] }),
      ),
      gives: 'pass',
    },
    { name: 'terms in _meta, as agents send', site: called(demand({ _meta: { 'x402/error': terms } })), gives: 'pass' },
    { name: 'a 402 with terms', site: served(() => json(terms, { status: 402 })), gives: 'pass' },
    {
      name: 'terms without a network',
      site: called(demand({ structuredContent: { ...terms, accepts: [{ ...terms.accepts[0], network: 'base' }] } })),
      gives: 'partial',
      note: /CAIP-2/,
    },
    { name: 'a 402 without terms', site: served(() => text('pay', { status: 402 })), gives: 'fail' },
    {
      name: 'another protocol',
      site: served(() => text('', { status: 402, headers: { 'www-authenticate': 'L402 macaroon="a"' } })),
      gives: 'not_applicable',
    },
    { name: 'nothing asked for', site: mcpSite(), gives: 'not_applicable' },
  ],
} satisfies Rows);
