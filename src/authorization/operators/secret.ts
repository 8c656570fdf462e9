import { computeSha256Hex, isSameText } from '../../lib/digest.ts';
import type { AttemptLimits } from '../people/attempts.ts';
import type { StoreTools } from '../oauth/rows.ts';

/**
 * The secret that someone gave: its SHA-256, and the epoch of this deployment's operator secret when it is that one.
 */
export type SecretEvidence = { hash: string; provenEpoch?: string | undefined };

/** What the store gets to know of a secret that someone gave: never the secret itself. */
export async function identifySecret(given: string, operatorSecret: string | undefined): Promise<SecretEvidence> {
  const isRoot = isUsableSecret(operatorSecret) && (await isOperatorSecret(given, operatorSecret));
  return {
    hash: await hashOperatorSecret(given),
    provenEpoch: isRoot ? await computeSecretEpoch(operatorSecret) : undefined,
  };
}

/** 32 random bytes as base64url have 43 characters. A shorter secret is no secret: sign-in of the operator is off. */
const USABLE_SECRET = /^[A-Za-z0-9_-]{43,1024}$/;
/** What is sent is not looked at beyond this. */
const MAX_GIVEN_CHARS = 1_024;

/** Failures within 15 minutes after which everyone, or one caller, has to wait (rule A4). */
export const OPERATOR_ATTEMPTS: AttemptLimits = { perCaller: 5, inAll: 20, windowMs: 15 * 60_000 };

export const isUsableSecret = (secret: string | undefined): secret is string =>
  secret !== undefined && USABLE_SECRET.test(secret);

/** SHA-256 of a secret that someone gave: by it the secrets of named operators are known. */
export const hashOperatorSecret = (given: string): Promise<string> =>
  computeSha256Hex(given.slice(0, MAX_GIVEN_CHARS + 1));

/** Compares by SHA-256 in constant time: neither length nor first difference of the secret shows. */
export async function isOperatorSecret(given: string, secret: string): Promise<boolean> {
  const [left, right] = await Promise.all([hashOperatorSecret(given), computeSha256Hex(secret)]);
  return isSameText(left, right);
}

export const EPOCH_ROW = 'own:operator-epoch';
const SECRET_CHARS = 32;
const ID_BYTES = 16;

/** `secret` is what `computeSecretEpoch` says of it. `id` is random: a secret that comes back begins a new epoch. */
export type OperatorEpoch = { secret: string; id: string };

/** Which operator secret is in force: the first 16 bytes of its SHA-256 as hex. Undefined when operator sign-in is off. */
export const computeSecretEpoch = async (secret: string | undefined): Promise<string | undefined> =>
  isUsableSecret(secret) ? (await computeSha256Hex(secret)).slice(0, SECRET_CHARS) : undefined;

/**
 * The epoch that the store is in. A new secret begins another: sessions of the operator carry the id of their epoch and
 * end with it, and so does what the operator granted. Anyone who had the old secret has nothing left of it (rule A4).
 */
export function createEpochStore({ rows, random }: Pick<StoreTools, 'rows' | 'random'>) {
  const current = (): OperatorEpoch | undefined => rows.get<OperatorEpoch>(EPOCH_ROW);
  return {
    current,
    /** Takes up the secret of this deployment. `endGrants` ends the access of all clients to the operator's account. */
    adopt: async (secret: string | undefined, endGrants: () => Promise<void>): Promise<void> => {
      if (secret !== undefined && secret === current()?.secret) return;
      rows.delete(EPOCH_ROW); // No one is the operator until all is ended.
      await endGrants();
      if (secret !== undefined) rows.put(EPOCH_ROW, { secret, id: random(ID_BYTES) } satisfies OperatorEpoch);
    },
  };
}
