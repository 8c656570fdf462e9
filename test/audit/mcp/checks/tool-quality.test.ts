import { called, modern, served, terms, withTools } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  CACHE_HINTS,
  CHALLENGE,
  except,
  legacyServer,
  mcpSite,
  modernServer,
  protectedSite,
  result,
  type Rpc,
  rpcError,
  rpcOf,
  tool,
} from '../../../support/audit/mcp-site.ts';
import { failure, json, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const isList = ({ method }: Rpc): boolean => method === 'tools/list';

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
});
