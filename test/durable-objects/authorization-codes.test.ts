import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  approve,
  codeForm,
  CONTROL,
  type Form,
  isAlive,
  json,
  MCP,
  post,
  otherClient,
  publicClient,
  REDIRECT,
  revokeGrant,
  store,
  tokensOf,
  verdict,
} from './authorization-world.ts';

afterEach(() => {
  vi.useRealTimers();
});

async function fresh() {
  const clientId = await publicClient();
  return { clientId, ...(await approve({ clientId })) };
}

test('a code with its verifier gives an access token of an hour and a refresh token, never to be cached', async () => {
  const { clientId, code, userId } = await fresh();
  const answer = await post(codeForm(code, clientId));
  expect(json(answer)).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'audit:run',
    resource: 'https://sightline.test/mcp-account',
  });
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
  expect(await store().validate(tokensOf(answer).access, MCP)).toMatchObject({
    props: { kind: 'payer', address: '0x1111111111111111111111111111111111111111' },
    audience: 'https://sightline.test/mcp-account',
    scope: ['audit:run'],
    userId,
    clientId,
  });
});

test('the account id in a token is 128 random bits and not the address', async () => {
  const { code, userId } = await fresh();
  expect(userId).toMatch(/^[0-9a-f]{32}$/);
  expect(code).not.toContain('1111111111111111111111111111111111111111');
});

test.each([5, 20])('K1: %i redemptions of one code at once give one success, and its tokens end', async (count) => {
  const { clientId, code } = await fresh();
  const answers = await Promise.all(Array.from({ length: count }, () => post(codeForm(code, clientId))));
  const [success, ...more] = answers.filter(({ status }) => status === 200);
  expect(more).toEqual([]);
  expect(answers.filter((answer) => verdict(answer) === '400 invalid_grant')).toHaveLength(count - 1);
  expect(await isAlive(tokensOf(success ?? { status: 0, headers: {}, body: '{}' }).access)).toBe(false);
});

test('K1: a code replayed later is refused, and the tokens of the first redemption end', async () => {
  const { clientId, code } = await fresh();
  const { access } = tokensOf(await post(codeForm(code, clientId)));
  expect(await isAlive(access)).toBe(true);
  expect(verdict(await post(codeForm(code, clientId)))).toBe('400 invalid_grant');
  expect(await isAlive(access)).toBe(false);
});

describe('a code is bound to what it was asked with, and a refusal does not use it up', () => {
  const rows: readonly [name: string, over: Form, verdict: string][] = [
    ['K3: another redirect URI', { redirect_uri: 'https://app.example/other' }, '400 invalid_grant'],
    ['K4: another resource', { resource: CONTROL }, '400 invalid_target'],
    ['K4: an unknown resource', { resource: `${MCP}/` }, '400 invalid_target'],
    ['P4: a wrong verifier', { code_verifier: 'x'.repeat(43) }, '400 invalid_grant'],
    ['a grant type that is not offered', { grant_type: 'password' }, '400 unsupported_grant_type'],
    ['token exchange', { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' }, '400 unsupported_grant_type'],
    ['an unknown client', { client_id: 'nobody' }, '401 invalid_client'],
    ['a secret of a public client', { client_secret: 'guess' }, '401 invalid_client'],
  ];

  test.each(rows)('%s', async (_, over, expected) => {
    const { clientId, code } = await fresh();
    expect(verdict(await post(codeForm(code, clientId, over)))).toBe(expected);
    expect((await post(codeForm(code, clientId))).status).toBe(200);
  });

  test('P4, K7: no verifier', async () => {
    const { clientId, code } = await fresh();
    const { code_verifier: _, ...form } = codeForm(code, clientId);
    expect(verdict(await post(form))).toBe('400 invalid_request');
    expect((await post(codeForm(code, clientId))).status).toBe(200);
  });

  test('K2: another client', async () => {
    const { clientId, code } = await fresh();
    const thief = await otherClient();
    expect(verdict(await post(codeForm(code, thief)))).toBe('400 invalid_grant');
    expect((await post(codeForm(code, clientId))).status).toBe(200);
  });
});

test('K5: a code is dead after ten minutes', async () => {
  const { clientId, code } = await fresh();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  expect(verdict(await post(codeForm(code, clientId)))).toBe('400 invalid_grant');
});

test('K6: a code is dead once the access was taken back', async () => {
  const { clientId, code } = await fresh();
  await revokeGrant(code);
  expect(verdict(await post(codeForm(code, clientId)))).toBe('400 invalid_grant');
});

test('A1: a token does not carry a scope that its account lost between consent and redemption', async () => {
  const clientId = await publicClient();
  const { code } = await approve({ clientId, scope: ['audit:run', 'operator'] });
  const answer = await post(codeForm(code, clientId));
  expect(json(answer)['scope']).toBe('audit:run');
  expect((await store().validate(tokensOf(answer).access, MCP))?.scope).toEqual(['audit:run']);
});

test('A1: a code for nothing but lost scopes ends its grant', async () => {
  const clientId = await publicClient();
  const { code } = await approve({ clientId, scope: ['operator'] });
  expect(verdict(await post(codeForm(code, clientId)))).toBe('400 invalid_grant');
});

describe('requests that are no token requests', () => {
  const form = 'grant_type=authorization_code&client_id=a&code=b';
  const send = async (contentType: string, body: string): Promise<string> => {
    const outcome = await store().token({ contentType, authorization: null, body });
    return outcome.kind === 'answer' ? verdict(outcome) : outcome.kind;
  };
  const type = 'application/x-www-form-urlencoded';

  test.each([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}', '400 invalid_request'],
    ['no media type', '', form, '400 invalid_request'],
    ['multipart', 'multipart/form-data; boundary=x', form, '400 invalid_request'],
    ['a parameter twice', type, `${form}&code=c`, '400 invalid_request'],
    ['a client id twice, one of them empty', type, `${form}&client_id=`, '400 invalid_request'],
    ['two resources', type, `${form}&resource=${MCP}&resource=${CONTROL}`, '401 invalid_client'],
    ['41 parameters', type, Array.from({ length: 41 }, (_, n) => `p${n}=1`).join('&'), '400 invalid_request'],
    ['more than 16 KiB', type, `${form}&x=${'y'.repeat(16_384)}`, '413 invalid_request'],
    ['an empty body', type, '', '401 invalid_client'],
  ])('%s', async (_, contentType, body, expected) => {
    expect(await send(contentType, body)).toBe(expected);
  });

  test('two resources of a good code: a token is for one', async () => {
    const { clientId, code } = await fresh();
    const body = `${new URLSearchParams(codeForm(code, clientId))}&resource=${encodeURIComponent(CONTROL)}`;
    expect(verdict(await post(body))).toBe('400 invalid_target');
  });
});

test('a token request without resource gets the one of the grant', async () => {
  const { clientId, code } = await fresh();
  const { resource: _, ...form } = codeForm(code, clientId);
  expect(json(await post(form))['resource']).toBe('https://sightline.test/mcp-account');
});

describe('O8: the port of a loopback redirect is free, its host is not', () => {
  test.each([
    ['http://127.0.0.1:5555/cb', '200 ok'],
    ['http://localhost:1/cb', '400 invalid_grant'],
  ])('%s', async (redirectUri, expected) => {
    const clientId = await publicClient({ redirect_uris: [REDIRECT, 'http://127.0.0.1:1/cb'] });
    const { code } = await approve({ clientId, redirectUri: 'http://127.0.0.1:5555/cb' });
    expect(verdict(await post(codeForm(code, clientId, { redirect_uri: redirectUri })))).toBe(expected);
  });
});
