import { expect, test } from 'vitest';
import * as machine from '../../../../../src/management/interfaces/reseller/subscriptions/machine.ts';

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;
const YEAR_LATER = Date.UTC(2027, 10, 21);

const annual = (): machine.Subscription => machine.buildSubscription('ANNUAL_MONTHLY_PAY', 10, undefined, NOW);
const flexible = (): machine.Subscription => machine.buildSubscription('FLEXIBLE', 10, undefined, NOW);
const trial = (): machine.Subscription => machine.buildSubscription('TRIAL', 10, undefined, NOW);
const free = (): machine.Subscription => machine.buildSubscription('FREE', 10, undefined, NOW);
const planned = (): machine.Subscription => after(machine.changeSubscriptionPlan(trial(), 'ANNUAL_YEARLY_PAY', 5, NOW));
const byReseller = (): machine.Subscription => after(machine.suspendSubscription(flexible()));
const unsigned = (): machine.Subscription => machine.withSuspension(flexible(), 'PENDING_TOS_ACCEPTANCE');
const ended = (): machine.Subscription => machine.advanceSubscription(trial(), NOW + 30 * DAY);

test.each([
  [
    'an annual plan',
    annual(),
    {
      plan: 'ANNUAL_MONTHLY_PAY',
      commitment: { startMs: NOW, endMs: YEAR_LATER },
      renewalType: 'AUTO_RENEW_MONTHLY_PAY',
    },
  ],
  ['a flexible plan', flexible(), { plan: 'FLEXIBLE' }],
  ['a trial', trial(), { plan: 'TRIAL', trialEndMs: NOW + 30 * DAY }],
  ['the free plan', free(), { plan: 'FREE' }],
])('%s begins', (_what, subscription, expected) => {
  expect(subscription).toEqual({ seats: 10, suspensions: [], ...expected });
});

test.each([
  [
    'a trial gets a plan and goes on',
    machine.changeSubscriptionPlan(trial(), 'FLEXIBLE', 3, NOW),
    { plan: 'FLEXIBLE', seats: 3, suspensions: [], trialEndMs: NOW + 30 * DAY },
  ],
  [
    'flexible becomes annual',
    machine.changeSubscriptionPlan(flexible(), 'ANNUAL_YEARLY_PAY', 3, NOW),
    {
      plan: 'ANNUAL_YEARLY_PAY',
      seats: 3,
      suspensions: [],
      commitment: { startMs: NOW, endMs: YEAR_LATER },
      renewalType: 'AUTO_RENEW_YEARLY_PAY',
    },
  ],
  [
    'a trial that ended is paid for',
    machine.changeSubscriptionPlan(ended(), 'FLEXIBLE', 3, NOW),
    { plan: 'FLEXIBLE', seats: 3, suspensions: [] },
  ],
  [
    'a planned trial is paid for at once',
    machine.startSubscriptionService(planned(), NOW),
    {
      plan: 'ANNUAL_YEARLY_PAY',
      seats: 5,
      suspensions: [],
      commitment: { startMs: NOW, endMs: YEAR_LATER },
      renewalType: 'AUTO_RENEW_YEARLY_PAY',
    },
  ],
  [
    'seats of flexible shrink',
    machine.changeSubscriptionSeats(flexible(), 1),
    { plan: 'FLEXIBLE', seats: 1, suspensions: [] },
  ],
  [
    'an active one is suspended',
    machine.suspendSubscription(flexible()),
    { plan: 'FLEXIBLE', seats: 10, suspensions: ['RESELLER_INITIATED'] },
  ],
  [
    'its reseller activates it',
    machine.activateSubscription(byReseller(), NOW),
    { plan: 'FLEXIBLE', seats: 10, suspensions: [] },
  ],
  [
    'other reasons remain when its reseller activates it',
    machine.activateSubscription(machine.withSuspension(byReseller(), 'OTHER'), NOW),
    { plan: 'FLEXIBLE', seats: 10, suspensions: ['OTHER'] },
  ],
])('%s', (_what, moved, subscription) => {
  expect(moved).toEqual({ ok: true, subscription });
});

test.each([
  ['annual plans are not left', machine.changeSubscriptionPlan(annual(), 'FLEXIBLE', 1, NOW), 'plan_not_changeable'],
  ['nor is the free plan', machine.changeSubscriptionPlan(free(), 'FLEXIBLE', 1, NOW), 'plan_not_changeable'],
  ['the same plan', machine.changeSubscriptionPlan(flexible(), 'FLEXIBLE', 1, NOW), 'same_plan'],
  ['fewer seats of an annual plan', machine.changeSubscriptionSeats(annual(), 9), 'seats_not_reducible'],
  ['renewal of a flexible plan', machine.changeRenewal(flexible(), 'CANCEL'), 'renewal_needs_annual_plan'],
  ['renewal of a trial', machine.changeRenewal(trial(), 'CANCEL'), 'renewal_needs_annual_plan'],
  ['paid service without a plan', machine.startSubscriptionService(trial(), NOW), 'no_payment_plan'],
  ['paid service without a trial', machine.startSubscriptionService(flexible(), NOW), 'not_in_trial'],
  ['a second suspension', machine.suspendSubscription(byReseller()), 'not_active'],
  ['suspension of what waits for terms', machine.suspendSubscription(unsigned()), 'not_active'],
  ['activation of what is active', machine.activateSubscription(flexible(), NOW), 'not_suspended_by_reseller'],
  ['activation of what waits for terms', machine.activateSubscription(unsigned(), NOW), 'not_suspended_by_reseller'],
])('%s is refused', (_what, moved, reason) => {
  expect(moved).toEqual({ ok: false, reason });
});

test.each([
  [
    'a trial without plan is suspended after 30 days',
    trial(),
    NOW + 30 * DAY,
    { plan: 'TRIAL', suspensions: ['TRIAL_ENDED'] },
  ],
  ['and not before', trial(), NOW + 30 * DAY - 1, { plan: 'TRIAL', suspensions: [] }],
  [
    'a planned trial begins its plan on the day it ends',
    planned(),
    NOW + 40 * DAY,
    { plan: 'ANNUAL_YEARLY_PAY', commitment: { startMs: NOW + 30 * DAY, endMs: Date.UTC(2027, 11, 21) } },
  ],
  [
    'an annual plan renews itself',
    annual(),
    YEAR_LATER,
    { commitment: { startMs: YEAR_LATER, endMs: Date.UTC(2028, 10, 21) } },
  ],
  [
    'as often as years pass',
    annual(),
    Date.UTC(2031, 0, 1),
    { commitment: { startMs: Date.UTC(2030, 10, 21), endMs: Date.UTC(2031, 10, 21) } },
  ],
  [
    'or is cancelled',
    after(machine.changeRenewal(annual(), 'CANCEL')),
    YEAR_LATER,
    { suspensions: ['RENEWAL_WITH_TYPE_CANCEL'] },
  ],
  [
    'or becomes flexible',
    after(machine.changeRenewal(annual(), 'SWITCH_TO_PAY_AS_YOU_GO')),
    YEAR_LATER,
    { plan: 'FLEXIBLE' },
  ],
  [
    'or is paid by the year',
    after(machine.changeRenewal(annual(), 'AUTO_RENEW_YEARLY_PAY')),
    YEAR_LATER,
    { plan: 'ANNUAL_YEARLY_PAY' },
  ],
  [
    'what is suspended is not renewed',
    after(machine.suspendSubscription(annual())),
    YEAR_LATER,
    { commitment: { startMs: NOW, endMs: YEAR_LATER } },
  ],
])('%s', (_what, subscription, nowMs, expected) => {
  expect(machine.advanceSubscription(subscription, nowMs)).toMatchObject(expected);
});

test('one that something else holds still begins no commitment when its reseller activates it', () => {
  const held = machine.withSuspension(after(machine.suspendSubscription(annual())), 'OTHER');
  const activated = after(machine.activateSubscription(held, YEAR_LATER + DAY));
  expect(activated).toMatchObject({ suspensions: ['OTHER'], commitment: { startMs: NOW, endMs: YEAR_LATER } });
});

test.each([
  ['commitment, renewal and suspensions go over', machine.withSuspension(annual(), 'OTHER'), 'ANNUAL_MONTHLY_PAY', 12],
  ['a reseller’s suspension goes over', after(machine.suspendSubscription(annual())), 'ANNUAL_MONTHLY_PAY', 10],
  ['a trial goes on', trial(), 'TRIAL', 3],
  ['one that ended has ended', ended(), 'TRIAL', 10],
] as const)('on a switch %s', (_what, before, plan, seats) => {
  const switched = machine.switchSubscription(before, plan, seats, undefined, NOW + DAY);
  expect(switched).toEqual({ ok: true, subscription: { ...before, seats } });
});

test('a switch makes a flexible plan annual, and says how it is renewed', () => {
  expect(machine.switchSubscription(byReseller(), 'ANNUAL_YEARLY_PAY', 3, 'CANCEL', NOW)).toEqual({
    ok: true,
    subscription: {
      plan: 'ANNUAL_YEARLY_PAY',
      seats: 3,
      suspensions: ['RESELLER_INITIATED'],
      commitment: { startMs: NOW, endMs: YEAR_LATER },
      renewalType: 'CANCEL',
    },
  });
  expect(after(machine.switchSubscription(flexible(), 'FLEXIBLE', 3, 'CANCEL', NOW))).toEqual({
    ...flexible(),
    seats: 3,
  });
});

test.each([
  ['to a trial', annual(), 'TRIAL', 20, 'plan_not_changeable'],
  ['of a flexible plan to a trial', flexible(), 'TRIAL', 20, 'plan_not_changeable'],
  ['of an annual plan to a flexible one', annual(), 'FLEXIBLE', 20, 'plan_not_changeable'],
  ['to fewer seats of an annual plan', annual(), 'ANNUAL_MONTHLY_PAY', 9, 'seats_not_reducible'],
] as const)('a switch %s is refused', (_what, before, plan, seats, reason) => {
  expect(machine.switchSubscription(before, plan, seats, undefined, NOW)).toEqual({ ok: false, reason });
});

test('one that is activated after its renewal date begins a new commitment on that day', () => {
  const late = YEAR_LATER + 5 * DAY;
  const { commitment } = after(machine.activateSubscription(after(machine.suspendSubscription(annual())), late));
  expect(commitment).toEqual({ startMs: late, endMs: Date.UTC(2028, 10, 26) });
});

test('no sequence of calls and times leads to a subscription that contradicts itself', () => {
  const draw = drawing(20_261_121);
  let reached = 0;
  for (let run = 0; run < 2_000; run += 1) {
    let nowMs = NOW;
    let subscription = machine.buildSubscription(draw(PLANS), 1 + draw(SEATS), undefined, nowMs);
    for (let step = 0; step < 15; step += 1) {
      nowMs += draw([0, DAY, 31 * DAY, 400 * DAY]);
      const before = machine.advanceSubscription(subscription, nowMs);
      const moved = draw(MOVES)(before, 1 + draw(SEATS), nowMs, draw);
      subscription = moved.ok ? moved.subscription : before;
      expect({ subscription, rules: contradictions(subscription) }).toEqual({ subscription, rules: [] });
      if (before.commitment && subscription.commitment?.startMs === before.commitment.startMs) {
        expect(subscription.seats).toBeGreaterThanOrEqual(before.seats);
      }
      if (moved.ok) reached += 1;
    }
  }
  expect(reached).toBeGreaterThan(5_000);
});

const PLANS: machine.PlanName[] = ['ANNUAL_MONTHLY_PAY', 'ANNUAL_YEARLY_PAY', 'FLEXIBLE', 'TRIAL', 'FREE'];
const SEATS = [0, 1, 5, 20];

type Draw = <T>(from: readonly T[]) => T;
type Move = (before: machine.Subscription, seats: number, nowMs: number, draw: Draw) => machine.Moved;

const MOVES: Move[] = [
  (before, seats, nowMs, draw) => machine.changeSubscriptionPlan(before, draw(machine.PAYMENT_PLANS), seats, nowMs),
  (before, seats) => machine.changeSubscriptionSeats(before, seats),
  (before, _seats, _nowMs, draw) => machine.changeRenewal(before, draw(machine.RENEWAL_TYPES)),
  (before, _seats, nowMs) => machine.startSubscriptionService(before, nowMs),
  (before) => machine.suspendSubscription(before),
  (before, _seats, nowMs) => machine.activateSubscription(before, nowMs),
  (before) => ({ ok: true, subscription: machine.withSuspension(before, 'PENDING_TOS_ACCEPTANCE') }),
  (before) => ({ ok: true, subscription: machine.without(before, 'PENDING_TOS_ACCEPTANCE') }),
  (before, seats, nowMs, draw) =>
    machine.switchSubscription(before, draw(PLANS), seats, draw(machine.RENEWAL_TYPES), nowMs),
];

function contradictions({
  plan,
  seats,
  suspensions,
  trialEndMs,
  commitment,
  renewalType,
}: machine.Subscription): string[] {
  const isAnnual = plan.startsWith('ANNUAL');
  const rules: [string, boolean][] = [
    [
      'a commitment belongs to an annual plan in force, and to every such plan',
      (commitment !== undefined) === (isAnnual && trialEndMs === undefined),
    ],
    ['renewal belongs to annual plans', renewalType === undefined || isAnnual],
    ['an annual plan in force says how it is renewed', commitment === undefined || renewalType !== undefined],
    ['a trial that ended has no end to come', !(suspensions.includes('TRIAL_ENDED') && trialEndMs !== undefined)],
    ['only a trial without plan can have ended', !suspensions.includes('TRIAL_ENDED') || plan === 'TRIAL'],
    [
      'a plan TRIAL is in trial or has ended',
      plan !== 'TRIAL' || trialEndMs !== undefined || suspensions.includes('TRIAL_ENDED'),
    ],
    ['the free plan is no trial', plan !== 'FREE' || trialEndMs === undefined],
    ['a reason stands once', new Set(suspensions).size === suspensions.length],
    ['a commitment ends after it starts', commitment === undefined || commitment.endMs > commitment.startMs],
    ['there are seats', seats >= 1],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule);
}

function after(moved: machine.Moved): machine.Subscription {
  if (!moved.ok) throw new Error(moved.reason);
  return moved.subscription;
}

/** Draws the same from run to run (xorshift32). */
function drawing(seed: number): Draw {
  let state = seed;
  return (from) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const drawn = from[(state >>> 0) % from.length];
    if (drawn === undefined) throw new Error('Nothing to draw from');
    return drawn;
  };
}
