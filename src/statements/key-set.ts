import { getMember, getTextList, isObject, parseJson, toObjects } from '../lib/json.ts';
import { computeThumbprint, type Ed25519PublicKey, readPublicKey, type SigningKey } from './signing-key.ts';
import type { StatementType } from './signed-claims.ts';

/** Where a service lists its public keys. */
export const KEY_SET_PATH = '/.well-known/jwks.json';
export const DID_PATH = '/.well-known/did.json';

/** Keys of a set that are read. */
const MAX_KEYS_READ = 100;

/** What keys of results sign, and what the key of delivery figures signs. */
export const RESULT_KEY_SIGNS: readonly StatementType[] = ['result-statement', 'purchase-receipt'];
export const DELIVERY_KEY_SIGNS: readonly StatementType[] = ['delivery-summary'];

/** A key that signed before, and what. */
export type RetiredKey = Ed25519PublicKey & { signs: readonly string[] };

/** The keys of a deployment: the two that sign, where it has them, and those that signed before. */
export type ServiceKeys = {
  results?: SigningKey | undefined;
  delivery?: SigningKey | undefined;
  retired: readonly RetiredKey[];
};

/** The key set (RFC 7517): `kid` is the thumbprint of a key. */
export async function buildKeySet({ results, delivery, retired }: ServiceKeys): Promise<{ keys: readonly object[] }> {
  const list = [
    ...(results === undefined ? [] : [{ ...results.publicKey, signs: RESULT_KEY_SIGNS }]),
    ...(delivery === undefined ? [] : [{ ...delivery.publicKey, signs: DELIVERY_KEY_SIGNS }]),
    ...retired,
  ];
  const keys = await Promise.all(list.map(describeKey));
  return { keys: keys.filter((key, at) => keys.findIndex(({ kid }) => kid === key.kid) === at) };
}

const describeKey = async ({ kty, crv, x, signs }: Ed25519PublicKey & { signs: readonly string[] }) => ({
  kty,
  crv,
  x,
  kid: await computeThumbprint({ kty, crv, x }),
  alg: 'EdDSA',
  use: 'sig',
  signs,
});

/** `did:web` of an origin: tools of x402 find keys by it. */
export const formatDid = (origin: string): string => `did:web:${encodeURIComponent(new URL(origin).host)}`;

/** The DID document of a service: the keys of its receipts. */
export async function buildDidDocument(origin: string, keys: ServiceKeys): Promise<object> {
  const did = formatDid(origin);
  const { keys: listed } = await buildKeySet({ results: keys.results, retired: keys.retired.filter(isOfResults) });
  const methods = (listed as Awaited<ReturnType<typeof describeKey>>[]).map(({ kid, kty, crv, x }) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey',
    controller: did,
    publicKeyJwk: { kty, crv, x },
  }));
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  };
}

const isOfResults = ({ signs }: RetiredKey): boolean => signs.includes('result-statement');

/**
 * The Ed25519 keys of a key set that say that they sign this, by their thumbprints, which are computed and not believed.
 * Undefined for a text that is no key set.
 */
export async function readKeySet(
  text: string,
  type: StatementType,
): Promise<ReadonlyMap<string, Ed25519PublicKey> | undefined> {
  const json = parseJson(text);
  const list = json !== undefined && isObject(json) ? getMember(json, 'keys') : undefined;
  if (!Array.isArray(list)) return undefined;
  const mine = toObjects(list.slice(0, MAX_KEYS_READ)).flatMap((jwk) => {
    const key = getTextList(jwk, 'signs').includes(type) ? readPublicKey(jwk) : undefined;
    return key === undefined ? [] : [key];
  });
  return new Map(await Promise.all(mine.map(async (key) => [await computeThumbprint(key), key] as const)));
}
