import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TABLED_RAILS, tabledRails } from './rail-cases.ts';
import type { Paid } from './support/rail-case.ts';
import { codeOf, drive, makeGate, openWorld, settleDown, startClock, stopClock, type World } from './support/world.ts';

/** One payment, shown by so many requests at the same time. */
const CROWD = 200;

beforeEach(startClock);
afterEach(stopClock);

describe.each(TABLED_RAILS)('%s', (name) => {
  const rail = tabledRails[name];

  test(`${CROWD} presentations of one payment at once are one sale, one charge and one work`, async () => {
    const world = openWorld(rail);
    const paid = await rail.pay(world);
    const all = Array.from({ length: CROWD }, (_, at) => world.begin(paid, { caller: `192.0.2.${at}` }));
    const answers = await drive(Promise.all(all));
    // Those that come after the sale hold its secret, so they are answered with its result; one is the sale.
    expect([...new Set(answers.map(codeOf))].filter((code) => code !== 'payment_in_progress')).toEqual(['sold']);
    const sold = answers.flatMap((answer) => (answer.kind === 'sold' ? [answer] : []));
    expect(sold.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(new Set(sold.map(({ reportId }) => reportId)).size).toBe(1);
    await expectOneSale(world, paid);
  });

  test(`${CROWD} presentations while the work of one runs wait for it, and none begins another`, async () => {
    const world = openWorld(rail);
    const gate = makeGate();
    world.works.push(async () => gate.opened.then(() => ({ ok: true, result: {}, warnings: [] })));
    const paid = await rail.pay(world);
    const first = world.begin(paid);
    await settleDown();
    const others = await drive(
      Promise.all(Array.from({ length: CROWD - 1 }, (_, at) => world.begin(paid, { caller: `192.0.2.${at}` }))),
    );
    expect(new Set(others.map(codeOf))).toEqual(new Set(['payment_in_progress']));
    gate.open();
    expect(codeOf(await drive(first))).toBe('sold');
    await expectOneSale(world, paid);
  });

  async function expectOneSale(world: World, paid: Paid): Promise<void> {
    expect(world.calls.work).toBe(1);
    expect(world.reports.size).toBe(1);
    expect(world.chain.receivedFrom(paid.payer.address)).toBe(60_000);
    const again = await world.buy(await rail.showAgain(world, paid));
    expect(again).toMatchObject({ kind: 'sold', isRepeat: true, reportId: [...world.reports.keys()][0] });
  }
});
