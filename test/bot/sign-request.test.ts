import { createPublicKey, verify as verifyEd25519 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verify } from 'web-bot-auth';
import { signerFromJWK, verifierFromJWK } from 'web-bot-auth/crypto';
import { readBotKey } from '../../src/bot/bot-key.ts';
import { BOT_SIGNATURE_S, createRequestSigner, signBotRequest } from '../../src/bot/sign-request.ts';

/** The key of RFC 9421, appendix B.1.4; its thumbprint is that of RFC 8037's method over it. */
const SECRET = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
const X = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const KID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
const AGENT = 'https://sightline.test';

const key = await readBotKey(SECRET);
if (key === undefined) throw new Error('no key');

const toMessage = (url: string, headers: Readonly<Record<string, string>>) => ({ method: 'GET', url, headers });
const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: X };

test('the key of a secret is the one of the RFC, named by its thumbprint', () => {
  expect(key.listed).toEqual({ kty: 'OKP', crv: 'Ed25519', x: X, kid: KID, alg: 'ed25519', use: 'sig' });
});

test.each(['', 'short', SECRET.slice(1), `${SECRET}A`, `${SECRET.slice(0, 42)}!`])(
  '%j is no secret',
  async (secret) => {
    expect(await readBotKey(secret)).toBeUndefined();
  },
);

describe('a signed request', () => {
  const url = 'https://shop.example:8443/a?b=c';

  test('is verified by the official library', async () => {
    const headers = await signBotRequest(key, AGENT, url, Date.now());
    await expect(verify(toMessage(url, headers), await verifierFromJWK(publicJwk))).resolves.toBeUndefined();
  });

  test('is verified by the text of the RFC alone: the base is written by hand, the signature judged by OpenSSL', async () => {
    const fields = await signBotRequest(key, AGENT, url, Date.now());
    const parameters = fields['signature-input'].slice('sig1='.length);
    expect(parameters).toMatch(/^\("@authority" "signature-agent"\);created=\d+;keyid="/);
    const base = [
      '"@authority": shop.example:8443',
      `"signature-agent": "${AGENT}"`,
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = Buffer.from(/^sig1=:(.+):$/.exec(fields.signature)?.[1] ?? '', 'base64');
    const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
    expect(verifyEd25519(undefined, Buffer.from(base), publicKey, signature)).toBe(true);
  });

  test('names its key, its tag, a nonce of its own, and ends within a minute', async () => {
    const nowMs = 1_800_000_000_000;
    const made = await Promise.all([1, 2].map(() => signBotRequest(key, AGENT, url, nowMs)));
    const [first = '', second = ''] = made.map((one) => one['signature-input']);
    expect(first).toContain(`;created=1800000000;`);
    expect(first).toContain(`;expires=${1_800_000_000 + BOT_SIGNATURE_S}`);
    expect(BOT_SIGNATURE_S).toBeLessThanOrEqual(60);
    expect(first).toContain(`;keyid="${KID}"`);
    expect(first).toContain(';tag="web-bot-auth"');
    const nonces = [first, second].map((text) => /;nonce="([^"]{86,88})"/.exec(text)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    expect(nonces).not.toContain(undefined);
  });

  test.each([
    ['for another host', 'https://other.example/', Date.now(), X, /signature/i],
    ['after its minute', url, Date.now() - (BOT_SIGNATURE_S + 1) * 1000, X, /expired/],
    ['by another key', url, Date.now(), '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', /signature/i],
  ])('is refused %s', async (_what, presentedTo, madeAtMs, x, why) => {
    const headers = await signBotRequest(key, AGENT, url, madeAtMs);
    const verifier = await verifierFromJWK({ ...publicJwk, x });
    await expect(verify(toMessage(presentedTo, headers), verifier)).rejects.toThrow(why);
  });

  test('is what the library makes of the same key and the same nonce', async () => {
    const nowMs = Date.now();
    const fields = await signBotRequest(key, AGENT, url, nowMs);
    const signer = await signerFromJWK({ ...publicJwk, d: SECRET });
    expect(signer.keyid).toBe(KID);
    const nonce = /;nonce="([^"]+)"/.exec(fields['signature-input'])?.[1] ?? '';
    const { signatureHeaders } = await import('web-bot-auth');
    const made = await signatureHeaders(toMessage(url, { 'Signature-Agent': `"${AGENT}"` }), signer, {
      created: new Date(nowMs),
      expires: new Date(nowMs + BOT_SIGNATURE_S * 1000),
      nonce,
    });
    expect(made.Signature).toBe(fields.signature);
  });
});

test('nothing signs where no key is set', () => {
  expect(createRequestSigner({}, AGENT, Date.now)).toBeUndefined();
});

test('the agent is named by its origin, whatever path the address of the service has', async () => {
  const sign = createRequestSigner({ BOT_SIGNING_KEY: SECRET }, `${AGENT}/base/`, Date.now);
  expect((await sign?.('https://shop.example/'))?.['signature-agent']).toBe(`"${AGENT}"`);
});
