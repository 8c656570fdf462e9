import { computeHmacSha256, toHex } from '../../lib/digest.ts';
import { LedgerUnavailable } from './protocol.ts';

/** The keys of a ledger, as its settings have them. */
export type LedgerSecrets = {
  LEDGER_SECRET: string;
  LEDGER_SECRET_PREVIOUS?: string | undefined;
  LEDGER_PLACING_SECRET?: string | undefined;
};

/**
 * The key that names the shard of a payment. It never changes in the life of a ledger: under another one a payment would be
 * looked for where it is not, and buy a second time. So it outlives the secret that it was (`LEDGER_SECRET`).
 */
export const selectPlacingSecret = (secrets: LedgerSecrets): string =>
  secrets.LEDGER_PLACING_SECRET ?? secrets.LEDGER_SECRET_PREVIOUS ?? secrets.LEDGER_SECRET;

/** The one object that knows by which key payments are placed: the payment ledger's, under this name. */
export const PLACING_OBJECT = 'ledger-placing';

/** That object, as the api Worker and the shards reach it over RPC. */
export interface PlacingKeeper {
  /** Whether payments are placed by the key of this mark. The first one that asks decides it for ever. */
  isPlacedBy(mark: string): Promise<boolean>;
}

/** What is kept of a key: it says nothing of it, and no other key has it. */
const computePlacingMark = async (secret: string): Promise<string> =>
  toHex(await computeHmacSha256(secret, 'the key that places payments'));

const KEY = 'placing';

/** The mark in an object's storage. */
export const openPlacing = (kept: { get: (key: string) => unknown; put: (key: string, mark: string) => void }) => ({
  isPlacedBy(mark: string): boolean {
    const known = kept.get(KEY);
    if (known === undefined) kept.put(KEY, mark);
    return known === undefined || known === mark;
  },
});

/** Keys that were found right: they stay so. Memory of an isolate or of an object. */
export type PlacingMemory = Set<string>;

/**
 * Lets a payment on only where its ledger is placed by this key. A secret that was changed without the one before it
 * closes sales; it never opens a second ledger beside the first.
 * @throws LedgerUnavailable, and what asking the object throws
 */
export async function requirePlacing(
  secret: string,
  keeper: () => PlacingKeeper,
  memory: PlacingMemory,
  log: (event: Record<string, unknown>) => void,
): Promise<void> {
  if (memory.has(secret)) return;
  if (await keeper().isPlacedBy(await computePlacingMark(secret))) {
    memory.add(secret);
    return;
  }
  log({ event: 'ledger_secret_changed', severity: 'ERROR' });
  throw new LedgerUnavailable('placing');
}
