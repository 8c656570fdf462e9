import type { MigrateOptions } from '../core/options.ts';
import type { Overrides } from '../core/overrides.ts';
import type { OverridesProblem } from '../core/problem.ts';
import { findCassandraProblems } from './cassandra.ts';
import { findAccountProblems, findCertificateProblems, connectProblems, findMissingLists } from './components.ts';
import { groupProblems } from './groups.ts';
import { findInstanceProblems, findProjectProblems } from './instance.ts';
import { findNameProblems } from './names.ts';
import { findRoutingProblems } from './routing.ts';
import { findNestedSpelling } from './spelling.ts';
import { findValueProblems } from './values.ts';
import { findFragmentProblems, findLeftoverProblems, findRenamedProblems } from './version.ts';

/** What a file of 1.2 or 1.3 is judged by. */
export const rules: readonly ((overrides: Overrides, options: MigrateOptions) => readonly OverridesProblem[])[] = [
  findFragmentProblems,
  findLeftoverProblems,
  findRenamedProblems,
  findMissingLists,
  findNameProblems,
  findInstanceProblems,
  findProjectProblems,
  groupProblems,
  findRoutingProblems,
  findCertificateProblems,
  connectProblems,
  findAccountProblems,
  findCassandraProblems,
  findValueProblems,
  findNestedSpelling,
];
