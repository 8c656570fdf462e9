import { describe, expect, test } from 'vitest';
import { Authorization } from '../../routes/api/bindings/authorization-entrypoint.ts';
import { buildServerMetadata, listResources } from '../../src/authorization/oauth/resources.ts';
import { createProvider } from '../../src/authorization/oauth/provider.ts';
import type { AuthorizationStoreObject } from '../../src/authorization/oauth/store-protocol.ts';
import { env } from 'cloudflare:workers';
import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import {
  codeForm,
  approve,
  CONTROL,
  inside,
  ISSUER,
  json,
  MCP,
  post,
  publicClient,
  refreshForm,
  signedIn,
  store,
  stub,
  verdict,
  WEBHOOK,
} from './authorization-world.ts';

describe('a token is good for exactly the resource it was made for', () => {
  test.each([
    ['U1: a sibling resource', CONTROL],
    ['U1: another sibling', WEBHOOK],
    ['U2: the parent origin', 'https://sightline.test'],
    ['U2: the parent origin with a slash', 'https://sightline.test/'],
    ['U2: a path below', `${MCP}/tools`],
    ['U3: a trailing slash', `${MCP}/`],
    ['U4: upper case in the host', 'https://SIGHTLINE.test/mcp-account'],
    ['U5: the default port', 'https://sightline.test:443/mcp-account'],
    ['U5: another port', 'https://sightline.test:8443/mcp-account'],
    ['U6: a query', `${MCP}?x=1`],
    ['U9: upper case in the path', 'https://sightline.test/MCP-account'],
    ['a fragment', `${MCP}#x`],
    ['the open endpoint beside it', 'https://sightline.test/mcp'],
    ['http', 'http://sightline.test/mcp-account'],
    ['nothing', ''],
    ['the prototype', '__proto__'],
  ])('%s is refused', async (_, resource) => {
    const { access } = await signedIn();
    expect(await store().validate(access, resource)).toBeNull();
    expect((await store().validate(access, MCP))?.audience).toBe('https://sightline.test/mcp-account');
  });

  test('U1: a token of the control Worker is not one of the MCP endpoint', async () => {
    const { access } = await signedIn({ resource: CONTROL });
    expect(await store().validate(access, MCP)).toBeNull();
    expect((await store().validate(access, CONTROL))?.audience).toBe('https://control.sightline.test');
  });

  test.each([
    ['U4: a host in capitals names the same resource', 'https://SIGHTLINE.TEST/mcp-account', '200 ok'],
    ['U5: the default port does not', 'https://sightline.test:443/mcp-account', '400 invalid_target'],
    ['U9: a path in capitals does not', 'https://sightline.test/MCP-account', '400 invalid_target'],
    ['U3: a trailing slash does not', `${MCP}/`, '400 invalid_target'],
    ['U2: the origin does not', 'https://sightline.test', '400 invalid_target'],
  ])('at the token endpoint: %s', async (_, resource, expected) => {
    const clientId = await publicClient();
    const { code } = await approve({ clientId });
    const answer = await post(codeForm(code, clientId, { resource }));
    expect(verdict(answer)).toBe(expected);
    if (answer.status === 200) expect(json(answer)['resource']).toBe('https://sightline.test/mcp-account');
  });

  test('U7: two resources at once are refused', async () => {
    const { refresh, clientId } = await signedIn();
    const body = `${new URLSearchParams(refreshForm(refresh, clientId, { resource: MCP }))}&resource=${CONTROL}`;
    expect(verdict(await post(body))).toBe('400 invalid_target');
  });

  test('U8: there is no token exchange to retarget a token', async () => {
    const { access, clientId } = await signedIn();
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const form = { grant_type, client_id: clientId, subject_token: access, resource: CONTROL };
    expect(verdict(await post(form))).toBe('400 unsupported_grant_type');
  });
});

describe('what is no access token', () => {
  test('X2: a refresh token, a code and garbage', async () => {
    const { refresh, code, access } = await signedIn();
    const [userId, grantId] = access.split(':');
    const garbage = [
      '',
      'x',
      'a:b:c',
      '::',
      `${userId}:${grantId}:`,
      `${access}x`,
      access.slice(0, -1),
      access.toUpperCase(),
    ];
    const jwt = 'eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL3NpZ2h0bGluZS50ZXN0L21jcC1hY2NvdW50In0.';
    for (const token of [refresh, code, jwt, 'slm_x', `slm_${access}`, ...garbage]) {
      expect(await store().validate(token, MCP)).toBeNull();
    }
    expect(await store().validate(access, MCP)).not.toBeNull();
  });

  test('T7: a token of 10 KB', async () => {
    expect(await store().validate(`a:b:${'c'.repeat(10_240)}`, MCP)).toBeNull();
  });
});

test('other Workers ask by the entrypoint Authorization', async () => {
  const { access, clientId } = await signedIn();
  const entrypoint = new Authorization(createExecutionContext(), env as never);
  expect(await entrypoint.validate(access, MCP)).toMatchObject({ clientId, scope: ['audit:run'] });
  expect(await entrypoint.validate(access, CONTROL)).toBeNull();
});

describe('A1: scopes that the account no longer has', () => {
  test('are left out of the next token', async () => {
    const { refresh, clientId, userId } = await signedIn({ scope: ['audit:run', 'credits:use'] });
    await inside(({ rows }) => {
      const account = rows.get<{ kind: string }>(`own:account:${userId}`);
      rows.put(`own:account:${userId}`, { ...account, kind: 'service' });
      rows.put(`own:account-grants:${userId}`, [{ scope: 'credits:use', tenant: '*' }]);
    });
    expect(json(await post(refreshForm(refresh, clientId)))['scope']).toBe('credits:use');
  });

  test('a grant of an account that is gone ends', async () => {
    const { refresh, access, clientId, userId } = await signedIn();
    await inside(({ rows }) => rows.delete(`own:account:${userId}`));
    expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
    expect(await store().validate(access, MCP)).toBeNull();
  });
});

test('the metadata document says what the provider library says of itself, and what we add', async () => {
  const resources = listResources({ baseUrl: env.BASE_URL, webhookUrl: WEBHOOK, controlUrl: CONTROL });
  const theirs = await inside(async (tools) => {
    const provider = createProvider({
      issuer: ISSUER,
      resources,
      tools,
      grantable: () => [],
      onRefusal: () => undefined,
    });
    const answer = await provider.fetch(new Request(`${ISSUER}/.well-known/oauth-authorization-server`));
    return (await answer.json()) as Record<string, unknown>;
  });
  const ours: Record<string, unknown> = buildServerMetadata(ISSUER, resources);
  const {
    grant_types_supported: grants,
    token_endpoint_auth_methods_supported: methods,
    client_id_metadata_document_supported: documents,
    ...shared
  } = theirs;
  expect(ours).toMatchObject(shared);
  expect(ours['grant_types_supported']).toEqual([
    ...(grants as string[]),
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ]);
  expect(ours['token_endpoint_auth_methods_supported']).toEqual([...(methods as string[]), 'private_key_jwt']);
  expect([documents, ours['client_id_metadata_document_supported']]).toEqual([false, true]);
});

describe('the object', () => {
  test('sweeps what has expired every hour and keeps the rest', async () => {
    await inside(({ rows, now }) => {
      rows.put('own:test:dead', 1, now() - 1);
      rows.put('own:test:alive', 1, now() + 60_000);
      rows.put('own:test:ever', 1);
    });
    expect(await runDurableObjectAlarm(stub())).toBe(true);
    const keys = await runInDurableObject(stub(), (_, state) =>
      state.storage.sql.exec("SELECT key FROM rows WHERE key LIKE 'own:test:%' ORDER BY key").toArray(),
    );
    expect(keys).toEqual([{ key: 'own:test:alive' }, { key: 'own:test:ever' }]);
    const atMs = await runInDurableObject(stub(), (_, state) => state.storage.getAlarm());
    expect(atMs).toBeGreaterThan(Date.now() + 3_500_000);
  });

  test('sweeps again soon when there was more than one sweep takes', async () => {
    await inside(({ rows }) => {
      for (let n = 0; n < 5_001; n += 1) rows.put(`own:test:${n}`, 1, 1);
    });
    await runDurableObjectAlarm(stub());
    const atMs = await runInDurableObject(stub(), (_, state) => state.storage.getAlarm());
    expect(atMs).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test('a fault of one operation does not end the others', async () => {
    const { access } = await signedIn();
    // Caught inside: what crosses the object's edge counts as unhandled there.
    const fault = await runInDurableObject(stub(), (object) =>
      (object as unknown as AuthorizationStoreObject).token(undefined as never).then(() => 'none', String),
    );
    expect(fault).toContain('TypeError');
    expect(await store().validate(access, MCP)).not.toBeNull();
  });
});
