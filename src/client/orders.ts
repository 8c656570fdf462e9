import type { Awaitable } from './answer.ts';

/**
 * Open payments: each is saved before it is sent, so that the same call after a crash, a timeout or a refusal sends the
 * same payment. What is saved reads its result: keep it like a password.
 */
export type OpenOrders = {
  get: (key: string) => Awaitable<string | null | undefined>;
  /** Saves a payment unless there is one under this key, in one step. @returns what is saved there now */
  add: (key: string, payment: string) => Awaitable<string>;
  /** Deletes a payment, if it is still the one that is saved. */
  delete: (key: string, payment: string) => Awaitable<void>;
};

/** Orders in memory that are remembered at once: beyond, the oldest is forgotten. */
const MAX_MEMORY_ORDERS = 10_000;

/** For programs that end with their purchases. */
export function createMemoryOrders(): OpenOrders {
  const saved = new Map<string, string>();
  return {
    get: (key) => saved.get(key),
    add: (key, payment) => {
      const first = saved.get(key);
      if (first !== undefined) return first;
      for (const [oldest] of saved) if (saved.size >= MAX_MEMORY_ORDERS) saved.delete(oldest);
      saved.set(key, payment);
      return payment;
    },
    delete: (key, payment) => {
      if (saved.get(key) === payment) saved.delete(key);
    },
  };
}

/** As much of `localStorage` as is used. */
export type TextStorage = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

/** For pages of browsers: `createStorageOrders(localStorage)` outlives a reload. */
export function createStorageOrders(storage: TextStorage, prefix = 'sightline.order.'): OpenOrders {
  return {
    get: (key) => storage.getItem(prefix + key),
    add: (key, payment) => {
      const first = storage.getItem(prefix + key);
      if (first !== null) return first;
      storage.setItem(prefix + key, payment);
      return payment;
    },
    delete: (key, payment) => {
      if (storage.getItem(prefix + key) === payment) storage.removeItem(prefix + key);
    },
  };
}

/** What makes two calls the same order. */
export type OrderMarks = { origin: string; payer: string; capability: string; body: string; order: string };

export async function computeOrderName({ origin, payer, capability, body, order }: OrderMarks): Promise<string> {
  const text = [origin, payer.toLowerCase(), capability, order, body].join('\n');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** JSON with its keys in order: the same body is the same order, however it was written. */
export const formatSortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
