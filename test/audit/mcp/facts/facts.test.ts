import { expect, test } from 'vitest';
import { buildMcpFacts } from '../../../../src/audit/mcp/facts/facts.ts';
import { judgeMcp } from '../../../support/audit/mcp-rows.ts';
import { ENDPOINT, legacyServer, mcpSite, protectedSite } from '../../../support/audit/mcp-site.ts';
import { failure, html, json, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';

const factsOf = async (site: SiteMap): Promise<Readonly<Record<string, unknown>>> =>
  buildMcpFacts((await judgeMcp(site)).snapshot);

test('check_mcp tells what was found at each place, and how the endpoint answers', async () => {
  const card = { name: 'A', supportedInterfaces: [{ url: SITE, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
  const site = mcpSite({ '/.well-known/mcp.json': json({ url: '/mcp' }), '/.well-known/agent-card.json': json(card) });
  expect(await factsOf(site)).toEqual({
    mcp_json: { state: 'found', url: `${SITE}/.well-known/mcp.json`, members: ['url'], endpoints: [ENDPOINT] },
    agent_json: { state: 'found', url: `${SITE}/.well-known/agent-card.json`, a2a: '1.0', name: 'A' },
    server_card: {
      state: 'found',
      url: `${ENDPOINT}/server-card`,
      where: 'catalog',
      name: 'example.acme/archive',
      version: '1.2.0',
      valid: true,
    },
    ai_catalog: { state: 'found', url: `${SITE}/.well-known/ai-catalog.json`, entries: 1, mcp_servers: 1, valid: true },
    endpoint: {
      state: 'probed',
      url: ENDPOINT,
      access: 'open',
      era: 'modern',
      protocol_versions: ['2026-07-28', '2025-11-25'],
      server_name: 'example.acme/archive',
      tools: 2,
    },
    places_tried: [
      { url: `${SITE}/.well-known/ai-catalog.json`, saw: 'answered 200 with JSON' },
      { url: `${SITE}/.well-known/mcp.json`, saw: 'answered 200 with JSON' },
      { url: `${SITE}/.well-known/mcp/server-card.json`, saw: 'answered 404' },
      { url: `${SITE}/.well-known/mcp-server`, saw: 'answered 404' },
      { url: `${SITE}/.well-known/mcp/servers.json`, saw: 'answered 404' },
    ],
  });
});

test.each([
  {
    name: 'a legacy server',
    site: mcpSite({ 'POST /mcp': legacyServer() }),
    gives: { access: 'open', era: 'legacy', protocol_versions: ['2025-11-25'], server_name: 'old' },
  },
  { name: 'a protected server', site: protectedSite(), gives: { access: 'protected', era: 'unknown', tools: null } },
  {
    name: 'a broken server',
    site: mcpSite({ 'POST /mcp': html('<p>Welcome') }),
    gives: { access: 'silent', protocol_versions: [] },
  },
])('the endpoint of $name is described', async ({ site, gives }) => {
  expect((await factsOf(site))['endpoint']).toMatchObject(gives);
});

test('a bare site has nothing, and what could not be read is unknown instead', async () => {
  const bare = { '/': html('<p>Hello.') };
  expect(await factsOf(bare)).toMatchObject({
    mcp_json: { state: 'absent' },
    agent_json: { state: 'absent' },
    server_card: { state: 'absent' },
    ai_catalog: { state: 'absent' },
    endpoint: { state: 'undeclared' },
  });
  expect(await factsOf({ ...bare, '/.well-known/mcp.json': failure('timeout') })).toMatchObject({
    mcp_json: { state: 'unknown' },
    server_card: { state: 'unknown' },
    ai_catalog: { state: 'absent' },
  });
});
