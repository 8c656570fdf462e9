import { loadOnce } from '../lib/concurrency.ts';
import type { BotKey } from './bot-key.ts';

export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const KEY_DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';
/**
 * How long verifiers may use a directory, and how long its signatures are good: an hour, in seconds. A key that is to sign must
 * have been listed for so long.
 */
export const KEY_DIRECTORY_S = 3_600;

const loadLibrary = /* @__PURE__ */ loadOnce(() => import('./library.ts'));

/**
 * The directory of the auditor's keys: the one that signs first, then the one before or after it. Signed by each of them for this
 * host, so that no one else can pass it off as its own.
 * @param url the address that was asked for
 */
export async function buildKeyDirectory(
  keys: readonly BotKey[],
  url: string,
  nowMs: number,
): Promise<{ body: string; headers: Record<string, string> }> {
  const { directoryResponseHeaders } = await loadLibrary();
  const signed = await directoryResponseHeaders(
    { request: { method: 'GET', url, headers: {} }, response: { status: 200, headers: {} } },
    keys.map(({ listed, sign }) => ({ alg: 'ed25519' as const, keyid: listed.kid, sign })),
    { created: new Date(nowMs), expires: new Date(nowMs + KEY_DIRECTORY_S * 1000) },
  );
  return {
    body: `${JSON.stringify({ keys: keys.map(({ listed }) => listed) }, null, 2)}\n`,
    headers: {
      'content-type': KEY_DIRECTORY_TYPE,
      'cache-control': `public, max-age=${KEY_DIRECTORY_S}`,
      signature: signed.Signature,
      'signature-input': signed['Signature-Input'],
    },
  };
}
