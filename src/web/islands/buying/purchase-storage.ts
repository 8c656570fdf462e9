import { isText } from '../../../lib/json.ts';
import { hasShape, isFiniteNumber, isAbsentOr } from '../parts/shape.ts';
import type { StoredPaidRequest } from './paid-request.ts';
import { formatPurchasePrefix } from './purchase-keys.ts';

/** What of a browser's storage is used; a browser may refuse any of it. */
export type Keeping = {
  readonly length: number;
  key: (index: number) => string | null;
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

/**
 * Where purchases without an end are kept, and how they were kept: for every tab of this browser, or, where it refuses
 * that, for this tab. A signed payment is for one payee, one amount and five minutes; it is removed with its end.
 */
export type PurchaseStorage = { shared: Keeping | undefined; tab: Keeping | undefined };

/** A purchase that was begun and has no known end. Its id parts two purchases of the same order. */
export type KeptPurchase = StoredPaidRequest & { id: string; keptAtMs: number };

const isKept = hasShape({
  capability: isText,
  bodyText: isText,
  credential: isText,
  id: isAbsentOr(isText),
  keptAtMs: isAbsentOr(isFiniteNumber),
});

/** As long as the ledger knows how a payment ended, in milliseconds. */
const KEPT_MS = 31 * 86_400_000;
/** Entries of a storage that are looked through. */
const MAX_ENTRIES = 2_000;
const ID_BYTES = 8;

/** Purchases of earlier versions have no id. */
const formatKey = ({ capability, id }: KeptPurchase): string =>
  id === '' ? formatPurchasePrefix(capability) : `${formatPurchasePrefix(capability)} ${id}`;

/** Browsers may refuse even to name their storage. */
export const openPurchaseStorage = (page: {
  readonly localStorage: Keeping;
  readonly sessionStorage: Keeping;
}): PurchaseStorage => ({
  shared: tryOpen(() => page.localStorage),
  tab: tryOpen(() => page.sessionStorage),
});

function tryOpen(open: () => Keeping): Keeping | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** @param repeated the purchase that is sent again: a repeat is as old as it, and is forgotten when the service forgets it */
export function buildKeptPurchase(
  paid: StoredPaidRequest,
  nowMs: number,
  repeated?: Pick<KeptPurchase, 'id' | 'keptAtMs'>,
): KeptPurchase {
  if (repeated !== undefined) return { ...paid, id: repeated.id, keptAtMs: repeated.keptAtMs };
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return { ...paid, id: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''), keptAtMs: nowMs };
}

/** Purchases of a capability that this browser has begun and knows no end of, newest first. */
export function listKeptPurchases(
  { shared, tab }: PurchaseStorage,
  capability: string,
  nowMs: number,
): readonly KeptPurchase[] {
  const found = [shared, tab].flatMap((store) => (store ? listIn(store, capability, nowMs) : []));
  return found.toSorted((one, other) => other.keptAtMs - one.keptAtMs);
}

function listIn(store: Keeping, capability: string, nowMs: number): readonly KeptPurchase[] {
  try {
    const names = Array.from({ length: Math.min(store.length, MAX_ENTRIES) }, (_, index) => store.key(index) ?? '');
    const prefix = formatPurchasePrefix(capability);
    return names
      .filter((name) => name === prefix || name.startsWith(`${prefix} `))
      .flatMap((name) => {
        const kept = parseKept(store.getItem(name), capability);
        if (kept !== undefined && nowMs - kept.keptAtMs <= KEPT_MS) return [kept];
        store.removeItem(name);
        return [];
      });
  } catch {
    return []; // No storage, or not ours: there is nothing to go on with.
  }
}

/** Earlier versions kept one purchase of a capability in its tab, without an id. */
function parseKept(text: string | null, capability: string): KeptPurchase | undefined {
  try {
    const purchase: unknown = JSON.parse(text ?? 'null');
    if (!isKept(purchase) || purchase.capability !== capability) return undefined;
    const { bodyText, credential, id = '', keptAtMs = Date.now() } = purchase;
    JSON.parse(bodyText); // Throws for what this page has not kept.
    return { capability, bodyText, credential, id, keptAtMs };
  } catch {
    return undefined;
  }
}

/** For whom a purchase was kept: every tab, this tab over a reload, or the open page alone. */
export type KeptFor = 'browser' | 'tab' | 'page';

/** Keeps a purchase before its first sending, so that a reload sends the same payment and signs no second one. */
export function keepPurchase({ shared, tab }: PurchaseStorage, purchase: KeptPurchase): KeptFor {
  if (tryKeep(shared, purchase)) return 'browser';
  return tryKeep(tab, purchase) ? 'tab' : 'page';
}

function tryKeep(store: Keeping | undefined, purchase: KeptPurchase): boolean {
  try {
    store?.setItem(formatKey(purchase), JSON.stringify(purchase));
    return store !== undefined;
  } catch {
    return false; // Full, or refused.
  }
}

export function forgetPurchase({ shared, tab }: PurchaseStorage, purchase: KeptPurchase): void {
  for (const store of [shared, tab]) {
    try {
      store?.removeItem(formatKey(purchase));
    } catch {
      // Without storage nothing was kept.
    }
  }
}

/** Leaves the right to publish a report to the report's page, in this tab. */
export function keepPublishToken({ tab }: PurchaseStorage, reportId: string, token: string): void {
  try {
    tab?.setItem(`sightline-publish-${reportId}`, token);
  } catch {
    // Without storage the report cannot be published by a button; it is bought all the same.
  }
}
