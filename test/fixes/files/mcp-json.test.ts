import { describe, expect, test } from 'vitest';
import { readA2aCard } from '../../../src/audit/agent-files/facts/a2a-card.ts';
import { readAiCatalog } from '../../../src/audit/agent-files/facts/ai-catalog.ts';
import { readServerCard } from '../../../src/audit/mcp/facts/server-card.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { agentCardSchema, olderAgentCardSchema } from '../../../src/fixes/files/agent-card.ts';
import { aiCatalogSchema } from '../../../src/fixes/files/ai-catalog.ts';
import { SLOTS } from '../../../src/fixes/core/fix-slots.ts';
import type { DeployableFile } from '../../../src/fixes/files/generated-file.ts';
import { generateMcpFiles, mcpJsonSchema } from '../../../src/fixes/files/mcp-json.ts';
import { serverCardSchema } from '../../../src/fixes/files/server-card.ts';
import { listSlots } from '../../../src/lib/slots.ts';
import { a2aCard, agentSite, openApi } from '../../support/audit/agent-site.ts';
import { auditedSite, deployed, statuses } from '../../support/audit/audited.ts';
import { card, mcpSite, modernServer, protectedSite, servedCard } from '../../support/audit/mcp-site.ts';
import { html, json, notFound, type SiteMap, SITE, text } from '../../support/audit/site-fetch.ts';
import { goodSite } from '../../sites/good.ts';

const WELL_KNOWN = ['mcp.json', 'agent-card.json'].map((name) => `.well-known/${name}`);

const filesFor = async (map: SiteMap): Promise<readonly DeployableFile[]> => generateMcpFiles(await auditedSite(map));
const parsed = (files: readonly DeployableFile[], path: string): unknown =>
  JSON.parse(files.find((file) => file.path === path)?.content ?? 'null') as unknown;

/** A site whose start page links its endpoint, with an API description and a search form, and no other document. */
const linked: SiteMap = {
  '/': html(
    `<!doctype html><html lang="en"><title>Anvils | Acme</title><meta name="description" content="Acme forges anvils.">
    <link rel="mcp" href="/mcp"><form action="/search" toolname="findAnvils" tooldescription="Finds anvils by weight."><input type="search" name="q"></form>
    <form action="/account" aria-label="Sign in"><input type="password" name="p"></form><form action="https://elsewhere.example/" aria-label="Subscribe"><input name="e"></form><form action="/x"><input name="y"></form>`,
  ),
  '/openapi.json': json(
    openApi({
      paths: {
        '/anvils/{id}': {
          get: {
            operationId: 'getAnvil',
            summary: 'Read an anvil',
            description: 'Returns weight and price.',
            tags: ['anvils'],
          },
          delete: { operationId: 'getAnvil', deprecated: true },
          head: {},
        },
        '/anvils': { post: { summary: 'Order an anvil' }, get: {} },
      },
    }),
  ),
  'POST /mcp': modernServer({
    discover: {
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'anvils', title: 'Anvil tools', version: '2.1.0' } },
    },
  }),
};

describe('a site with an MCP endpoint', () => {
  test('gets a Server Card beside it, made of what the live server says of itself', async () => {
    const files = await filesFor(linked);
    expect(files.map(({ path, media_type }) => [path, media_type])).toEqual([
      ['.well-known/mcp.json', 'application/json'],
      ['.well-known/agent-card.json', 'application/json'],
      ['.well-known/ai-catalog.json', 'application/ai-catalog+json'],
      ['mcp/server-card', 'application/mcp-server-card+json'],
    ]);
    expect(parsed(files, 'mcp/server-card')).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'example.acme/anvils',
      version: '2.1.0',
      description: 'Acme forges anvils.',
      title: 'Anvil tools',
      websiteUrl: `${SITE}/`,
      remotes: [
        { type: 'streamable-http', url: `${SITE}/mcp`, supportedProtocolVersions: ['2026-07-28', '2025-11-25'] },
      ],
      _meta: { note: expect.stringContaining('server/discover') as string },
    });
    expect(parsed(files, '.well-known/ai-catalog.json')).toEqual({
      specVersion: '1.0',
      host: { displayName: 'Acme', identifier: 'acme.example' },
      entries: [
        {
          identifier: 'urn:air:acme.example:mcp:anvils',
          displayName: 'Anvil tools',
          type: 'application/mcp-server-card+json',
          url: `${SITE}/mcp/server-card`,
        },
      ],
    });
  });

  test('gets an mcp.json that says what it is, with the operations of the API and the forms as actions', async () => {
    expect(parsed(await filesFor(linked), '.well-known/mcp.json')).toEqual({
      _comment: expect.stringMatching(/not a standard/u) as string,
      name: 'Acme',
      description: 'Acme forges anvils.',
      website: `${SITE}/`,
      servers: [
        {
          name: 'Anvil tools',
          url: `${SITE}/mcp`,
          transport: 'streamable-http',
          protocolVersions: ['2026-07-28', '2025-11-25'],
          card: `${SITE}/mcp/server-card`,
        },
      ],
      openapi: `${SITE}/openapi.json`,
      site_actions: [
        ['get-anvil', 'Read an anvil', 'Returns weight and price.', 'openapi', 'GET', '/anvils/{id}'],
        ['get-anvils', 'GET /anvils', '[FACT NEEDED: what this does, in one line]', 'openapi', 'GET', '/anvils'],
        ['post-anvils', 'Order an anvil', 'Order an anvil', 'openapi', 'POST', '/anvils'],
        ['find-anvils', 'find Anvils', 'Finds anvils by weight.', 'form', 'GET', `${SITE}/search`],
      ].map(([id, name, description, from, method, target]) => ({ id, name, description, from, method, target })),
    });
  });

  const sites: readonly (readonly [string, SiteMap])[] = [
    ['that its start page links', linked],
    ['with all documents', mcpSite()],
    [
      'without a catalog',
      mcpSite({ '/.well-known/ai-catalog.json': notFound, '/': html('<title>A</title><link rel="mcp" href="/mcp">') }),
    ],
    ['that wants authorization', protectedSite()],
    [
      'that only an mcp.json names',
      mcpSite({
        '/.well-known/ai-catalog.json': notFound,
        '/mcp/server-card': notFound,
        '/.well-known/mcp.json': json({ url: `${SITE}/mcp` }),
      }),
    ],
  ];

  test.each(sites)('%s: the files, once served, pass every check of discovery and of the card', async (_, map) => {
    const again = await auditedSite(deployed(map, await filesFor(map)));
    const judged = { ...statuses(again, 'mcp.discovery.'), ...statuses(again, 'mcp.card.') };
    const decided = ['any', 'ai-catalog', 'ai-catalog-valid', 'catalog-urls', 'legacy-mcp-json']
      .map((name) => `mcp.discovery.${name}`)
      .concat(
        ['found', 'schema', 'media-type', 'cors', 'no-secrets', 'remote-https', 'single-truth'].map(
          (name) => `mcp.card.${name}`,
        ),
      );
    expect(Object.fromEntries(decided.map((id) => [id, judged[id]]))).toEqual(
      Object.fromEntries(decided.map((id) => [id, 'pass'])),
    );
    // Response headers and a page that explains how to connect are not in the hands of a document.
    const byOthers = ['mcp.card.caching', 'mcp.discovery.docs-page'];
    const open = Object.entries(judged).filter(
      ([id, status]) => !/^(?:pass|not_applicable)/u.test(status) && !byOthers.includes(id),
    );
    expect(open).toEqual([]);
  });

  test('headers that its present card asks for stay, their values do not', async () => {
    const remotes = [
      {
        type: 'streamable-http',
        url: `${SITE}/mcp`,
        headers: [
          {
            name: 'X-Key',
            description: 'Your key.',
            isRequired: true,
            isSecret: true,
            value: 'sk_live_1234567890abcdef',
          },
        ],
      },
    ];
    const files = await filesFor(mcpSite({ '/mcp/server-card': servedCard({ remotes }) }));
    expect(parsed(files, 'mcp/server-card')).toMatchObject({
      name: card()['name'],
      version: '1.2.0',
      description: 'Search the public archive.',
      remotes: [{ headers: [{ name: 'X-Key', description: 'Your key.', isRequired: true, isSecret: true }] }],
    });
    expect(files.some(({ content }) => content.includes('sk_live'))).toBe(false);
  });
});

describe('an endpoint is claimed only when the audit saw it', () => {
  const silent = { 'POST /mcp': text('hello'), '/mcp': text('hello') };
  const template = servedCard({
    remotes: [{ type: 'streamable-http', url: `${SITE}/{tenant}/mcp`, variables: { tenant: {} } }],
  });
  const rows: readonly (readonly [string, SiteMap])[] = [
    ['a link to something that is no MCP server', { ...linked, ...silent }],
    ['an address with a variable', mcpSite({ '/mcp/server-card': template })],
  ];

  test.each(rows)('%s: no Server Card, no catalog, and a slot in mcp.json', async (_, map) => {
    const files = await filesFor(map);
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(WELL_KNOWN);
    expect(files.every(({ draft }) => draft === true)).toBe(true);
    expect(parsed(files, '.well-known/mcp.json')).toMatchObject({
      _comment: expect.stringContaining('endpoint_needed') as string,
      endpoint_needed: '[FACT NEEDED: https address of your MCP server, once it answers]',
    });
    expect(parsed(files, '.well-known/mcp.json')).not.toHaveProperty('servers');
  });

  test('a site that offers agents nothing gets no file of theirs', async () => {
    expect(await filesFor(goodSite)).toEqual([]);
  });

  test('drafts that are published as they are count as no MCP server', async () => {
    const site = { ...linked, ...silent };
    const again = await auditedSite(deployed({ ...site, '/': goodSite['/'] ?? notFound }, await filesFor(site)));
    expect(statuses(again, 'mcp.discovery.any')['mcp.discovery.any']).toMatch(/^fail/u);
  });

  test('an endpoint on another host keeps its card on the audited site', async () => {
    const url = 'https://mcp.acme.example/v1';
    const files = await filesFor(
      mcpSite({
        '/.well-known/ai-catalog.json': notFound,
        '/mcp/server-card': notFound,
        '/.well-known/mcp.json': json({ url }),
        [`POST ${url}`]: modernServer(),
      }),
    );
    expect(parsed(files, '.well-known/mcp/server-card.json')).toMatchObject({ remotes: [{ url }] });
  });

  test.each([
    ['/.git/hooks', '.well-known/mcp/server-card.json'],
    ['/a/../../etc', 'etc/server-card'],
    ['/%2e%2e/%2e%2e/root', 'root/server-card'],
    ['/a%2f..%2fb', '.well-known/mcp/server-card.json'],
    ["/a'b", '.well-known/mcp/server-card.json'],
    ['/', '.well-known/mcp/server-card.json'],
    ['/mcp?x=1', '.well-known/mcp/server-card.json'],
    ['/api/v1/mcp/', 'api/v1/mcp/server-card'],
  ])('X2: an endpoint at %s puts its card at %s', async (path, expected) => {
    const files = await filesFor({
      '/': html(`<title>A</title><link rel="mcp" href="${path}">`),
      [`POST ${path}`]: modernServer(),
    });
    expect(files.at(-1)?.path).toBe(expected);
  });
});

describe('the agent card', () => {
  test('of a site with an agent keeps what its card says, and passes', async () => {
    const files = await filesFor(agentSite);
    expect(readA2aCard(parsed(files, '.well-known/agent-card.json'))).toMatchObject({
      shape: '1.0',
      name: 'Anvil agent',
      interfaces: [{ url: `${SITE}/a2a`, binding: 'JSONRPC', version: '1.0' }],
      issues: [],
    });
    expect(statuses(await auditedSite(deployed(agentSite, files)), 'agent.a2a.')).toMatchObject({
      'agent.a2a.card': 'pass',
    });
  });

  const { supportedInterfaces: _, ...agent } = a2aCard() as { supportedInterfaces: unknown };
  const older = { ...agent, url: `${SITE}/a2a`, preferredTransport: 'HTTP+JSON', protocolVersion: '0.3.0' };

  test('of A2A 0.3 is written in the shape of 1.0, and its own shape stays at the former address', async () => {
    const site = { ...agentSite, '/.well-known/agent-card.json': notFound, '/.well-known/agent.json': json(older) };
    const files = await filesFor(site);
    expect(parsed(files, '.well-known/agent-card.json')).toMatchObject({
      supportedInterfaces: [{ url: `${SITE}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' }],
    });
    expect(parsed(files, '.well-known/agent.json')).toEqual({
      ...older,
      documentationUrl: undefined,
      provider: { organization: 'Acme', url: `${SITE}/` },
    });
    expect(statuses(await auditedSite(deployed(site, files)), 'agent.a2a.')).toMatchObject({
      'agent.a2a.card': 'pass',
      'agent.a2a.legacy-path': 'pass',
    });
  });

  test('of an agent of both eras names the addresses of both; agent.json names the older one alone', async () => {
    const both = { ...older, url: `${SITE}/a2a/older`, preferredTransport: undefined, protocolVersion: undefined };
    const site = { ...agentSite, '/.well-known/agent.json': json(both) };
    expect(statuses(await auditedSite(site), 'agent.a2a.')).toMatchObject({
      'agent.a2a.legacy-path': expect.stringMatching(/^fail/) as string,
    });
    const files = await filesFor(site);
    expect(parsed(files, '.well-known/agent-card.json')).toMatchObject({
      supportedInterfaces: [
        { url: `${SITE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${SITE}/a2a/older`, protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
      ],
    });
    expect(parsed(files, '.well-known/agent.json')).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${SITE}/a2a/older`,
      preferredTransport: 'JSONRPC',
    });
    expect(statuses(await auditedSite(deployed(site, files)), 'agent.a2a.')).toMatchObject({
      'agent.a2a.legacy-path': 'pass',
    });
  });

  test('is never copied to agent.json, whose readers need another form', async () => {
    const site = { ...agentSite, '/.well-known/agent.json': json(a2aCard()) };
    expect((await filesFor(site)).map(({ path }) => path)).not.toContain('.well-known/agent.json');
    const asked = await generateMcpFiles(await auditedSite(site), { asked: true });
    const written = asked.find(({ path }) => path === '.well-known/agent.json');
    expect(written).toMatchObject({ draft: true, facts_needed: [SLOTS.olderAgentUrl] });
    const filled = (written?.content ?? '').replace(/\[FACT NEEDED: [^\]]+\]/u, `${SITE}/a2a/older`);
    expect(readA2aCard(JSON.parse(filled))).toMatchObject({ shape: '0.3', name: 'Anvil agent', issues: [] });
    expect(olderAgentCardSchema.safeParse(JSON.parse(filled)).error).toBeUndefined();
  });

  test('of a site without an agent is a draft: its address and version are slots, and nothing else is wrong with it', async () => {
    const files = await filesFor(linked);
    const written = files.find(({ path }) => path === '.well-known/agent-card.json')?.content ?? '';
    expect(listSlots(written)).toEqual([
      'https address where the agent answers A2A requests',
      'version of the agent',
      'what this skill does, in one line',
    ]);
    expect(readA2aCard(JSON.parse(written))?.issues.map(({ pointer }) => pointer)).toEqual([
      '/supportedInterfaces/0/url',
    ]);
    const filled = written.replace(/\[FACT NEEDED: https[^\]]+\]/u, `${SITE}/a2a`);
    expect(readA2aCard(JSON.parse(filled))?.issues).toEqual([]);
    expect(JSON.parse(written)).toMatchObject({
      provider: { organization: 'Acme', url: `${SITE}/` },
      skills: [
        { id: 'get-anvil', name: 'Read an anvil', description: 'Returns weight and price.', tags: ['api', 'anvils'] },
        { id: 'get-anvils', tags: ['api'] },
        { id: 'post-anvils', tags: ['api'] },
        { id: 'find-anvils', description: 'Finds anvils by weight.', tags: ['form', 'search'] },
      ],
    });
  });
});

describe('the schemas refuse what the specifications refuse', () => {
  const base = card();
  const rows: readonly (readonly [string, { safeParse: (value: unknown) => { success: boolean } }, unknown])[] = [
    ['a card without a name', serverCardSchema, { ...base, name: undefined }],
    ['a name without a namespace', serverCardSchema, { ...base, name: 'weather' }],
    ['a range of versions', serverCardSchema, { ...base, version: '^1.2.3' }],
    ['packages in a Server Card', serverCardSchema, { ...base, packages: [] }],
    ['an agent card of 0.3', agentCardSchema, { ...a2aCard(), supportedInterfaces: undefined, url: SITE }],
    ['a copy of the card of 1.0 at agent.json', olderAgentCardSchema, a2aCard()],
    ['a skill without tags', agentCardSchema, { ...a2aCard(), skills: [{ id: 'a', name: 'a', description: 'a' }] }],
    [
      'a catalog entry with both url and data',
      aiCatalogSchema,
      {
        specVersion: '1.0',
        host: { displayName: 'A', identifier: 'a' },
        entries: [
          {
            identifier: 'urn:air:a:mcp:b',
            displayName: 'B',
            type: 'application/mcp-server-card+json',
            url: SITE,
            data: {},
          },
        ],
      },
    ],
    [
      'an mcp.json with a server without an address',
      mcpJsonSchema,
      { _comment: '', name: 'a', description: 'a', website: SITE, servers: [{ name: 'a' }], site_actions: [] },
    ],
  ];
  test.each(rows)('%s', (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});

test('what is written fits the schemas of this service and the readers of the audit', async () => {
  for (const map of [linked, mcpSite(), agentSite]) {
    const files = await filesFor(map);
    expect(mcpJsonSchema.safeParse(parsed(files, '.well-known/mcp.json')).error).toBeUndefined();
    expect(agentCardSchema.safeParse(parsed(files, '.well-known/agent-card.json')).error).toBeUndefined();
    expect(aiCatalogSchema.safeParse(parsed(files, '.well-known/ai-catalog.json')).error).toBeUndefined();
    expect(readAiCatalog(parsed(files, '.well-known/ai-catalog.json'))).toMatchObject({ issues: [], warnings: [] });
    const served = files.find(({ path }) => path.endsWith('server-card'));
    expect(served === undefined ? [] : readServerCard(JSON.parse(served.content)).issues).toEqual([]);
  }
});

test('the same snapshot gives the same bytes, also after it was stored as JSON', async () => {
  const { snapshot } = await auditedSite(linked);
  const copy = JSON.parse(JSON.stringify(snapshot)) as Snapshot;
  const [one, other] = await Promise.all(
    [snapshot, copy].map((each) => generateMcpFiles({ snapshot: each, ...judgeSite(each) })),
  );
  expect(one).toEqual(other);
});
