import { expect, test } from 'vitest';
import type { ValidToken } from '../../../src/authorization/oauth/tokens.ts';
import { app } from '../../support/stack/own-route.ts';

const THINGS = 'https://control.example.com/things';
const METADATA = 'https://control.example.com/.well-known/oauth-protected-resource/things';

const token = (changes: Partial<ValidToken> = {}): ValidToken => ({
  props: { kind: 'service' },
  audience: THINGS,
  expiresAt: 4_000_000_000,
  scope: ['operator'],
  userId: 'a'.repeat(32),
  clientId: 'console',
  ...changes,
});

/** The example behind an authorization server that knows one token. */
const ask = async (known: ValidToken | null, path = '/things', headers: Record<string, string> = {}) =>
  app.fetch(new Request(`https://control.example.com${path}`, { headers }), {
    AUTHORIZATION: {
      validate: async (given: string, resource: string) =>
        given === 'the-token' && resource === THINGS ? known : null,
    },
  });

const bearer = { authorization: 'Bearer the-token' };

test("the guide's route answers a token that is for it", async () => {
  const answer = await ask(token(), '/things', bearer);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ account: 'a'.repeat(32), scopes: ['operator'] });
});

test.each<[string, ValidToken | null, Record<string, string>, number, string]>([
  ['no token', token(), {}, 401, 'scope="operator"'],
  ['an unknown token', null, bearer, 401, 'error="invalid_token"'],
  [
    'a token for another resource',
    token({ audience: 'https://control.example.com/others' }),
    bearer,
    401,
    'invalid_token',
  ],
  ['an expired token', token({ expiresAt: 1_000_000_000 }), bearer, 401, 'invalid_token'],
  ['a token without the scope', token({ scope: ['audit:run'] }), bearer, 403, 'error="insufficient_scope"'],
  ['two tokens', token(), { authorization: 'Bearer one, Bearer two' }, 400, 'invalid_request'],
])("the guide's route refuses %s", async (_what, known, headers, status, challenge) => {
  const answer = await ask(known, '/things', headers);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('www-authenticate')).toContain(challenge);
  if (status !== 400) expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA}"`);
});

test("the guide's route takes no token from the query", async () => {
  expect((await ask(token(), '/things?access_token=the-token')).status).toBe(401);
});

test('its metadata document names the resource and who makes its tokens', async () => {
  const answer = await ask(null, '/.well-known/oauth-protected-resource/things');
  expect(await answer.json()).toMatchObject({
    resource: THINGS,
    authorization_servers: ['https://sightline.example.com'],
    scopes_supported: ['operator'],
  });
});
