import { beforeEach, describe, expect, test } from 'vitest';
import type { ResyncStep, Unit } from '../../../src/notifications/inbox/inbox-state.ts';
import type { DirectoryUser } from '../../../src/notifications/vendor/vendor.ts';
import { CUSTOMER, DAY_MS, GONE, type TestInbox, active, testInbox, userOf } from '../../support/management/inbox.ts';

const [A, B] = ['admin@a.example', 'admin@b.example'];

let inbox: TestInbox;
beforeEach(() => {
  inbox = testInbox();
});

const step = (): ResyncStep => {
  const claimed = inbox.state.claimResync();
  if (claimed === undefined) throw new Error('no resync is due');
  return claimed;
};
type Listing = { subject: string | undefined; domain?: string; users: readonly DirectoryUser[] };
function resync({ subject, domain, users }: Listing): void {
  inbox.later(1);
  inbox.state.resync(CUSTOMER, { reason: 'daily', subject, domain });
  inbox.state.listed(step(), users, undefined);
}
const toRead = () => inbox.state.claimUnits(100).map(({ userId, subject }) => [userId, subject]);
const message = (userId: string, subject: string): Unit => {
  inbox.keep(inbox.message(userId, { subject }));
  return inbox.claim();
};

describe('a 404 for one administrator', () => {
  test.each([
    { seen: 'read', by: (): unknown => inbox.found(message('u1', A), active('u1'), []) },
    { seen: 'listed', by: (): unknown => resync({ subject: A, users: [userOf('u1')] }) },
  ])('is no proof for a user that another one has $seen: it is read again for that one', ({ by }) => {
    by();
    const unit = message('u1', B);
    expect(inbox.found(unit, GONE)).toBe('unproven');
    expect(inbox.state.claimDeliveries(10)).toEqual([]);
    expect(inbox.states().at(-1)?.[1]).toBe('waiting');
    const again = inbox.claim();
    expect(again).toMatchObject({ userId: 'u1', subject: A, tries: 1, causes: ['update'] });
    inbox.found(again, active('u1'), []);
    expect(inbox.states().at(-1)?.[1]).toBe('worked');
  });

  test('is proof for the one that saw the user there', () => {
    inbox.found(message('u1', A), active('u1'), []);
    expect(inbox.found(message('u1', B), GONE)).toBe('unproven');
    expect(inbox.found(inbox.claim(), GONE)).toBe('told');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/2']);
  });

  test("is no proof where the deployment's own setting saw the user, whatever was ordered since", () => {
    inbox.read('u1', active('u1'), []);
    inbox.state.resync(CUSTOMER, { reason: 'daily', subject: B });
    expect(inbox.found(message('u1', B), GONE)).toBe('unproven');
    expect(inbox.claim()).toMatchObject({ userId: 'u1', subject: undefined });
  });

  test('is proof for a user that nobody knows, and is told once', () => {
    expect(inbox.found(message('u1', B), GONE)).toBe('told');
    expect(inbox.found(message('u1', A), GONE)).toBe('unchanged');
    expect(inbox.tellAll()).toEqual(['trail C01/u1/1']);
  });

  test('has an end when it comes again and again: the messages are dead, and can be replayed', () => {
    inbox.found(message('u1', A), active('u1'), []);
    for (let at = 0; at < 5; at += 1) expect(inbox.found(message('u1', B), GONE)).toBe('unproven');
    expect(inbox.state.claimUnits(10)).toEqual([]);
    expect(inbox.states().map(([, state]) => state)).toEqual(['worked', ...Array.from({ length: 5 }, () => 'dead')]);
    expect(inbox.state.claimDeliveries(10)).toEqual([]);
    expect(inbox.state.replay({}).replayed).toBe(5);
    expect(inbox.claim().subject).toBe(B);
  });
});

describe('a customer with two administrators', () => {
  const ofA = userOf('u1', { primaryEmail: 'u1@a.example' });
  const ofB = userOf('u2', { primaryEmail: 'u2@b.example' });

  test('a listing for one of them makes nobody gone that the other one sees', () => {
    resync({ subject: A, domain: 'a.example', users: [ofA] });
    resync({ subject: B, users: [ofB] });
    expect(toRead()).toEqual([]);
  });

  test('who was long not listed for the other one is read, for the other one', () => {
    resync({ subject: A, domain: 'a.example', users: [ofA] });
    inbox.later(3 * DAY_MS);
    resync({ subject: B, users: [ofB] });
    expect(toRead()).toEqual([['u1', A]]);
  });

  test('who is missing for the one that saw it is read for that one', () => {
    resync({ subject: A, users: [ofA, ofB] });
    resync({ subject: B, users: [ofA, ofB] });
    resync({ subject: A, users: [] });
    expect(toRead()).toEqual([]);
    resync({ subject: B, users: [] });
    expect(toRead()).toEqual([
      ['u1', B],
      ['u2', B],
    ]);
  });

  test('both are listed for, each by itself, also when both are ordered at once', () => {
    for (const subject of [A, B, A]) inbox.state.resync(CUSTOMER, { reason: 'daily', subject });
    inbox.state.resync(CUSTOMER, { reason: 'gap' });
    const steps = [step(), step()];
    expect(steps.map(({ order }) => order.subject)).toEqual([A, B]);
    expect(inbox.state.claimResync()).toBeUndefined();
    for (const each of steps) inbox.state.listed(each, [ofA], undefined);
    expect(inbox.state.status().resync).toBeNull();
  });

  test('a listing that runs goes on for whom it began, whatever is ordered meanwhile', () => {
    inbox.state.resync(CUSTOMER, { reason: 'daily' });
    const first = step();
    inbox.state.resync(CUSTOMER, { reason: 'gap', subject: B });
    inbox.state.listed(first, [ofA], 'page-2');
    const due = [step(), step()].toSorted((left, right) => left.round - right.round);
    expect(due.map(({ order, pageToken }) => [order.subject, pageToken])).toEqual([
      [undefined, 'page-2'],
      [B, undefined],
    ]);
  });

  test('a user that differs is read for the one whose listing shows it', () => {
    resync({ subject: A, users: [ofA] });
    resync({ subject: B, users: [{ ...ofA, fingerprint: 'other' }] });
    expect(toRead()).toEqual([['u1', B]]);
  });

  test('a dead message is replayed for the administrator of its watch', () => {
    inbox.keep(inbox.message('u1', { subject: A }));
    inbox.starve();
    inbox.state.resync(CUSTOMER, { reason: 'daily', subject: B });
    inbox.state.replay({});
    expect(inbox.claim()).toMatchObject({ userId: 'u1', subject: A });
  });
});
