import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CATALOG_ENTRIES, readAiCatalog } from '../../../src/audit/agent-files/facts/ai-catalog.ts';
import { isJsonRecord, MAX_ISSUES } from '../../../src/audit/structured-data/facts/json-document.ts';
import {
  readResourceMetadata,
  readServerMetadata,
  classifyResourceFit,
  listResourceMetadataUrls,
  listServerMetadataUrls,
} from '../../../src/audit/mcp/facts/auth.ts';
import { MAX_DECLARED_ENDPOINTS, readMcpJson } from '../../../src/audit/mcp/facts/json.ts';
import { MAX_SSE_EVENTS, readRpcReply, listSseData } from '../../../src/audit/mcp/facts/messages.ts';
import { connectMention, readRegistryProof } from '../../../src/audit/mcp/facts/advertised.ts';
import { readParamHeaders, readTools } from '../../../src/audit/mcp/facts/tools.ts';
import { hasStackTrace } from '../../../src/audit/api/facts/http-behaviour.ts';
import { MAX_SUBSCHEMAS } from '../../../src/audit/mcp/facts/tool-schema.ts';
import { findSecrets, MAX_SECRETS } from '../../../src/audit/hidden-text/facts/secrets.ts';
import { MAX_CARD_REMOTES, readServerCard } from '../../../src/audit/mcp/facts/server-card.ts';
import { MAX_CHALLENGES, parseChallenges } from '../../../src/audit/mcp/facts/www-authenticate.ts';
import { judgeMcp } from '../../support/audit/mcp-rows.ts';
import { card as soundCard, mcpSite, result as resultOf, rpcOf } from '../../support/audit/mcp-site.ts';
import { json, siteFetch, text } from '../../support/audit/site-fetch.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const quote = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
const headerText = fc.string({
  unit: fc.constantFrom(...Array.from('Bearer resource_metadata="https://a/", \\=\t~')),
  maxLength: 300,
});
const streamText = fc.string({
  unit: fc.constantFrom('data', ':', ' ', '\n', '\r', '{', '}', '"jsonrpc":"2.0"', ',', '"id":1', 'event', '\uFEFF'),
  maxLength: 300,
});
const memberNames = [
  '$schema',
  'name',
  'version',
  'description',
  'remotes',
  'type',
  'url',
  'headers',
  'variables',
  'isSecret',
  'value',
  'entries',
  'identifier',
  'servers',
  'mcpServers',
  'transport',
  'endpoint',
  'resource',
  'authorization_servers',
  'issuer',
  'inputSchema',
  'properties',
  'required',
  '$ref',
  '__proto__',
  'constructor',
  'outputSchema',
  'x-mcp-header',
  'icons',
  'src',
  'tools',
  'resources',
  'prompts',
  'instructions',
  'ttlMs',
  'cacheScope',
  'isError',
  'structuredContent',
  'content',
  'accepts',
  '_meta',
  'x402/error',
  'scopes_supported',
  'bearer_methods_supported',
];
const anyDocument = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      '',
      'https://a.test/mcp',
      '{x}',
      'object',
      '#/a',
      '^1',
      'sk-aB3dE5fG7hJ9kL1mN3pQ5rS7',
    ),
    fc.string(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...memberNames), tie('value'), { maxKeys: 6 }),
  ),
})).value;

describe('parsers of what a site sends never throw', () => {
  test('WWW-Authenticate', () => {
    fc.assert(
      fc.property(fc.oneof(headerText, fc.string()), (header) => {
        const challenges = parseChallenges(header);
        expect(challenges.length).toBeLessThanOrEqual(MAX_CHALLENGES);
        for (const { scheme, params } of challenges) {
          expect(scheme).toBe(scheme.toLowerCase());
          for (const name of params.keys()) expect(name).toBe(name.toLowerCase());
        }
      }),
    );
  });

  test('a well formed challenge keeps its parameters whatever their values', () => {
    const value = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    });
    fc.assert(
      fc.property(value, value, (realm, scope) => {
        const [challenge, other] = parseChallenges(
          `Bearer realm=${quote(realm)}, scope=${quote(scope)}, Basic realm="x"`,
        );
        expect(challenge?.params.get('realm')).toBe(realm);
        expect(challenge?.params.get('scope')).toBe(scope);
        expect(challenge?.malformed).toBe(false);
        expect(other?.scheme).toBe('basic');
      }),
    );
  });

  test('event streams', () => {
    fc.assert(
      fc.property(fc.oneof(streamText, fc.string()), (body) => {
        expect(listSseData(body).every((data) => data.trim() !== '')).toBe(true);
        expect(readRpcReply(body, 'text/event-stream', 1).kind).toMatch(/^(?:result|error|none)$/);
        expect(readRpcReply(body, 'application/json', 1).kind).toMatch(/^(?:result|error|none)$/);
      }),
    );
  });

  test('a message sent as a stream is read back, whatever line ends and chunks of data carry it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.constantFrom('\n', '\r', '\r\n'), (members, end) => {
        const result: unknown = JSON.parse(JSON.stringify(members));
        const lines = JSON.stringify({ jsonrpc: '2.0', id: 7, result }, null, 1)
          .split('\n')
          .map((line) => `data: ${line}`);
        const body = ['data:', '', ': comment', '', ...lines, '', ''].join(end);
        expect(readRpcReply(body, 'text/event-stream', 7)).toEqual({ kind: 'result', result, via: 'sse' });
      }),
    );
  });

  test('cards, catalogs, mcp.json, tools and metadata', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const card = readServerCard(document);
        expect(card.issues.length).toBeLessThanOrEqual(MAX_ISSUES);
        expect(card.remotes.length).toBeLessThanOrEqual(MAX_CARD_REMOTES);
        expect(readAiCatalog(document).entries.length).toBeLessThanOrEqual(MAX_CATALOG_ENTRIES);
        expect(readMcpJson(document, 'https://a.test/').endpoints.length).toBeLessThanOrEqual(MAX_DECLARED_ENDPOINTS);
        expect(findSecrets(document).length).toBeLessThanOrEqual(MAX_SECRETS);
        expect(readTools([document, document]).length).toBe(2);
        readResourceMetadata(document);
        readServerMetadata(document);
      }),
      { numRuns: budgetFor(60, 300) },
    );
  });

  test('URLs of metadata', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), fc.webUrl(), (one, other) => {
        for (const url of [...listResourceMetadataUrls(one), ...listServerMetadataUrls(one)])
          expect(URL.canParse(url)).toBe(true);
        expect(['exact', 'prefix', 'other']).toContain(classifyResourceFit(one, other));
      }),
    );
  });

  test('a whole audit of a site that answers anything', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, headerText, fc.constantFrom(200, 401, 404), async (document, header, status) => {
        const headers = { 'content-type': 'application/json', 'www-authenticate': header };
        const anything = text(JSON.stringify(document) ?? '', { status, headers });
        const fetch = siteFetch(
          mcpSite({ 'POST /mcp': anything, '/.well-known/mcp.json': anything, '/mcp/server-card': anything }),
        );
        const { outcomes } = await judgeMcp({}, { fetch });
        for (const { value } of Object.values(outcomes)) expect(value >= 0 && value <= 1).toBe(true);
      }),
      { numRuns: budgetFor(20, 60) },
    );
  });

  test('a whole audit of a server that answers every request with anything as its result', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, anyDocument, fc.constantFrom(200, 402, 500), async (document, error, status) => {
        const site = mcpSite({
          '/mcp/server-card': json(isJsonRecord(document) ? { ...soundCard(), ...document } : document),
          '/.well-known/mcp-registry-auth': text(JSON.stringify(error) ?? ''),
          'OPTIONS /mcp': text('', {
            status: 204,
            headers: { 'access-control-allow-headers': JSON.stringify(error) ?? '' },
          }),
          'POST /mcp': (request) => {
            const { method, id } = rpcOf(request);
            const open = { 'access-control-allow-origin': '*' };
            const members = isJsonRecord(document) ? document : {};
            if (method === 'tools/call') return json({ jsonrpc: '2.0', id, result: members, error }, { status });
            const known = {
              supportedVersions: ['2026-07-28'],
              capabilities: { tools: {}, resources: {}, prompts: {} },
            };
            return resultOf(id, { ...known, tools: [members, error], ...members }, open);
          },
        });
        const { outcomes, snapshot } = await judgeMcp(site);
        for (const { value } of Object.values(outcomes)) expect(value >= 0 && value <= 1).toBe(true);
        expect((await judgeMcp(structuredClone(snapshot))).outcomes).toEqual(outcomes);
      }),
      { numRuns: budgetFor(20, 100) },
    );
  });
});

/** Work grows with the input, not with its square: what would take minutes if it did must end within the test's time. */
describe('hostile sizes end', () => {
  const size = 1_000_000;

  test.each([
    ['quotes', `Bearer realm="${'\\"'.repeat(size)}`],
    ['commas', ','.repeat(size)],
    ['schemes', 'a '.repeat(size)],
    ['equals signs', `Bearer ${'a='.repeat(size)}`],
    ['spaces', `Bearer a${' '.repeat(size)}b`],
  ])('a WWW-Authenticate of a million %s', (_, header) => {
    expect(parseChallenges(header).length).toBeLessThanOrEqual(MAX_CHALLENGES);
  });

  test.each([
    ['empty events', 'data:\n\n'.repeat(size)],
    ['events', 'data: x\n\n'.repeat(size)],
    ['lines of data', `${'data: x\n'.repeat(size)}\n`],
    ['carriage returns', '\r'.repeat(size)],
    ['bytes without a line end', 'data: '.padEnd(size, 'x')],
  ])('an event stream of a million %s', (_, body) => {
    expect(listSseData(body).length).toBeLessThanOrEqual(MAX_SSE_EVENTS);
  });

  test.each([
    ['frames', 'at a (b:1:1'.repeat(size)],
    ['at', 'at '.repeat(size)],
    ['words', `at ${'x'.repeat(size)}`],
    ['slashes', `#1 /${'/'.repeat(size)}`],
  ])('an error page of a million %s', (_, body) => {
    expect(hasStackTrace(body)).toBe(false);
  });

  test.each([
    ['addresses', 'MCP a.test/mcp2 '.repeat(size)],
    ['spaces', `MCP mcpServers${' '.repeat(size)}`],
  ])('a page of a million %s', (_, body) => {
    expect(connectMention(body, ['https://a.test/mcp'])).toBeUndefined();
  });

  test('a proof of a million characters', () => {
    expect(readRegistryProof(`v=MCPv1; k=${' '.repeat(size)}`).state).toBe('broken');
  });

  test('a schema of a hundred thousand annotations', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: 'string', 'x-mcp-header': 'Same' }]),
    );
    const { annotations, issues } = readParamHeaders({ type: 'object', properties: many });
    expect(annotations).toBeLessThanOrEqual(MAX_SUBSCHEMAS);
    expect(issues.length).toBe(MAX_ISSUES);
  });

  const deep: unknown = JSON.parse('{"properties":{"a":'.repeat(2000) + '{}' + '}}'.repeat(2000));
  test.each([
    ['a deep one', deep],
    [
      'a wide one',
      {
        remotes: Array.from({ length: 100_000 }, () => ({ type: 'x', url: 'y' })),
        entries: Array.from({ length: 100_000 }, () => 1),
      },
    ],
    [
      'long strings',
      {
        name: 'a/'.repeat(size),
        version: '1 - '.repeat(size),
        url: `https://${'{'.repeat(size)}`,
        description: 'x'.repeat(size),
        headers: { k: 'a1_'.repeat(size) },
      },
    ],
  ])('a document: %s', (_, document) => {
    expect(readServerCard(document).issues.length).toBeGreaterThan(0);
    readAiCatalog(document);
    readMcpJson(document, 'https://a.test/');
    findSecrets(document);
    readTools([{ name: 'a', inputSchema: document }]);
  });
});
