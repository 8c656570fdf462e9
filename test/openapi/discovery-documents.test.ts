import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serverJson } from '../../scripts/generate-docs.ts';
import { readAiCatalog } from '../../src/audit/agent-files/facts/ai-catalog.ts';
import { readMcpJson } from '../../src/audit/mcp/facts/json.ts';
import { readServerCard } from '../../src/audit/mcp/facts/server-card.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { MCP_VERSIONS, listMcpUrls, formatRegistryName, service } from '../../src/capabilities/service.ts';
import { aiCatalogSchema } from '../../src/fixes/files/ai-catalog.ts';
import { buildAiCatalog, buildApiCatalog, buildMcpDiscovery } from '../../src/openapi/discovery-documents.ts';
import { buildRegistryServer, buildServerCard } from '../../src/openapi/registry-server.ts';
import { formatServiceLlmsTxt, formatServiceRobotsTxt } from '../../src/openapi/service-texts.ts';

const BASE = 'https://audits.example.com';
const OPEN = 'https://audits.example.com/mcp';
const ACCOUNT = 'https://audits.example.com/mcp-account';
const root = new URL('../../', import.meta.url);
/** As clients get it. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the facts of the service', () => {
  test('have the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
    expect(service.version).toBe(version);
  });

  test('have a description that Server Card and registry take: 1 to 100 characters', () => {
    expect(service.description.length).toBeGreaterThan(20);
    expect(service.description.length).toBeLessThanOrEqual(100);
  });

  test('name the endpoints without a slash at the end, as canonical resource URIs are', () => {
    expect(listMcpUrls(BASE)).toEqual({ open: OPEN, account: ACCOUNT });
  });

  test.each([
    ['https://audits.example.com', 'com.example.audits/sightline'],
    ['https://example.com:8443', 'com.example/sightline'],
    ['http://127.0.0.1:8787', 'localhost/sightline'],
    ['http://[::1]:8787', 'localhost/sightline'],
    ['http://localhost:8787', 'localhost/sightline'],
  ])('are listed for %s as %s', (baseUrl, name) => expect(formatRegistryName(baseUrl)).toBe(name));
});

describe('the Server Cards', () => {
  test.each([
    ['open', OPEN],
    ['account', ACCOUNT],
  ] as const)('of the %s endpoint is valid, names it alone and lists no tools', (endpoint, url) => {
    const card = sent(buildServerCard(BASE, endpoint));
    const read = readServerCard(card);
    expect(read.issues).toEqual([]);
    expect(read.name).toBe('com.example.audits/sightline');
    expect(read.remotes).toEqual([
      { type: 'streamable-http', url, declared: [], versions: ['2026-07-28', '2025-11-25', '2025-06-18'] },
    ]);
    expect(Object.keys(card as object)).toEqual([
      '$schema',
      'name',
      'version',
      'description',
      'title',
      'websiteUrl',
      'remotes',
    ]);
  });

  test('only that of the protected endpoint asks for a header, and tells no value', () => {
    const headers = (endpoint: 'open' | 'account') =>
      z
        .object({ remotes: z.tuple([z.looseObject({ headers: z.unknown().optional() })]) })
        .parse(buildServerCard(BASE, endpoint)).remotes[0].headers;
    expect(headers('open')).toBeUndefined();
    expect(headers('account')).toMatchObject([
      { name: 'Authorization', isRequired: true, isSecret: true, value: 'Bearer {token}' },
    ]);
  });
});

describe('mcp.json', () => {
  const document = sent(buildMcpDiscovery(BASE));

  test('is a valid Server Card with both endpoints, and names them to readers of the older forms', () => {
    expect(readServerCard(document).issues).toEqual([]);
    const { shapes, endpoints } = readMcpJson(document, `${BASE}/.well-known/mcp.json`);
    expect(shapes).toEqual(['remotes', 'transport']);
    expect(new Set(endpoints.map(({ url }) => url))).toEqual(new Set([OPEN, ACCOUNT]));
  });

  test('says of each endpoint whether it asks for a token: the open one does not', () => {
    expect(document).toMatchObject({
      transport: { type: 'streamable-http', endpoint: OPEN },
      authentication: { required: false, schemes: [] },
      remotes: [
        { url: OPEN, authentication: { required: false, schemes: [] } },
        {
          url: ACCOUNT,
          authentication: {
            required: true,
            schemes: ['oauth2', 'bearer'],
            resourceMetadata: `${BASE}/.well-known/oauth-protected-resource/mcp-account`,
          },
        },
      ],
    });
  });

  test('is no settings file of a client, and lists no tools', () => {
    for (const name of ['mcpServers', 'servers', 'tools', 'resources', 'prompts'])
      expect(document).not.toHaveProperty(name);
  });
});

describe('the catalogues', () => {
  test('the AI Catalog lists the cards of both MCP endpoints, that without a token first, and the agent card', () => {
    const document = sent(buildAiCatalog(BASE));
    expect(aiCatalogSchema.safeParse(document).error).toBeUndefined();
    const { issues, warnings, entries } = readAiCatalog(document);
    expect([...issues, ...warnings]).toEqual([]);
    expect(entries.map(({ identifier, url }) => [identifier, url])).toEqual([
      ['urn:air:audits.example.com:mcp:sightline', `${OPEN}/server-card`],
      ['urn:air:audits.example.com:mcp:sightline-account', `${ACCOUNT}/server-card`],
      ['urn:air:audits.example.com:a2a:sightline', `${BASE}/.well-known/agent-card.json`],
    ]);
  });

  test('an address with colons does not break the URN', () => {
    expect(readAiCatalog(sent(buildAiCatalog('http://[::1]:8787'))).entries[0]?.identifier).toBe(
      'urn:air:---1-:mcp:sightline',
    );
  });

  test('the API catalog (RFC 9727) has an anchor and a description for the HTTP interface, both MCP endpoints and the A2A endpoint', () => {
    const link = z.object({ href: z.url(), type: z.string() });
    const { linkset } = z
      .object({ linkset: z.array(z.object({ anchor: z.url() }).catchall(z.array(link).min(1))) })
      .parse(sent(buildApiCatalog(BASE)));
    expect(linkset.map(({ anchor }) => anchor)).toEqual([`${BASE}/api/agent`, OPEN, ACCOUNT, `${BASE}/a2a`]);
    expect(linkset[0]?.['service-desc']).toEqual([{ href: `${BASE}/openapi.json`, type: 'application/json' }]);
  });
});

describe('server.json', () => {
  test('at the top level is what the tables say (npm run docs)', () => {
    expect(readFileSync(new URL('server.json', root), 'utf8')).toBe(serverJson());
  });

  test('names both endpoints, keeps the lengths of the registry, and claims no package that nobody published', () => {
    const limits = z.strictObject({
      $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
      name: z
        .string()
        .min(3)
        .max(200)
        .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
      title: z.string().min(1).max(100),
      description: z.string().min(1).max(100),
      version: z
        .string()
        .max(255)
        .regex(/^\d+\.\d+\.\d+$/),
      websiteUrl: z.url(),
      remotes: z.tuple([
        z.strictObject({ type: z.literal('streamable-http'), url: z.literal(OPEN) }),
        z.strictObject({
          type: z.literal('streamable-http'),
          url: z.literal(ACCOUNT),
          headers: z.tuple([
            z.strictObject({
              name: z.literal('Authorization'),
              description: z.string(),
              isRequired: z.literal(true),
              isSecret: z.literal(true),
            }),
          ]),
        }),
      ]),
    });
    expect(limits.safeParse(sent(buildRegistryServer(BASE))).error).toBeUndefined();
  });
});

describe('the texts', () => {
  test('llms.txt says how to connect, how to pay, and every price', () => {
    const text = formatServiceLlmsTxt(BASE);
    for (const part of [`(${OPEN}/server-card)`, `(${ACCOUNT}/server-card)`, '"mcpServers"', '/api/credits/5'])
      expect(text).toContain(part);
    for (const row of catalog) expect(text).toContain(`- ${row.name} (`);
    for (const version of MCP_VERSIONS) expect(text).toContain(version);
  });

  test('robots.txt leaves everything open, decides on training and names the sitemap', () => {
    expect(formatServiceRobotsTxt(BASE).split('\n').slice(0, 5)).toEqual([
      'User-agent: *',
      'Allow: /',
      'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
      '',
      `Sitemap: ${BASE}/sitemap.xml`,
    ]);
  });
});
