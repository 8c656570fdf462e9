import { describe, expect, test } from 'vitest';
import {
  announceSold,
  isBeingBought,
  onSold,
  openTabTools,
  runAsOnlyTab,
  type SoldNotice,
  type TabTools,
  waitForOtherTab,
} from '../../../../src/web/islands/buying/purchase-tabs.ts';

const ORDER = { capability: 'full_audit', bodyText: '{"url":"https://example.com/"}' };
const OTHER = { ...ORDER, bodyText: '{"url":"https://example.org/"}' };
const REPORT = 'ab'.repeat(16);

/** Locks as browsers have them, as far as one name at a time is concerned. */
function createLocks(): NonNullable<TabTools['locks']> {
  const held = new Map<string, Promise<unknown>>();
  const request = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const act = rest.at(-1) as (lock: object | null) => Promise<unknown>;
    const isEager = rest.length > 1;
    if (held.has(name) && isEager) return act(null);
    while (held.has(name)) await held.get(name);
    const running = act({ name });
    held.set(name, running);
    try {
      return await running;
    } finally {
      held.delete(name);
    }
  };
  const query = async () => ({ held: [...held.keys()].map((name) => ({ name })) });
  return { request, query } as NonNullable<TabTools['locks']>;
}

describe('tabs of one browser', () => {
  test('buy an order one after the other, and other orders at the same time', async () => {
    const tools: TabTools = { locks: createLocks(), channel: undefined };
    const done: string[] = [];
    const paying = Promise.withResolvers<void>();
    const first = runAsOnlyTab(tools, ORDER, async () => {
      await paying.promise;
      done.push('first');
    });
    expect(await isBeingBought(tools, ORDER)).toBe(true);
    expect(await isBeingBought(tools, OTHER)).toBe(false);
    expect(await runAsOnlyTab(tools, ORDER, async () => void done.push('never'))).toBe(false);
    expect(await runAsOnlyTab(tools, OTHER, async () => void done.push('other'))).toBe(true);
    const waiting = waitForOtherTab(tools, ORDER).then(() => done.push('waited'));
    paying.resolve();
    expect(await first).toBe(true);
    await waiting;
    expect(done).toEqual(['other', 'first', 'waited']);
    expect(await isBeingBought(tools, ORDER)).toBe(false);
  });

  test('without locks buy all the same', async () => {
    const tools = openTabTools({ navigator: {} });
    let ran = false;
    expect(
      await runAsOnlyTab(tools, ORDER, async () => {
        ran = true;
      }),
    ).toBe(true);
    expect(ran).toBe(true);
    expect(await isBeingBought(tools, ORDER)).toBe(false);
    expect(() => announceSold(tools, { ...ORDER, reportId: REPORT })).not.toThrow();
  });

  test('hear what another one bought, and nothing that is no such notice', () => {
    let listen: (event: { data: unknown }) => void = () => undefined;
    const heard: SoldNotice[] = [];
    const channel = {
      postMessage: (data: unknown) => listen({ data }),
      addEventListener: (_type: string, heardBy: typeof listen) => {
        listen = heardBy;
      },
    } as unknown as NonNullable<TabTools['channel']>;
    const tools = { locks: undefined, channel };
    onSold(tools, (notice) => heard.push(notice));
    announceSold(tools, { ...ORDER, reportId: REPORT });
    for (const data of [undefined, null, 'text', {}, { ...ORDER, reportId: '../account' }, { ...ORDER, reportId: 7 }])
      listen({ data });
    expect(heard).toEqual([{ ...ORDER, reportId: REPORT }]);
  });
});
