import { loadOnce } from '../lib/concurrency.ts';
import { type BotKey, loadBotKey } from './bot-key.ts';

/** How long a signature is good, in seconds: it is made for one request, which is sent at once. */
export const BOT_SIGNATURE_S = 60;

const loadLibrary = /* @__PURE__ */ loadOnce(() => import('./library.ts'));

/** The header fields of a signed request, in lower case. */
export type SignatureFields = { 'signature-agent': string; 'signature-input': string; signature: string };

/**
 * Signs a request of the auditor for the host that it goes to, so that its owner can verify who asks: `@authority` and
 * `signature-agent` are covered, with a fresh nonce, for a minute.
 * @param agent our own origin, where the directory of keys is
 * @see https://datatracker.ietf.org/doc/html/draft-meunier-web-bot-auth-architecture section 4
 */
export async function signBotRequest(key: BotKey, agent: string, url: string, nowMs: number): Promise<SignatureFields> {
  const { signatureHeaders } = await loadLibrary();
  const signatureAgent = `"${agent}"`;
  const made = await signatureHeaders(
    { method: 'GET', url, headers: { 'Signature-Agent': signatureAgent } },
    { alg: 'ed25519', keyid: key.listed.kid, sign: key.sign },
    { created: new Date(nowMs), expires: new Date(nowMs + BOT_SIGNATURE_S * 1000) },
  );
  return {
    'signature-agent': signatureAgent,
    'signature-input': made['Signature-Input'],
    signature: made.Signature,
  };
}

/** Settings of the auditor's keys. */
export type BotKeySettings = { BOT_SIGNING_KEY?: string | undefined; BOT_SIGNING_KEY_PREVIOUS?: string | undefined };

/** Signs what is asked under our own name; undefined where no key is set: then nothing is signed. */
export function createRequestSigner(
  { BOT_SIGNING_KEY: secret }: BotKeySettings,
  baseUrl: string,
  now: () => number,
): ((url: string) => Promise<SignatureFields>) | undefined {
  if (secret === undefined) return undefined;
  const { origin } = new URL(baseUrl);
  return async (url) => {
    const key = await loadBotKey(secret);
    if (key === undefined) throw new TypeError('BOT_SIGNING_KEY is not 32 bytes in base64url');
    return signBotRequest(key, origin, url, now());
  };
}
