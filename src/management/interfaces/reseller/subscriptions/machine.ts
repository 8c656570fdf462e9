import { DAY_MS } from '../../../../lib/time.ts';

/** Plans that are paid for, and those that are not. */
export const PAYMENT_PLANS = ['ANNUAL_MONTHLY_PAY', 'ANNUAL_YEARLY_PAY', 'FLEXIBLE'] as const;
export type PaymentPlan = (typeof PAYMENT_PLANS)[number];
export type PlanName = PaymentPlan | 'TRIAL' | 'FREE';

export const RENEWAL_TYPES = [
  'AUTO_RENEW_MONTHLY_PAY',
  'AUTO_RENEW_YEARLY_PAY',
  'RENEW_CURRENT_USERS_MONTHLY_PAY',
  'RENEW_CURRENT_USERS_YEARLY_PAY',
  'SWITCH_TO_PAY_AS_YOU_GO',
  'CANCEL',
] as const;
export type RenewalType = (typeof RENEWAL_TYPES)[number];

export const SUSPENSION_REASONS = [
  'PENDING_TOS_ACCEPTANCE',
  'RENEWAL_WITH_TYPE_CANCEL',
  'RESELLER_INITIATED',
  'TRIAL_ENDED',
  'OTHER',
] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/**
 * What a subscription is, apart from its names. It is ACTIVE while `suspensions` is empty, SUSPENDED otherwise.
 * In trial while `trialEndMs` is there: the plan is then TRIAL, or the payment plan that follows the trial.
 * A commitment is there exactly while an annual plan is in force; a renewal type belongs to annual plans only.
 */
export type Subscription = {
  plan: PlanName;
  seats: number;
  suspensions: readonly SuspensionReason[];
  trialEndMs?: number;
  commitment?: { startMs: number; endMs: number };
  renewalType?: RenewalType;
};

export type TransitionRefusal =
  | 'plan_not_changeable'
  | 'same_plan'
  | 'seats_not_reducible'
  | 'renewal_needs_annual_plan'
  | 'not_in_trial'
  | 'no_payment_plan'
  | 'not_active'
  | 'not_suspended_by_reseller';
export type Moved = { ok: true; subscription: Subscription } | { ok: false; reason: TransitionRefusal };

export const TRIAL_MS = 30 * DAY_MS;
/** Commitments that can pass between two looks at a subscription. */
const MAX_RENEWALS = 1_000;

export const isAnnual = (plan: PlanName): boolean => plan === 'ANNUAL_MONTHLY_PAY' || plan === 'ANNUAL_YEARLY_PAY';
export const isInTrial = ({ trialEndMs }: Subscription): boolean => trialEndMs !== undefined;
export const isActive = ({ suspensions }: Subscription): boolean => suspensions.length === 0;

/** A new subscription: a trial of 30 days, or the plan from now on. `renewalType` counts for annual plans only. */
export function buildSubscription(
  plan: PlanName,
  seats: number,
  renewalType: RenewalType | undefined,
  nowMs: number,
): Subscription {
  if (plan === 'TRIAL') return { plan, seats, suspensions: [], trialEndMs: nowMs + TRIAL_MS };
  return withPlan({ plan, seats, suspensions: [], ...(renewalType !== undefined && { renewalType }) }, plan, nowMs);
}

/**
 * Gives a trial the plan that follows it, or a flexible subscription an annual plan. A trial goes on as a trial; one
 * that has ended starts to be paid at once. An annual plan cannot be left before its renewal.
 */
export function changeSubscriptionPlan(before: Subscription, plan: PaymentPlan, seats: number, nowMs: number): Moved {
  const hasEnded = before.suspensions.includes('TRIAL_ENDED');
  if (before.plan === plan && !hasEnded) return rejectMove('same_plan');
  if (isInTrial(before)) return acceptMove({ ...withoutTerms(before), plan, seats });
  if (hasEnded) return acceptMove(withPlan({ ...without(before, 'TRIAL_ENDED'), seats }, plan, nowMs));
  if (before.plan !== 'FLEXIBLE') return rejectMove('plan_not_changeable');
  return acceptMove(withPlan({ ...before, seats }, plan, nowMs));
}

/** Seats of an annual plan in force only grow until it is renewed. */
export function changeSubscriptionSeats(before: Subscription, seats: number): Moved {
  if (before.commitment !== undefined && seats < before.seats) return rejectMove('seats_not_reducible');
  return acceptMove({ ...before, seats });
}

/**
 * Another SKU takes the subscription's place: what it is committed to, why it is suspended and how long it is in trial
 * goes over. Plan and seats change only where they could without a switch.
 */
export function switchSubscription(
  before: Subscription,
  plan: PlanName,
  seats: number,
  renewalType: RenewalType | undefined,
  nowMs: number,
): Moved {
  const after = plan === before.plan ? changeSubscriptionSeats(before, seats) : toPlan(before, plan, seats, nowMs);
  const isRenewed = after.ok && renewalType !== undefined && isAnnual(after.subscription.plan);
  return isRenewed ? changeRenewal(after.subscription, renewalType) : after;
}

function toPlan(before: Subscription, plan: PlanName, seats: number, nowMs: number): Moved {
  const payment = PAYMENT_PLANS.find((each) => each === plan);
  return payment === undefined
    ? rejectMove('plan_not_changeable')
    : changeSubscriptionPlan(before, payment, seats, nowMs);
}

/** What happens at the end of an annual commitment. */
export function changeRenewal(before: Subscription, renewalType: RenewalType): Moved {
  if (!isAnnual(before.plan)) return rejectMove('renewal_needs_annual_plan');
  return acceptMove({ ...before, renewalType });
}

/** Ends a trial now, where a payment plan is set. */
export function startSubscriptionService(before: Subscription, nowMs: number): Moved {
  if (!isInTrial(before)) return rejectMove('not_in_trial');
  if (before.plan === 'TRIAL') return rejectMove('no_payment_plan');
  return acceptMove(startPayment(before, nowMs));
}

/** The reseller suspends an active subscription. Its commitment ends when it would have. */
export function suspendSubscription(before: Subscription): Moved {
  if (!isActive(before)) return rejectMove('not_active');
  return acceptMove(withSuspension(before, 'RESELLER_INITIATED'));
}

/**
 * Takes the reseller's own suspension back; other reasons remain. A commitment that ended meanwhile begins anew, when
 * nothing holds the subscription any more.
 */
export function activateSubscription(before: Subscription, nowMs: number): Moved {
  if (!before.suspensions.includes('RESELLER_INITIATED')) return rejectMove('not_suspended_by_reseller');
  const after = without(before, 'RESELLER_INITIATED');
  const isOver = after.commitment !== undefined && after.commitment.endMs <= nowMs;
  return acceptMove(isOver && isActive(after) ? withPlan(after, after.plan, nowMs) : after);
}

/** Adds a reason that is not the reseller's: terms of service to be accepted, or the vendor's own. */
export function withSuspension(before: Subscription, reason: SuspensionReason): Subscription {
  if (before.suspensions.includes(reason)) return before;
  return { ...before, suspensions: [...before.suspensions, reason].toSorted() };
}

/** Takes a reason away. */
export function without(before: Subscription, reason: SuspensionReason): Subscription {
  return { ...before, suspensions: before.suspensions.filter((each) => each !== reason) };
}

/**
 * What time makes of a subscription: a trial ends (its payment plan begins, or it is suspended), and a commitment is
 * renewed as it was said to be. What is suspended is not renewed.
 */
export function advanceSubscription(before: Subscription, nowMs: number): Subscription {
  let after = before;
  for (let passed = 0; passed < MAX_RENEWALS; passed += 1) {
    const next = advanceOnce(after, nowMs);
    if (next === after) return after;
    after = next;
  }
  return after;
}

function advanceOnce(before: Subscription, nowMs: number): Subscription {
  const { trialEndMs, commitment, plan } = before;
  if (trialEndMs !== undefined && trialEndMs <= nowMs) {
    if (plan !== 'TRIAL') return startPayment(before, trialEndMs);
    const { trialEndMs: _over, ...rest } = before;
    return withSuspension(rest, 'TRIAL_ENDED');
  }
  if (commitment !== undefined && commitment.endMs <= nowMs && isActive(before))
    return renewCommitment(before, commitment.endMs);
  return before;
}

function renewCommitment(before: Subscription, endMs: number): Subscription {
  switch (before.renewalType) {
    case 'CANCEL':
      return withSuspension(before, 'RENEWAL_WITH_TYPE_CANCEL');
    case 'SWITCH_TO_PAY_AS_YOU_GO':
      return withPlan(before, 'FLEXIBLE', endMs);
    case 'AUTO_RENEW_YEARLY_PAY':
    case 'RENEW_CURRENT_USERS_YEARLY_PAY':
      return withPlan(before, 'ANNUAL_YEARLY_PAY', endMs);
    default:
      return withPlan(before, 'ANNUAL_MONTHLY_PAY', endMs);
  }
}

function startPayment({ trialEndMs: _over, ...before }: Subscription, startMs: number): Subscription {
  return withPlan(before, before.plan, startMs);
}

/** The plan is in force from `startMs` on; what belongs to another kind of plan goes. */
function withPlan(before: Subscription, plan: PlanName, startMs: number): Subscription {
  const rest = withoutTerms(before);
  if (!isAnnual(plan)) return { ...rest, plan };
  const renewalType =
    before.renewalType ?? (plan === 'ANNUAL_YEARLY_PAY' ? 'AUTO_RENEW_YEARLY_PAY' : 'AUTO_RENEW_MONTHLY_PAY');
  return { ...rest, plan, commitment: { startMs, endMs: addYear(startMs) }, renewalType };
}

function withoutTerms({ commitment: _old, renewalType: _former, ...rest }: Subscription): Subscription {
  return rest;
}

function addYear(startMs: number): number {
  const date = new Date(startMs);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

const acceptMove = (subscription: Subscription): Moved => ({ ok: true, subscription });
const rejectMove = (reason: TransitionRefusal): Moved => ({ ok: false, reason });
