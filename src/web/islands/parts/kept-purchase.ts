import * as z from 'zod/mini';
import type { PaidRequest } from './paid-request.ts';

/** What of `sessionStorage` is used; a browser may refuse any of it. */
export type Keeping = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

const kept = z.object({ capability: z.string(), bodyText: z.string(), credential: z.string() });

const keyOf = (capability: string): string => `sightline-purchase-${capability}`;

/** The purchase of a capability that this tab has begun and knows no end of. */
export function keptPurchase(storage: Keeping, capability: string): PaidRequest | undefined {
  try {
    const purchase = kept.safeParse(JSON.parse(storage.getItem(keyOf(capability)) ?? 'null'));
    if (!purchase.success || purchase.data.capability !== capability) return undefined;
    JSON.parse(purchase.data.bodyText); // Throws for what this page has not kept.
    return purchase.data;
  } catch {
    return undefined; // No storage, or not ours: there is nothing to go on with.
  }
}

/** Keeps a purchase before its first sending, so that a reload sends the same payment and signs no second one. */
export function keepPurchase(storage: Keeping, purchase: PaidRequest): void {
  try {
    storage.setItem(keyOf(purchase.capability), JSON.stringify(purchase));
  } catch {
    // Without storage the page still has it; only a reload forgets.
  }
}

export function forgetPurchase(storage: Keeping, capability: string): void {
  try {
    storage.removeItem(keyOf(capability));
  } catch {
    // Without storage nothing was kept.
  }
}

/** Leaves the right to publish a report to the report's page, in this tab. */
export function keepPublishToken(storage: Keeping, reportId: string, token: string): void {
  try {
    storage.setItem(`sightline-publish-${reportId}`, token);
  } catch {
    // Without storage the report cannot be published by a button; it is bought all the same.
  }
}
