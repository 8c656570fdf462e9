import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/monitors/core/run.ts';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import { failure, redirect, text } from '../../support/audit/site-fetch.ts';
import { shopSite } from '../../support/audit/shop-site.ts';
import { AUDIT_PRICE, monitorWorld, type MonitorWorld } from './monitor-world.ts';

const ACME = 'https://acme.example';
const RIVAL = 'https://rival.example';
const withRival = { kind: 'site', url: `${ACME}/`, competitors: [`${RIVAL}/`] } as const;

function acmeWorld(...given: Parameters<typeof monitorWorld>): MonitorWorld {
  const world = monitorWorld(...given);
  world.serve(ACME, shopSite);
  return world;
}

const kindsOf = (result: RunResult): readonly string[] =>
  result.state === 'again' ? [] : result.alerts.map(({ kind }) => kind);

test('a run buys the subject and its competitors, each once, and keeps their reports', async () => {
  const world = acmeWorld(withRival);
  world.serve(RIVAL, shopSite);
  const result = await world.attempt();
  expect(result).toMatchObject({
    state: 'stored',
    parts: [
      { role: 'subject', url: `${ACME}/`, capability: 'full_audit', amountMicroUsdc: AUDIT_PRICE },
      { role: 'competitor', url: `${RIVAL}/`, capability: 'full_audit', amountMicroUsdc: AUDIT_PRICE },
    ],
    summary: { kind: 'site', startHost: 'acme.example', competitors: [{ url: `${RIVAL}/` }] },
    alerts: [],
  });
  expect(world.balance()).toBe(5_000_000 - 2 * AUDIT_PRICE);
  expect([...world.objects.keys()].filter((key) => key.startsWith('kept/'))).toHaveLength(4);
});

test('two competitors are two purchases, and none is paid again by another attempt at the run', async () => {
  const competitors = [`${RIVAL}/`, 'https://third.example/'];
  const world = acmeWorld({ kind: 'site', url: `${ACME}/`, competitors });
  world.serve(RIVAL, shopSite);
  world.serve('https://third.example', shopSite);
  const order = world.orderOf();
  const bought = await world.attempt(order);
  expect(bought).toMatchObject({ parts: [`${ACME}/`, ...competitors].map((url) => ({ url })) });
  expect(world.balance()).toBe(5_000_000 - 3 * AUDIT_PRICE);
  const again = await world.attempt({ ...order, attempt: 2 });
  expect(again.state === 'stored' && again.parts).toEqual(bought.state === 'stored' && bought.parts);
  expect(world.balance()).toBe(5_000_000 - 3 * AUDIT_PRICE);
});

test('an unchanged site rings nothing, and a line of robots.txt that shuts search crawlers out rings', async () => {
  const world = acmeWorld();
  await world.run();
  expect(kindsOf(await world.run())).toEqual([]);
  world.serve(ACME, { ...shopSite, '/robots.txt': text('User-agent: *\nDisallow: /\n') });
  const rung = [await world.run(), await world.run(), await world.run()].flatMap((result) =>
    result.state === 'stored' ? result.alerts : [],
  );
  expect(rung.length).toBeGreaterThan(0);
  expect(JSON.stringify(rung)).toContain('robots');
});

test('a site that cannot be read charges nothing and asks no competitor; the second time in a row rings', async () => {
  const world = monitorWorld(withRival);
  world.serve(ACME, { '/': failure('connection_failed') });
  world.serve(RIVAL, shopSite);
  expect(await world.run()).toMatchObject({ state: 'failed', reason: 'target_unreachable', alerts: [] });
  expect(kindsOf(await world.run())).toEqual(['site_unreadable']);
  expect(kindsOf(await world.run())).toEqual([]);
  world.serve(ACME, shopSite);
  expect(kindsOf(await world.run())).toEqual(['site_readable']);
  expect(world.balance()).toBe(5_000_000 - 2 * AUDIT_PRICE);
  expect(world.state.requests.filter((url) => url.startsWith(RIVAL)).length).toBeGreaterThan(0);
});

test('a competitor that cannot be read is missing with its reason, and is not charged', async () => {
  const world = acmeWorld(withRival);
  world.serve(RIVAL, { '/': failure('timeout') });
  expect(await world.run()).toMatchObject({
    state: 'stored',
    parts: [{ role: 'subject' }],
    summary: { competitors: [{ url: `${RIVAL}/`, scores: null, missing: 'target_unreachable' }] },
  });
  expect(world.balance()).toBe(5_000_000 - AUDIT_PRICE);
});

test('a competitor that is busy is waited for in two attempts; the subject is bought once', async () => {
  const world = acmeWorld(withRival);
  world.serve(RIVAL, shopSite);
  world.state.busy.add('rival.example');
  const busy = { state: 'again', reason: 'target_busy', afterS: 10 };
  expect([await world.attempt(world.orderOf(1)), await world.attempt(world.orderOf(2))]).toEqual([busy, busy]);
  expect(await world.attempt(world.orderOf(3))).toMatchObject({
    state: 'stored',
    summary: { competitors: [{ missing: 'target_busy' }] },
  });
  expect(world.balance()).toBe(5_000_000 - AUDIT_PRICE);
});

test('credits that do not cover the next run are said one run before, and then the monitor pauses', async () => {
  const world = acmeWorld(undefined, { balance: 2 * AUDIT_PRICE + 100_000 });
  expect(kindsOf(await world.run())).toEqual([]);
  expect(kindsOf(await world.run())).toEqual(['credits_low']);
  expect(await world.run()).toMatchObject({
    state: 'failed',
    reason: 'insufficient_credits',
    pause: 'insufficient_credits',
    alerts: [{ kind: 'paused' }],
  });
  world.credits.topUp(5_000_000);
  expect(await world.run()).toMatchObject({ state: 'stored' });
});

test('credits that other monitors of the account spend before the next run are said, too', async () => {
  const world = acmeWorld(undefined, { balance: 4 * AUDIT_PRICE });
  world.state.othersMicroUsdc = 2 * AUDIT_PRICE;
  expect(kindsOf(await world.run())).toEqual([]);
  const low = await world.run();
  expect(kindsOf(low)).toEqual(['credits_low']);
  expect(JSON.stringify(low)).toContain(formatUsdAmount(3 * AUDIT_PRICE));
});

test.each(['now', `${ACME}/`])(
  'a monitor that is deleted (%s) buys nothing more, and nothing stays reserved',
  async (at) => {
    const world = acmeWorld();
    world.state.deletedAt = at;
    expect(await world.run()).toMatchObject({ state: 'again', reason: 'call_superseded' });
    expect(world.credits.book.view()).toMatchObject({ balanceMicroUsdc: 5_000_000, reservedMicroUsdc: 0 });
    expect(world.credits.book.reports()).toEqual([]);
    expect(world.state.requests.length > 0).toBe(at !== 'now');
    expect(world.objects.size).toBe(0);
  },
);

test('a run is paid whole or not at all', async () => {
  const world = acmeWorld(withRival, { balance: 2 * AUDIT_PRICE - 1 });
  world.serve(RIVAL, shopSite);
  expect(await world.run()).toMatchObject({ state: 'failed', reason: 'insufficient_credits' });
  expect(world.balance()).toBe(2 * AUDIT_PRICE - 1);
  expect(world.state.requests).toEqual([]);
});

test('A5: a client that was revoked buys nothing, and one of its own limit buys no more than that', async () => {
  const revoked = acmeWorld(undefined, { monitor: { clientId: 'client-1' } });
  revoked.credits.book.releaseClient('client-1');
  expect(await revoked.run()).toMatchObject({ state: 'failed', reason: 'client_revoked', pause: 'access_ended' });
  const capped = acmeWorld(undefined, { monitor: { clientId: 'client-1' } });
  capped.state.spender = { kind: 'payer', capMicroUsdc: AUDIT_PRICE - 1 };
  const limited = await capped.run();
  expect(limited).toMatchObject({ state: 'failed', reason: 'client_cap_reached', alerts: [{ kind: 'run_failed' }] });
  expect(limited).not.toHaveProperty('pause');
  expect([revoked.balance(), capped.balance()]).toEqual([5_000_000, 5_000_000]);
});

test('failures in a row that have one reason ring once, however many there are', async () => {
  const world = acmeWorld(undefined, { monitor: { clientId: 'client-1' } });
  world.state.spender = { kind: 'payer', capMicroUsdc: AUDIT_PRICE - 1 };
  const rung: string[] = [];
  for (let run = 1; run <= 20; run += 1) {
    rung.push(...kindsOf(await world.run()));
    world.history.length = Math.min(12, world.history.length); // An order brings no more along.
  }
  expect(rung).toEqual(['run_failed']);
});

test('an account that is gone, and an address that no one may fetch, pause the monitor', async () => {
  const gone = acmeWorld();
  gone.state.spender = {};
  expect(await gone.run()).toMatchObject({ reason: 'account_gone', pause: 'access_ended' });
  const inside = monitorWorld({ kind: 'site', url: 'http://10.0.0.1/' });
  expect(await inside.run()).toMatchObject({ reason: 'target_refused', pause: 'order_refused' });
});

test('a robots.txt that disallows us by name pauses after one request, unless the host is proven', async () => {
  const world = acmeWorld();
  world.serve(ACME, {
    ...shopSite,
    '/robots.txt': text('User-agent: *\nAllow: /\n\nUser-agent: SightlineBot\nDisallow: /\n'),
  });
  expect(await world.run()).toMatchObject({
    state: 'failed',
    reason: 'robots_disallow',
    detail: 'Line 5 of robots.txt of acme.example disallows SightlineBot by its name',
    pause: 'robots_disallow',
  });
  expect(world.state.requests).toEqual([`${ACME}/robots.txt`]);
  expect(world.balance()).toBe(5_000_000);
  world.state.proven.add('acme.example');
  expect(await world.run()).toMatchObject({ state: 'stored' });
});

test('a robots.txt that disallows everyone but says nothing of us is audited', async () => {
  const world = acmeWorld();
  world.serve(ACME, { ...shopSite, '/robots.txt': text('User-agent: *\nDisallow: /\n') });
  expect(await world.run()).toMatchObject({ state: 'stored' });
});

test('a site that leads to another host rings as that, and is never compared with it as if it were the same', async () => {
  const world = acmeWorld();
  world.serve('https://parked.example', shopSite);
  await world.run();
  world.serve(ACME, { '/': redirect('https://parked.example/') });
  const moved = await world.run();
  expect(moved).toMatchObject({ state: 'stored', summary: { startHost: 'parked.example' } });
  expect(moved.state === 'stored' && moved.alerts).toMatchObject([
    { kind: 'site_moved', title: 'The start page leads to another host now: parked.example instead of acme.example' },
  ]);
  expect(kindsOf(await world.run())).not.toContain('site_moved');
  world.serve(ACME, shopSite);
  expect(kindsOf(await world.run())).toEqual(['site_moved']);
});

test('an account that cannot be asked is tried again, and never failed', async () => {
  const world = acmeWorld();
  world.credits.object.standing = async () => {
    throw new LedgerUnavailable('credits');
  };
  expect(await world.run()).toEqual({ state: 'again', reason: 'ledger_unavailable', afterS: 60 });
});

test('a debit whose reply is lost is found by the next attempt, and charged once', async () => {
  const world = acmeWorld();
  world.credits.object.capture = async (...given) => {
    world.credits.book.capture(...given);
    throw new LedgerUnavailable('credits');
  };
  const order = world.orderOf();
  expect(await world.attempt(order)).toMatchObject({ state: 'again', reason: 'debit_unknown' });
  world.credits.book.releaseClient('sightline:pages'); // Whatever the owner does meanwhile: it is paid.
  expect(await world.attempt({ ...order, attempt: 2 })).toMatchObject({
    state: 'stored',
    summary: { startHost: 'acme.example' },
  });
  expect(world.balance()).toBe(5_000_000 - AUDIT_PRICE);
});

test('what is paid and cannot be read back is stored all the same, in the third attempt', async () => {
  const world = acmeWorld();
  const reports = { ...world.reports, keep: () => Promise.reject(new Error('R2 is down')) };
  const order = world.orderOf();
  const again = { state: 'again', reason: 'store_unavailable', afterS: 60 };
  expect(await world.attempt(order, { ...world.ports, reports })).toEqual(again);
  expect(await world.attempt({ ...order, attempt: 3 }, { ...world.ports, reports })).toMatchObject({
    state: 'stored',
    parts: [{ amountMicroUsdc: AUDIT_PRICE }],
    summary: null,
  });
});

test('a free monitor needs an operator and a named host, and moves no credits', async () => {
  const world = acmeWorld(undefined, { monitor: { payment: 'operator' }, balance: 0 });
  expect(await world.run()).toMatchObject({ reason: 'not_operator', pause: 'access_ended' });
  world.state.spender = { kind: 'operator' };
  expect(await world.run()).toMatchObject({ reason: 'host_not_named', pause: 'order_refused' });
  world.state.freeHosts.add('acme.example');
  const result = await world.run();
  expect(result).toMatchObject({ state: 'stored', parts: [{ amountMicroUsdc: 0 }], alerts: [] });
  expect(world.credits.book.lines({ limit: 10 }).lines).toEqual([]);
  expect(world.credits.book.reports()).toMatchObject([{ amountMicroUsdc: 0 }]);
});

test('attempts that are used up buy nothing more: the run ends by what is paid', async () => {
  const unpaid = acmeWorld();
  const order = unpaid.orderOf();
  expect(await unpaid.attempt({ ...order, attempt: 9 })).toMatchObject({ state: 'again', reason: 'attempts_used_up' });
  expect(await unpaid.attempt({ ...order, attempt: 10 })).toMatchObject({
    state: 'failed',
    reason: 'attempts_used_up',
    alerts: [{ kind: 'run_failed' }],
  });
  expect(unpaid.state.requests).toEqual([]);
  const paid = acmeWorld();
  const other = paid.orderOf();
  await paid.attempt(other); // Killed before anything was written down.
  expect(await paid.attempt({ ...other, attempt: 9 })).toMatchObject({ state: 'stored', summary: { kind: 'site' } });
  expect(paid.balance()).toBe(5_000_000 - AUDIT_PRICE);
});
