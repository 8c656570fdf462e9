import { expect, test } from 'vitest';
import { listDirectoryFaults } from '../../src/audit/crawlers/facts/signature-directory.ts';
import { readBotKey } from '../../src/bot/bot-key.ts';
import { buildKeyDirectory, KEY_DIRECTORY_S, KEY_DIRECTORY_TYPE } from '../../src/bot/key-directory.ts';
import { createPublicKey, verify } from 'node:crypto';

const secrets = ['n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'];
const keys = (await Promise.all(secrets.map(readBotKey))).filter((key) => key !== undefined);
const URL_OF_IT = 'https://sightline.test/.well-known/http-message-signatures-directory';

test('lists public keys only, and our own audit finds no fault in it', async () => {
  const { body, headers } = await buildKeyDirectory(keys, URL_OF_IT, Date.now());
  const directory = JSON.parse(body) as { keys: Record<string, unknown>[] };
  expect(directory.keys.map(({ kid }) => kid)).toEqual(keys.map(({ listed }) => listed.kid));
  for (const secret of secrets) expect(body).not.toContain(secret);
  expect(directory.keys.every((key) => !('d' in key))).toBe(true);
  expect(headers['content-type']).toBe(KEY_DIRECTORY_TYPE);
  expect(listDirectoryFaults(headers)).toEqual([]);
});

test('is signed by every key for the host that it was asked at', async () => {
  const nowMs = 1_800_000_000_000;
  const { headers } = await buildKeyDirectory(keys, URL_OF_IT, nowMs);
  const inputs = [...(headers['signature-input'] ?? '').matchAll(/(binding\d)=(\("@authority";req\)[^,]*)/g)];
  expect(inputs).toHaveLength(2);
  for (const [at, [, label = '', parameters = '']] of inputs.entries()) {
    const base = `"@authority";req: sightline.test\n"@signature-params": ${parameters}`;
    const signature = new RegExp(`${label}=:([^:]+):`).exec(headers['signature'] ?? '')?.[1] ?? '';
    const { x, kid } = keys[at]?.listed ?? { x: '', kid: '' };
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(undefined, Buffer.from(base), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(parameters).toContain(`;keyid="${kid}"`);
    expect(parameters).toContain(';tag="http-message-signatures-directory"');
    expect(parameters).toContain(`;expires=${1_800_000_000 + KEY_DIRECTORY_S}`);
  }
});

test('may be used for an hour, and not for so long that a key which was listed before a change is unknown after it', async () => {
  const { headers } = await buildKeyDirectory(keys, URL_OF_IT, Date.now());
  expect(headers['cache-control']).toBe('public, max-age=3600');
});
