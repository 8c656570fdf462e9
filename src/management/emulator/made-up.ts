import type { Call } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { SeedPlan } from './bodies.ts';
import { DEPARTMENTS, FAMILY_NAMES, GIVEN_NAMES } from './made-up-data.ts';

/** Org units directly below the root, and directly below each of these. */
const BREADTH = 10;
/** Valid, and forgotten as soon as it is judged, like every password (rule K7). */
const PASSWORD = 'Made-up-and-forgotten-1';

/** The n-th org unit (from 0): ten at the top, ten below each. */
export const buildOrgUnitCall = (n: number, tenant: Tenant): Call => {
  const parentOrgUnitPath = n < BREADTH ? '/' : formatOrgUnitPath(computeParentNumber(n));
  return buildGeneratedCall(
    tenant,
    'directory.orgunits.insert',
    { customerId: 'my_customer' },
    { name: formatUnitName(n), parentOrgUnitPath },
  );
};

export function buildUserCall(n: number, plan: SeedPlan, tenant: Tenant): Call {
  const givenName = pick(GIVEN_NAMES, n);
  const familyName = pick(FAMILY_NAMES, Math.floor(n / GIVEN_NAMES.length));
  return buildGeneratedCall(
    tenant,
    'directory.users.insert',
    {},
    {
      primaryEmail: formatUserEmail(n, tenant),
      name: { givenName, familyName },
      password: PASSWORD,
      orgUnitPath: plan.orgUnits === 0 ? '/' : formatOrgUnitPath(n % plan.orgUnits),
    },
  );
}

export function groupCall(n: number, tenant: Tenant): Call {
  const name = formatUnitName(n);
  const description = `Everybody in ${name}`;
  return buildGeneratedCall(tenant, 'directory.groups.insert', {}, { email: groupEmail(n, tenant), name, description });
}

/** The n-th membership: groups take users in turn, so that all users are in about as many groups. */
export function buildMembershipCall(n: number, plan: SeedPlan, tenant: Tenant): Call {
  const place = n % plan.membersPerGroup;
  const group = Math.floor(n / plan.membersPerGroup);
  const email = formatUserEmail(n % plan.users, tenant);
  const role = place === 0 ? 'OWNER' : 'MEMBER';
  return buildGeneratedCall(
    tenant,
    'directory.members.insert',
    { groupKey: groupEmail(group, tenant) },
    { email, role },
  );
}

const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? '';

const formatUnitName = (n: number): string => `${pick(DEPARTMENTS, n)} ${n + 1}`;

const computeParentNumber = (n: number): number => Math.floor((n - BREADTH) / BREADTH);

const formatOrgUnitPath = (n: number): string =>
  `${n < BREADTH ? '' : formatOrgUnitPath(computeParentNumber(n))}/${formatUnitName(n)}`;

function formatUserEmail(n: number, { domain }: Tenant): string {
  const familyName = pick(FAMILY_NAMES, Math.floor(n / GIVEN_NAMES.length));
  return `${pick(GIVEN_NAMES, n)}.${familyName}.${n + 1}@${domain}`.toLowerCase();
}

const groupEmail = (n: number, { domain }: Tenant): string =>
  `${pick(DEPARTMENTS, n)}-${n + 1}@${domain}`.toLowerCase();

const buildGeneratedCall = (tenant: Tenant, method: string, path: Record<string, string>, body: JsonObject): Call => ({
  method,
  path,
  query: {},
  body,
  caller: buildEmulatorCaller(tenant),
});

/** Who makes the calls of a seed: the tenant's operator. */
export const buildEmulatorCaller = (tenant: Tenant): Call['caller'] => ({
  tenant: tenant.id,
  kind: 'operator',
  userId: 'emulator',
  clientId: 'emulator',
  scopes: [],
});
