import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Moved, TransitionRefusal, Subscription } from './subscriptions/machine.ts';

/** What the machine refuses, as the vendor says it: 412, but for what a body asks wrongly. */
const REFUSALS: Readonly<Record<TransitionRefusal, string>> = {
  plan_not_changeable: 'The plan cannot be changed before its renewal.',
  same_plan: 'The subscription has this plan.',
  seats_not_reducible: 'Seats of an annual plan cannot be reduced before its renewal.',
  renewal_needs_annual_plan: 'Renewal settings are for annual plans.',
  not_in_trial: 'The subscription is not in trial.',
  no_payment_plan: 'The trial has no payment plan.',
  not_active: 'The subscription is not active.',
  not_suspended_by_reseller: 'The subscription is not suspended by the reseller.',
};

/** @throws Refusal 412 where the machine refuses */
export function requireMoved(moved: Moved): Subscription {
  if (!moved.ok) throw vendorRefusals.conditionNotMet(REFUSALS[moved.reason]);
  return moved.subscription;
}
