import { authorize, type Claim, namesOf, type ResourceName } from '../core/authorize.ts';
import { outcomeOf } from '../core/conventions/outcome.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { refuse, type RefusalData } from '../../lib/refusal.ts';
import type { SeedCall } from './bodies.ts';
import { emulatorCaller } from './made-up.ts';
import { seedCallOf } from './seed-calls.ts';

/** Names that all calls of one seed may have together: each may be a question to the registry. */
export const MAX_SEED_NAMES = 500;
/** Of those, how many are asked about at a time. */
const NAMES_AT_A_TIME = 50;

/**
 * Why a seed may not be made: one of its calls has a name that is not the tenant's (rule K1). A call that is wrong in
 * itself is passed over: that is what comes of it in its turn.
 */
export async function seedRefusal(
  calls: readonly SeedCall[],
  tenant: Tenant,
  claim: Claim,
): Promise<RefusalData | undefined> {
  const found = outcomeOf(() => namesIn(calls, tenant));
  if (!found.ok) return found.refusal;
  const caller = emulatorCaller(tenant);
  for (let at = 0; at < found.value.length; at += NAMES_AT_A_TIME) {
    const some = found.value.slice(at, at + NAMES_AT_A_TIME);
    const refusals = await Promise.all(some.map((name) => authorize(caller, name, claim)));
    const refusal = refusals.find((each) => each !== undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Each name once. @throws Refusal for too many, and for those that a call may not have */
function namesIn(calls: readonly SeedCall[], tenant: Tenant): readonly ResourceName[] {
  const names = new Map<string, ResourceName>();
  for (const sent of calls) {
    const judged = seedCallOf(sent, tenant);
    if ('refusal' in judged) continue;
    for (const name of namesOf(judged.row, judged.call)) names.set(JSON.stringify(name), name);
    if (names.size > MAX_SEED_NAMES) throw refuse.invalid(`A seed may name at most ${MAX_SEED_NAMES} containers`);
  }
  return [...names.values()];
}
