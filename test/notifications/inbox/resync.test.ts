import { beforeEach, describe, expect, test } from 'vitest';
import type { ResyncStep } from '../../../src/notifications/inbox/inbox-state.ts';
import type { DirectoryUser } from '../../../src/notifications/vendor/vendor.ts';
import { CUSTOMER, GONE, type TestInbox, active, testInbox, userOf } from '../../support/management/inbox.ts';

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

const order = (reason: string, domain?: string): void => inbox.state.resync(CUSTOMER, { reason, domain });
const step = (): ResyncStep => {
  const claimed = inbox.state.claimResync();
  if (claimed === undefined) throw new Error('no resync is due');
  return claimed;
};
/** Orders a resync and lists these users for it. */
function resync(users: readonly DirectoryUser[], domain?: string): void {
  inbox.later(1);
  order('daily', domain);
  inbox.state.listed(step(), users, undefined);
}
const toRead = (): readonly string[] => inbox.state.claimUnits(100).map(({ userId }) => userId);
/** Lists and reads these users for the first time. */
function known(...ids: readonly string[]): void {
  resync([]);
  resync(ids.map((id) => userOf(id)));
  for (const unit of inbox.state.claimUnits(100)) inbox.found(unit, active(unit.userId), []);
}

describe('the first listing of a customer', () => {
  test('is only written down; but users without access are read, so that sinks hear of them', () => {
    resync([userOf('u1'), userOf('u2', { suspended: true }), userOf('u3', { archived: true })]);
    expect(toRead()).toEqual(['u2', 'u3']);
  });

  test('a user of it is told of with its first message, though it looks as it was listed', () => {
    resync([userOf('u1', { etag: '' })]);
    expect(inbox.read('u1', active('u1'))).toBe('told');
    expect(inbox.read('u1', active('u1'))).toBe('unchanged');
  });

  test('a user that was read before is compared all the same', () => {
    inbox.read('u1', active('u1'), []);
    resync([userOf('u1', { fingerprint: 'u1-2' })]);
    expect(toRead()).toEqual(['u1']);
  });

  test('of a domain is the first of its users; of another domain again; of the customer for all', () => {
    resync([userOf('u1')], 'example.com');
    resync([userOf('u2', { primaryEmail: 'u2@example.org' })], 'example.org');
    resync([userOf('u1'), userOf('u3')], 'example.com');
    expect(toRead()).toEqual(['u3']);
    inbox.later(60_000);
    inbox.found(inbox.claim(), active('u3'), []);
    resync([userOf('u1'), userOf('u2'), userOf('u3'), userOf('u4')]);
    expect(toRead()).toEqual([]);
    resync([userOf('u5', { primaryEmail: 'u5@example.net' })], 'example.net');
    expect(toRead()).toEqual(['u5']);
  });
});

describe('a later listing', () => {
  beforeEach(() => known('u1', 'u2'));

  test('finds nothing to do where nothing changed, whatever the entity tags of the list say', () => {
    resync([userOf('u1', { etag: '"list"' }), userOf('u2', { etag: '' })]);
    expect(toRead()).toEqual([]);
    expect(inbox.state.status()).toMatchObject({ resync: null, last_resync_at: '2026-09-01T00:00:00.003Z' });
  });

  test('has those read that are new or differ, and says why', () => {
    resync([userOf('u1', { fingerprint: 'u1-2' }), userOf('u2'), userOf('u3')]);
    expect(inbox.state.claimUnits(10)).toMatchObject([
      { userId: 'u1', causes: ['resync'] },
      { userId: 'u3', causes: ['resync'] },
    ]);
  });

  test('has those read that are missing: their 404 confirms that they are gone', () => {
    resync([userOf('u1')]);
    expect(inbox.found(inbox.claim(), GONE)).toBe('told');
    resync([userOf('u1')]);
    expect(toRead()).toEqual([]);
  });

  test('has those read that came back', () => {
    resync([userOf('u1')]);
    inbox.found(inbox.claim(), GONE, []);
    resync([userOf('u1'), userOf('u2')]);
    expect(toRead()).toEqual(['u2']);
  });

  test('leaves alone who is missing but was read since it began: a user that came during it', () => {
    inbox.later(1);
    order('daily');
    const first = step();
    inbox.state.listed(first, [userOf('u1')], 'page-2');
    inbox.later(1);
    inbox.read('u9', active('u9'), []);
    inbox.state.listed(step(), [userOf('u2')], undefined);
    expect(toRead()).toEqual([]);
  });

  test('of a domain misses nobody of another one', () => {
    inbox.read('u7', { state: 'active', user: userOf('u7', { primaryEmail: 'u7@Example.ORG' }) }, []);
    resync([], 'Example.org');
    expect(toRead()).toEqual(['u7']);
  });

  test('whose user died unread is repeated by the next one', () => {
    resync([userOf('u1', { fingerprint: 'u1-2' }), userOf('u2')]);
    inbox.starve();
    resync([userOf('u1', { fingerprint: 'u1-2' }), userOf('u2')]);
    expect(toRead()).toEqual(['u1']);
  });
});

describe('a resync', () => {
  test('goes on where it was, page by page, also after a crash', () => {
    order('gap');
    const first = step();
    expect(first).toMatchObject({ order: { reason: 'gap' }, pageToken: undefined, tries: 0 });
    expect(inbox.state.claimResync()).toBeUndefined();
    inbox.state.listed(first, [userOf('u1')], 'page-2');
    expect(step()).toEqual({ ...first, pageToken: 'page-2' });
    inbox.reopen();
    inbox.later(60_000);
    expect(step()).toEqual({ ...first, pageToken: 'page-2' });
  });

  test('merges the reasons of what is ordered before it began', () => {
    for (const reason of ['gap', 'daily', 'gap']) order(reason);
    inbox.state.resync(CUSTOMER, { reason: 'daily', subject: 'admin@example.com' });
    expect(step().order).toEqual({ reason: 'gap, daily', subject: 'admin@example.com' });
    expect(inbox.state.status().resync).toEqual({ reason: 'gap, daily', since: '2026-09-01T00:00:00.000Z', tries: 0 });
  });

  test('that runs is followed by another one when one is ordered meanwhile', () => {
    order('daily');
    const first = step();
    inbox.later(5_000);
    order('gap');
    order('lapsed');
    inbox.state.listed(first, [], undefined);
    expect(inbox.state.status().resync).toMatchObject({ reason: 'gap, lapsed', since: '2026-09-01T00:00:05.000Z' });
    const second = step();
    expect(second.round).toBeGreaterThan(first.round);
    inbox.state.listed(second, [], undefined);
    expect(inbox.state.claimResync()).toBeUndefined();
  });

  test('of a domain and of the customer run beside each other', () => {
    order('gap', 'example.com');
    order('daily');
    const domains = [step(), step()].map(({ order: { domain } }) => domain);
    expect(new Set(domains)).toEqual(new Set(['example.com', undefined]));
  });

  test('a page that comes twice, or late, or of an earlier round changes nothing', () => {
    order('gap');
    const first = step();
    inbox.state.listed(first, [], 'page-2');
    inbox.state.listed(first, [], 'page-9');
    inbox.state.resyncFailed(first, { detail: 'late' });
    const second = step();
    expect(second).toMatchObject({ pageToken: 'page-2', tries: 0 });
    inbox.state.listed(second, [], undefined);
    order('daily');
    const next = step();
    inbox.state.listed(first, [], undefined);
    inbox.later(60_000);
    expect(step()).toEqual(next);
  });

  test('settles the messages that name no user, but not those that came after it began', () => {
    inbox.keep(inbox.message(null));
    const first = step();
    inbox.keep(inbox.message(null));
    inbox.state.listed(first, [], undefined);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked', 'waiting']);
    inbox.state.listed(step(), [], undefined);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked', 'worked']);
    expect(inbox.countsAreRight()).toBe(true);
  });

  test('of a domain does not settle them', () => {
    resync([], 'example.com');
    inbox.keep(inbox.message(null));
    const whole = step();
    order('gap', 'example.com');
    inbox.state.listed(step(), [], undefined);
    expect(inbox.states().map(([, state]) => state)).toEqual(['waiting']);
    inbox.state.listed(whole, [], undefined);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked']);
  });
});

describe('a listing that fails', () => {
  test('is tried again after 30 s, then twice as long each time up to half an hour, and never given up', () => {
    order('gap');
    const waits: number[] = [];
    for (let at = 0; at < 9; at += 1) {
      inbox.state.resyncFailed(step(), { detail: 'answers 503' });
      const waitMs = (inbox.state.nextDueMs() ?? 0) - inbox.now();
      waits.push(waitMs / 1_000);
      inbox.later(waitMs);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800]);
    expect(step().tries).toBe(9);
    expect(inbox.state.status().resync?.tries).toBe(9);
  });

  test('waits as long as the vendor asks', () => {
    order('gap');
    inbox.state.resyncFailed(step(), { detail: 'answers 429', retryAfterMs: 300_000 });
    expect(inbox.state.nextDueMs()).toBe(inbox.now() + 300_000);
  });

  test('begins anew when a page fails three times: its token may have died', () => {
    order('gap');
    const first = step();
    inbox.state.listed(first, [], 'page-2');
    for (const wait of [30_000, 60_000, 120_000]) {
      inbox.state.resyncFailed(step(), { detail: 'answers 400' });
      inbox.later(wait);
    }
    const anew = step();
    expect(anew).toMatchObject({ pageToken: undefined, tries: 3, order: { reason: 'gap' } });
    expect(anew.round).toBeGreaterThan(first.round);
  });

  test.each([
    { circle: 'one page', tokens: ['a', 'a'] },
    { circle: 'two pages', tokens: ['a', 'b', 'a', 'b'] },
    { circle: 'three pages after two others', tokens: ['x', 'y', 'a', 'b', 'c', 'a', 'b'] },
  ])('that goes in a circle of $circle has failed, and begins anew after a wait', ({ tokens }) => {
    order('gap');
    for (const token of tokens) inbox.state.listed(step(), [userOf('u1')], token);
    expect(inbox.state.claimResync()).toBeUndefined();
    inbox.later(30_000);
    expect(step()).toMatchObject({ pageToken: undefined, tries: 1 });
  });

  test('that has too many pages has failed, and begins anew after a wait', () => {
    inbox = testInbox({ resyncPages: 3 });
    order('gap');
    for (const token of ['a', 'b', 'c']) inbox.state.listed(step(), [userOf('u1')], token);
    expect(inbox.state.claimResync()).toBeUndefined();
    inbox.later(30_000);
    expect(step()).toMatchObject({ pageToken: undefined, tries: 1 });
  });

  /** Lists the first page and fails with the second one, so many times. */
  const failOnPageTwo = (times: number): void => {
    for (let at = 0; at < times;) {
      inbox.later(Math.max((inbox.state.nextDueMs() ?? 0) - inbox.now(), 0));
      const due = step();
      if (due.pageToken === undefined) inbox.state.listed(due, [userOf('u1')], 'page-2');
      else inbox.state.resyncFailed(due, { detail: 'answers 500' });
      if (due.pageToken !== undefined) at += 1;
    }
  };

  test('counts its failures though the pages before the one that fails are listed again', () => {
    order('gap');
    failOnPageTwo(7);
    expect(inbox.state.status().resync?.tries).toBe(7);
    expect((inbox.state.nextDueMs() ?? 0) - inbox.now()).toBe(1_800_000);
  });

  test('counts from nothing once it gets farther than ever', () => {
    order('gap');
    failOnPageTwo(2);
    inbox.later(60_000);
    inbox.state.listed(step(), [userOf('u2')], 'page-3');
    expect(inbox.state.status().resync?.tries).toBe(0);
  });

  test('is what the status shows, also beside another one that does not fail', () => {
    order('gap', 'example.com');
    inbox.state.resyncFailed(step(), { detail: 'answers 500' });
    order('daily');
    expect(inbox.state.status().resync).toMatchObject({ reason: 'gap', tries: 1 });
  });

  test('takes up orders that came meanwhile in the round that begins anew', () => {
    order('gap');
    inbox.state.listed(step(), [], 'page-2');
    order('daily');
    for (const wait of [30_000, 60_000, 120_000]) {
      inbox.state.resyncFailed(step(), { detail: 'answers 400' });
      inbox.later(wait);
    }
    inbox.state.listed(step(), [], undefined);
    expect(inbox.state.claimResync()?.order.reason).toBe('daily');
  });
});
