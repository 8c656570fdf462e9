import { called, served, terms } from '../../../support/audit/mcp-variants.ts';
import { testMcpChecks } from '../../../support/audit/mcp-rows.ts';
import {
  CACHE_HINTS,
  ENDPOINT,
  legacyServer,
  mcpSite,
  modernServer,
  protectedSite,
  result,
  rpcOf,
  servedCard,
} from '../../../support/audit/mcp-site.ts';
import { failure, json, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const offering = (capabilities: object, answers: Readonly<Record<string, SiteAnswer>>): SiteMap =>
  served((request) => {
    const { method } = rpcOf(request);
    return answers[method] ?? modernServer({ discover: { capabilities } })(request);
  });

const resources = (...list: readonly unknown[]): SiteAnswer =>
  result(26, { resultType: 'complete', ...CACHE_HINTS, resources: list });

const prompts = (...list: readonly unknown[]): SiteAnswer =>
  result(27, { resultType: 'complete', ...CACHE_HINTS, prompts: list });

const demand = (members: object): SiteAnswer => result(25, { isError: true, content: [], ...members });

const cardWith = (...types: readonly string[]): SiteMap =>
  mcpSite({
    '/mcp/server-card': servedCard({
      remotes: types.map((type, index) => ({ type, url: `${ENDPOINT}${index || ''}` })),
    }),
  });

testMcpChecks({
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
});
