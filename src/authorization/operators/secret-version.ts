import { computeSha256Hex } from '../../lib/digest.ts';
import { isUsableSecret } from './sign-in.ts';
import type { StoreTools } from '../oauth/rows.ts';

const EPOCH = 'own:operator-epoch';
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
  const current = (): OperatorEpoch | undefined => rows.get<OperatorEpoch>(EPOCH);
  return {
    current,
    /** Takes up the secret of this deployment. `endGrants` ends the access of all clients to the operator's account. */
    adopt: async (secret: string | undefined, endGrants: () => Promise<void>): Promise<void> => {
      if (secret !== undefined && secret === current()?.secret) return;
      rows.delete(EPOCH); // No one is the operator until all is ended.
      await endGrants();
      if (secret !== undefined) rows.put(EPOCH, { secret, id: random(ID_BYTES) } satisfies OperatorEpoch);
    },
  };
}
