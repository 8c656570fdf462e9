/** Web Locks, as far as they are used: a lock is held while its callback runs; with `ifAvailable` it may be null. */
type TabLocks = {
  request: {
    <T>(name: string, act: () => Promise<T>): Promise<T>;
    <T>(name: string, options: { ifAvailable: true }, act: (lock: object | null) => Promise<T>): Promise<T>;
  };
  query: () => Promise<{ held?: { name?: string }[] }>;
};

type TabChannel = {
  postMessage: (message: unknown) => void;
  addEventListener: (type: 'message', listen: (event: { data: unknown }) => void) => void;
};

/** What of the browser lets tabs know of each other; a browser may have none of it. */
export type TabTools = { locks: TabLocks | undefined; channel: TabChannel | undefined };

const CHANNEL = 'sightline-purchases';

export const openTabTools = (page: {
  navigator: { locks?: TabLocks };
  BroadcastChannel?: new (name: string) => TabChannel;
}): TabTools => ({
  locks: page.navigator.locks,
  channel: page.BroadcastChannel === undefined ? undefined : new page.BroadcastChannel(CHANNEL),
});

/** One order: the capability and the exact body. */
type Order = { capability: string; bodyText: string };

const formatLockName = ({ capability, bodyText }: Order): string => `sightline-order-${capability} ${bodyText}`;

/**
 * Runs `act` while no other tab of this browser buys the same order. False, and nothing run, where one does. Without locks it
 * runs: the ledger then is all that keeps one payment one purchase.
 */
export async function runAsOnlyTab({ locks }: TabTools, order: Order, act: () => Promise<void>): Promise<boolean> {
  if (!locks) {
    await act();
    return true;
  }
  return locks.request(formatLockName(order), { ifAvailable: true }, async (lock) => {
    if (lock === null) return false;
    await act();
    return true;
  });
}

/** Resolves when no tab buys the order any more. */
export async function waitForOtherTab({ locks }: TabTools, order: Order): Promise<void> {
  await locks?.request(formatLockName(order), () => Promise.resolve());
}

/** Whether a tab, this or another, buys the order now. */
export async function isBeingBought({ locks }: TabTools, order: Order): Promise<boolean> {
  const name = formatLockName(order);
  try {
    return (await locks?.query())?.held?.some((lock) => lock.name === name) ?? false;
  } catch {
    return false; // The browser does not say.
  }
}

/** The end of a purchase, for tabs that wait for it. */
export type SoldNotice = Order & { reportId: string };

export function announceSold({ channel }: TabTools, notice: SoldNotice): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches our own origin alone.
  channel?.postMessage(notice);
}

/** Other pages of ours are all that can post here; what they post is read like anything else. */
export function onSold({ channel }: TabTools, act: (notice: SoldNotice) => void): void {
  channel?.addEventListener('message', ({ data }) => {
    if (typeof data !== 'object' || data === null) return;
    const { capability, bodyText, reportId } = data as Readonly<Record<string, unknown>>;
    if (typeof capability !== 'string' || typeof bodyText !== 'string' || typeof reportId !== 'string') return;
    if (/^[0-9a-f]{32}$/.test(reportId)) act({ capability, bodyText, reportId });
  });
}
