import type { MethodCase } from '../support/method-cases.ts';
import { domainCases } from './domains.ts';
import { groupCases } from './groups.ts';
import { memberCases } from './members.ts';
import { orgUnitCases } from './org-units.ts';
import { roleCases } from './roles.ts';
import { schemaCases } from './schemas.ts';

/** Groups, org units, schemas, roles, domains, the customer: a case for each method. */
export const cases: readonly MethodCase[] = [
  ...groupCases,
  ...memberCases,
  ...orgUnitCases,
  ...schemaCases,
  ...roleCases,
  ...domainCases,
];
