import type { RetiredKey, ServiceKeys } from './key-set.ts';
import { deriveSeed, importSigningKey, type ResultSigner } from './signing-key.ts';

/** Settings of the api Worker that keys come from. */
type SigningSettings = {
  BASE_URL: string;
  RESULT_SIGNING_KEY?: Uint8Array<ArrayBuffer> | undefined;
  RESULT_SIGNING_KEYS_RETIRED?: readonly RetiredKey[] | undefined;
};

type Loaded = ServiceKeys & { issuer: string; signer?: ResultSigner };

/** Made keys, never pending ones: a request must not wait for another request's promise, which may never settle. */
const known = new WeakMap<object, Loaded>();

/**
 * The keys of a deployment, made once per isolate. The key of results signs results and receipts and nothing else: delivery
 * figures have a key of their own, which is derived from the same secret.
 */
export async function loadServiceKeys(settings: SigningSettings): Promise<Loaded> {
  const before = known.get(settings);
  if (before !== undefined) return before;
  const loaded = await makeServiceKeys(settings);
  known.set(settings, loaded);
  return loaded;
}

async function makeServiceKeys({
  BASE_URL,
  RESULT_SIGNING_KEY: seed,
  RESULT_SIGNING_KEYS_RETIRED: retired = [],
}: SigningSettings): Promise<Loaded> {
  const issuer = new URL(BASE_URL).origin;
  if (seed === undefined) return { issuer, retired };
  const results = await importSigningKey(seed);
  const delivery = await importSigningKey(await deriveSeed(seed, 'delivery figures'));
  return { issuer, retired, results, delivery, signer: { issuer, key: results } };
}
