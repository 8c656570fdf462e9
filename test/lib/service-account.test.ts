import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { parseServiceAccountKey, signServiceAssertion } from '../../src/lib/service-account.ts';

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const file = {
  type: 'service_account' as const,
  private_key_id: 'key-1',
  private_key: await exportPKCS8(privateKey),
  client_email: 'robot@project.example',
  token_uri: 'https://token.example/oauth/token',
};
const NOW_S = 1_795_305_600;

test('a key file is read with whatever else stands in it', () => {
  const text = JSON.stringify({ ...file, project_id: 'project', universe_domain: 'example.com' });
  expect(parseServiceAccountKey(text)).toEqual({ ok: true, key: file });
});

test.each([
  ['', ''],
  ['[]', ''],
  [JSON.stringify({ ...file, type: 'authorized_user' }), 'type'],
  [JSON.stringify({ ...file, private_key: 'secret' }), 'private_key'],
  [JSON.stringify({ ...file, client_email: undefined }), 'client_email'],
  [JSON.stringify({ ...file, token_uri: 'file:///etc/passwd' }), 'token_uri'],
])('what is no key file is refused by the name of the field: %#', (text, field) => {
  expect(parseServiceAccountKey(text)).toEqual({ ok: false, field });
});

test('an assertion is signed, for the token endpoint, and good for five minutes', async () => {
  const assertion = (await signServiceAssertion(file, { nowS: NOW_S, jti: 'once', subject: 'a@b.example' })) ?? '';
  await jwtVerify(assertion, publicKey, { currentDate: new Date(NOW_S * 1_000) });
  expect(decodeJwt(assertion)).toEqual({
    iss: 'robot@project.example',
    sub: 'a@b.example',
    aud: 'https://token.example/oauth/token',
    iat: NOW_S,
    exp: NOW_S + 300,
    jti: 'once',
  });
});

const shortKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

test.each([
  ['that is none', '-----BEGIN PRIVATE KEY-----\nsecret'],
  ['of 1024 bits', String(shortKey)],
])('a key %s signs nothing', async (_, pem) => {
  const broken = { ...file, private_key: pem };
  expect(await signServiceAssertion(broken, { nowS: NOW_S, jti: 'once' })).toBeUndefined();
});
