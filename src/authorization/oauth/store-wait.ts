import { getErrorName, isPlatformFault } from '../../lib/errors.ts';

/** A store of accounts or tokens answers within this, or is not waited for. */
export const STORE_ANSWER_MS = 5_000;
/** The root waits for shards itself where it must know that they have heard: 2 s for a new grant, and 5 s for notices. */
export const DECISION_ANSWER_MS = 15_000;

/** A store did not answer: what it would have said, and whether it did what was asked, is not known. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
  /** @param why the name of the platform's fault, or `Late` */
  constructor(why: string) {
    super(`a store of tokens did not answer: ${why}`);
  }
}

/**
 * Waits for a call of a store, never for longer than the limit.
 * @throws StoreUnreachable when it is late or the platform failed it; and what the store itself threw
 */
export async function waitForStore<T>(call: () => Promise<T>, limitMs = STORE_ANSWER_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnreachable('Late')), limitMs);
  });
  try {
    return await Promise.race([late, call()]);
  } catch (error) {
    throw isPlatformFault(error) ? new StoreUnreachable(getErrorName(error)) : error;
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** The same object, each call of which is waited for no longer than its limit. */
export function limitWaits<T extends object>(store: T, limitOf?: (method: string) => number): T {
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) =>
        waitForStore(async () => Reflect.apply(method, target, args) as unknown, limitOf?.(String(name)));
    },
  });
}
