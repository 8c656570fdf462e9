import { contextOf, type Engine, MAX_STATEMENTS, requireQuota } from '../core/engine/execute.ts';
import type { Call } from '../core/engine/operation.ts';
import type { Change } from '../core/engine/tenant.ts';
import type { SeedProgress } from '../core/tenant-object.ts';
import type { SeedPlan } from './bodies.ts';
import { buffered } from './write-buffer.ts';
import { groupCall, membershipCall, orgUnitCall, userCall } from './made-up.ts';

/** Rows of one step at most; it also ends when it nears the statements that a request may have (rule K9). */
const STEP_ROWS = 2_000;
/** Kept back for writing what was collected. */
const FLUSH_STATEMENTS = 500;

export const newProgress = (plan: SeedPlan): SeedProgress => ({
  state: 'running',
  plan: { ...plan, membersPerGroup: Math.min(plan.membersPerGroup, plan.users) },
  orgUnits: 0,
  users: 0,
  groups: 0,
  memberships: 0,
});

/**
 * Makes some more of the data up, by the directory's own handlers over a collecting store: names, counters and rules hold
 * as if each had been a call. Watchers hear nothing. Runs inside a transaction.
 * @returns how far it is now
 * @throws Refusal or Error when the data does not fit what is there, or the tenant keeps as much as it may
 */
export function generateStep(before: SeedProgress, engine: Engine): SeedProgress {
  requireQuota(engine);
  const { store, flush } = buffered(engine.store);
  const collecting = { ...engine, store };
  const first = store.statements();
  const progress = { ...before };
  return store.bounded({ statements: MAX_STATEMENTS, writes: true }, () => {
    for (let made = 0; made < STEP_ROWS; made += 1) {
      if (store.statements() - first > MAX_STATEMENTS - FLUSH_STATEMENTS) break;
      const next = nextCall(progress, engine);
      if (next === undefined) break;
      perform(next.call, collecting);
      progress[next.counter] += 1;
    }
    flush();
    return nextCall(progress, engine) === undefined ? { ...progress, state: 'done' } : progress;
  });
}

type Counter = 'orgUnits' | 'users' | 'groups' | 'memberships';

function nextCall(progress: SeedProgress, { tenant }: Engine): { counter: Counter; call: Call } | undefined {
  const { plan, orgUnits, users, groups, memberships } = progress;
  if (orgUnits < plan.orgUnits) return { counter: 'orgUnits', call: orgUnitCall(orgUnits, tenant) };
  if (users < plan.users) return { counter: 'users', call: userCall(users, plan, tenant) };
  if (groups < plan.groups) return { counter: 'groups', call: groupCall(groups, tenant) };
  if (memberships >= plan.groups * plan.membersPerGroup) return undefined;
  return { counter: 'memberships', call: membershipCall(memberships, plan, tenant) };
}

function perform(call: Call, engine: Engine): void {
  const handler = engine.handlers[call.method];
  if (handler === undefined) throw new Error(`Nothing makes ${call.method}`);
  const unheard: Change[] = [];
  handler(call, contextOf(call, engine, unheard));
}
