import type { Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { SeedPlan } from './bodies.ts';
import { DEPARTMENTS, FAMILY_NAMES, GIVEN_NAMES } from './made-up-data.ts';

/** Org units that stand right below the root, and that each has below it. */
const BREADTH = 10;
/** Valid, and forgotten as soon as it is judged, like every password (rule K7). */
const PASSWORD = 'Made-up-and-forgotten-1';

/** The n-th org unit (from 0): ten at the top, ten below each. */
export const orgUnitCall = (n: number, tenant: Tenant): Call => {
  const parentOrgUnitPath = n < BREADTH ? '/' : orgUnitPath(parentOf(n));
  return callOf(
    tenant,
    'directory.orgunits.insert',
    { customerId: 'my_customer' },
    { name: unitName(n), parentOrgUnitPath },
  );
};

export function userCall(n: number, plan: SeedPlan, tenant: Tenant): Call {
  const givenName = pick(GIVEN_NAMES, n);
  const familyName = pick(FAMILY_NAMES, Math.floor(n / GIVEN_NAMES.length));
  return callOf(
    tenant,
    'directory.users.insert',
    {},
    {
      primaryEmail: userEmail(n, tenant),
      name: { givenName, familyName },
      password: PASSWORD,
      orgUnitPath: plan.orgUnits === 0 ? '/' : orgUnitPath(n % plan.orgUnits),
    },
  );
}

export function groupCall(n: number, tenant: Tenant): Call {
  const name = unitName(n);
  const description = `Everybody in ${name}`;
  return callOf(tenant, 'directory.groups.insert', {}, { email: groupEmail(n, tenant), name, description });
}

/** The n-th membership: groups take users in turn, so that all users are in about as many groups. */
export function membershipCall(n: number, plan: SeedPlan, tenant: Tenant): Call {
  const place = n % plan.membersPerGroup;
  const group = Math.floor(n / plan.membersPerGroup);
  const email = userEmail(n % plan.users, tenant);
  const role = place === 0 ? 'OWNER' : 'MEMBER';
  return callOf(tenant, 'directory.members.insert', { groupKey: groupEmail(group, tenant) }, { email, role });
}

const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? '';

const unitName = (n: number): string => `${pick(DEPARTMENTS, n)} ${n + 1}`;

const parentOf = (n: number): number => Math.floor((n - BREADTH) / BREADTH);

const orgUnitPath = (n: number): string => `${n < BREADTH ? '' : orgUnitPath(parentOf(n))}/${unitName(n)}`;

function userEmail(n: number, { domain }: Tenant): string {
  const familyName = pick(FAMILY_NAMES, Math.floor(n / GIVEN_NAMES.length));
  return `${pick(GIVEN_NAMES, n)}.${familyName}.${n + 1}@${domain}`.toLowerCase();
}

const groupEmail = (n: number, { domain }: Tenant): string =>
  `${pick(DEPARTMENTS, n)}-${n + 1}@${domain}`.toLowerCase();

const callOf = (tenant: Tenant, method: string, path: Record<string, string>, body: JsonObject): Call => ({
  method,
  path,
  query: {},
  body,
  caller: emulatorCaller(tenant),
});

/** Who makes the calls of a seed: the tenant's operator. */
export const emulatorCaller = (tenant: Tenant): Call['caller'] => ({
  tenant: tenant.id,
  kind: 'operator',
  userId: 'emulator',
  clientId: 'emulator',
  scopes: [],
});
