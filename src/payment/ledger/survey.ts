import type { PaymentLine } from './list.ts';

/** The ledger's shards, `00` to `ff`. */
export const SHARDS = 256;
/** Shards that are asked at the same time. */
export const PARALLEL_SHARDS = 16;
/**
 * How long shards are asked for one page, in milliseconds. Only those are asked of which the books have nothing yet; what
 * is left is asked with the next page.
 */
export const SHARDS_MS = 300;

/** A payment in the operator's list. `id` is how logs name it: the key itself holds the payer and the nonce. */
export type PaymentListItem = Omit<PaymentLine, 'key'> & { id: string };

/**
 * Asks shards until there is no time left, so many at once. One that fails or takes too long is not among those that
 * answered; what it was asked to do may be done all the same.
 * @returns the shards that answered with `true`
 */
export async function askShards(
  names: readonly string[],
  ask: (name: string) => Promise<boolean>,
  limitMs: number = SHARDS_MS,
): Promise<string[]> {
  const waiting = [...names];
  const answered: string[] = [];
  const drain = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      // One that fails is asked again with the next page.
      if (await ask(name).catch(() => false)) answered.push(name);
    }
  };
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([late, Promise.all(Array.from({ length: PARALLEL_SHARDS }, drain))]);
  waiting.length = 0; // Nothing more is begun.
  if (timer !== null) clearTimeout(timer);
  return [...answered];
}
