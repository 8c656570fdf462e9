import { compactVerify, createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, test } from 'vitest';
import { formatJcs } from '../../src/lib/jcs.ts';
import { encodeBase64url } from '../../src/lib/base64url.ts';
import { buildDidDocument, buildKeySet } from '../../src/statements/key-set.ts';
import { retiredKeys } from '../../src/statements/retired-keys.ts';
import { readStatement, markUnsigned } from '../../src/statements/result-statement.ts';
import { computeThumbprint, deriveSeed, importSigningKey, parseSigningSeed } from '../../src/statements/signing-key.ts';
import { boughtText, ISSUER, keyOf, keySetText, RESULT, signedText } from '../support/statements/signed-report.ts';

describe('the seed of a key', () => {
  test('is read as base64url and as a private JWK, and gives the key of RFC 8037', async () => {
    // Appendix A of RFC 8037: the private key, its public half and the thumbprint of that.
    const seed = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
    const jwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: seed, x });
    for (const text of [seed, ` ${seed}\n`, jwk]) {
      const read = parseSigningSeed(text);
      if (read === undefined) throw new Error('no seed');
      const key = await importSigningKey(read);
      expect(key.publicKey).toEqual({ kty: 'OKP', crv: 'Ed25519', x });
      expect(key.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    }
  });

  test.each([
    '',
    'short',
    'a'.repeat(44),
    '{"kty":"EC"}',
    '{',
    JSON.stringify({ kty: 'OKP', crv: 'X25519', d: 'a'.repeat(43) }),
  ])('%s is none', (text) => expect(parseSigningSeed(text)).toBeUndefined());

  test('leads to another one for another purpose', async () => {
    const seed = new Uint8Array(32).fill(5);
    const derived = await deriveSeed(seed, 'delivery figures');
    expect(derived).toEqual(await deriveSeed(seed, 'delivery figures'));
    expect(derived).not.toEqual(await deriveSeed(seed, 'another'));
    expect(derived).not.toEqual(seed);
  });
});

describe('a statement', () => {
  test('is a JWS that other libraries verify, over the canonical JSON of its claims', async () => {
    const statement = readStatement(await signedText());
    if (statement === undefined) throw new Error('no statement');
    const [header = '', empty, signature = ''] = statement.jws.split('.');
    expect(empty).toBe('');
    const payload = encodeBase64url(new TextEncoder().encode(formatJcs(statement.claims)));
    const { keys } = JSON.parse(await keySetText()) as JSONWebKeySet;
    const [key] = keys;
    if (key === undefined) throw new Error('no key');
    const found = await flattenedVerify({ protected: header, payload, signature }, key);
    expect(found.protectedHeader).toEqual({ alg: 'EdDSA', kid: key.kid, typ: 'result-statement' });
    const local = createLocalJWKSet({ keys });
    await expect(compactVerify(`${header}.${payload}.${signature}`, local)).resolves.toBeDefined();
  });

  test('is the same for the same result, and the receipt for the same purchase', async () => {
    expect(await signedText()).toBe(await signedText());
    expect(await boughtText()).toBe(await boughtText());
  });

  test('is found at the end of a text, whatever its result quotes', async () => {
    const text = await signedText();
    expect(readStatement(text)?.claims.report_id).toBe(RESULT.report_id);
    expect(markUnsigned(text)).toBe(text);
    const unsigned = markUnsigned(JSON.stringify(RESULT));
    expect(JSON.parse(unsigned)).toEqual({ ...RESULT, statement: 'unsigned' });
    expect(markUnsigned(unsigned)).toBe(unsigned);
    expect(readStatement(unsigned)).toBeUndefined();
    expect(markUnsigned('{}')).toBe('{}');
  });
});

describe('the key set', () => {
  test('lists each key once, with its thumbprint and what it signs', async () => {
    const [results, delivery, old] = [await keyOf(1), await keyOf(2), await keyOf(3)];
    const retired = retiredKeys.parse({ keys: [old.publicKey, results.publicKey] });
    const { keys } = await buildKeySet({ results, delivery, retired });
    expect(keys).toEqual([
      {
        ...results.publicKey,
        kid: results.kid,
        alg: 'EdDSA',
        use: 'sig',
        signs: ['result-statement', 'purchase-receipt'],
      },
      { ...delivery.publicKey, kid: delivery.kid, alg: 'EdDSA', use: 'sig', signs: ['delivery-summary'] },
      { ...old.publicKey, kid: old.kid, alg: 'EdDSA', use: 'sig', signs: ['result-statement', 'purchase-receipt'] },
    ]);
    expect(await computeThumbprint(old.publicKey)).toBe(old.kid);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  test('takes no private key for a retired one, and at most twenty', async () => {
    const { publicKey } = await keyOf(3);
    expect(retiredKeys.safeParse([{ ...publicKey, d: 'secret' }]).success).toBe(false);
    expect(retiredKeys.safeParse([{ kty: 'EC' }]).success).toBe(false);
    expect(retiredKeys.safeParse(Array.from({ length: 21 }, () => publicKey)).success).toBe(false);
  });

  test('is a DID document as well, without the key of delivery figures', async () => {
    const [results, delivery] = [await keyOf(1), await keyOf(2)];
    const document = await buildDidDocument(`${ISSUER}:8443`, { results, delivery, retired: [] });
    expect(document).toMatchObject({
      id: 'did:web:sightline.example%3A8443',
      verificationMethod: [{ id: `did:web:sightline.example%3A8443#${results.kid}`, publicKeyJwk: results.publicKey }],
    });
    expect(JSON.stringify(document)).not.toContain(delivery.publicKey.x);
  });
});
