import { describe, expect, test } from 'vitest';
import { buildServerMetadata, listResources } from '../../../src/authorization/oauth/resources.ts';
import { discoverAddresses } from '../../../src/deploy/checks/discover.ts';
import { checkOauth } from '../../../src/deploy/checks/oauth.ts';
import { API, type Answers, CONTROL, fakePorts, found, json, shortly, WEBHOOK } from './answers.ts';

const resources = listResources({ baseUrl: API, controlUrl: CONTROL, webhookUrl: WEBHOOK });
const resource = (of: string, changes: object = {}) =>
  json({ resource: of, authorization_servers: [API], scopes_supported: [], ...changes });

const deployment = (server: object = {}): Answers => ({
  'GET /.well-known/oauth-authorization-server': json({ ...buildServerMetadata(API, resources), ...server }),
  'GET /.well-known/oauth-protected-resource/mcp-account': resource(`${API}/mcp-account`),
  [`GET ${CONTROL}/.well-known/oauth-protected-resource`]: resource(CONTROL),
  [`GET ${WEBHOOK}/.well-known/oauth-protected-resource`]: resource(WEBHOOK, { scopes_supported: ['channels:read'] }),
});
const addresses = { api: API, control: CONTROL, webhook: WEBHOOK };
const check = (answers: Answers) => checkOauth({ addresses }, fakePorts(answers));

describe('the metadata of the authorization server and its resources', () => {
  test('that are of one deployment pass', async () => {
    expect(shortly(await check(deployment()))).toEqual([
      'pass oauth.server',
      'pass oauth.resource.api',
      'pass oauth.resource.control',
      'pass oauth.resource.webhook',
    ]);
  });

  test.each([
    ['another issuer', { issuer: 'https://other.example' }],
    ['the issuer with a slash', { issuer: `${API}/` }],
    ['an endpoint elsewhere', { token_endpoint: 'https://other.example/oauth/token' }],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }],
  ])('%s fails', async (_, changes) => {
    expect(found(await check(deployment(changes)), 'oauth.server').status).toBe('fail');
  });

  test('a resource that is about another address, or that trusts another server, fails', async () => {
    const place = `GET ${CONTROL}/.well-known/oauth-protected-resource`;
    for (const answer of [
      resource('https://other.example'),
      resource(CONTROL, { authorization_servers: ['https://other.example'] }),
      json({}, 404),
    ])
      expect(found(await check({ ...deployment(), [place]: answer }), 'oauth.resource.control').status).toBe('fail');
  });

  test('a resource that the server gives no tokens for is a warning', async () => {
    const results = await check(deployment({ protected_resources: [`${API}/mcp-account`, CONTROL] }));
    expect(found(results, 'oauth.resource.webhook').next).toBe('Set WEBHOOK_URL of the api Worker');
  });
});

describe('discovery', () => {
  test('finds the other Workers by what the authorization server names', async () => {
    expect(await discoverAddresses({ api: API }, fakePorts(deployment()))).toEqual(addresses);
  });

  test('a Worker that does not answer is the one that is left, and hides no other', async () => {
    const without = (...origins: readonly string[]): Answers => {
      const metadata = '/.well-known/oauth-protected-resource';
      const silent = Object.fromEntries(
        origins.map((origin) => [`GET ${origin}${metadata}`, () => Promise.reject(new TypeError('fetch failed'))]),
      );
      return { ...deployment({ protected_resources: [`${API}/mcp-account`, WEBHOOK, CONTROL] }), ...silent };
    };
    for (const silent of [[WEBHOOK], [CONTROL], [WEBHOOK, CONTROL]])
      expect(await discoverAddresses({ api: API }, fakePorts(without(...silent)))).toEqual(addresses);
  });

  test('what is given counts, and asks no one where nothing is missing', async () => {
    const ports = fakePorts(deployment());
    const given = { api: API, control: 'https://other.example', webhook: WEBHOOK };
    expect(await discoverAddresses(given, ports)).toEqual(given);
    expect(ports.asked).toEqual([]);
  });

  test('never goes from https to http: what an operator sends could be read', async () => {
    const plain = deployment({ protected_resources: [`${API}/mcp-account`, 'http://control.example'] });
    expect(await discoverAddresses({ api: API }, fakePorts(plain))).toEqual({ api: API });
  });

  test('without an answer nothing is found', async () => {
    expect(await discoverAddresses({ api: API }, fakePorts({}))).toEqual({ api: API });
  });
});
