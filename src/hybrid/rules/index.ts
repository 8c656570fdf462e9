import type { MigrateOptions } from '../core/options.ts';
import type { Overrides } from '../core/overrides.ts';
import type { Problem } from '../core/problem.ts';
import { cassandraProblems } from './cassandra.ts';
import { accountProblems, certificateProblems, connectProblems, requiredLists } from './components.ts';
import { groupProblems } from './groups.ts';
import { instanceProblems, projectProblems } from './instance.ts';
import { nameProblems } from './names.ts';
import { routingProblems } from './routing.ts';
import { valueProblems } from './values.ts';
import { fragmentProblems, leftOverProblems, renamedProblems } from './version.ts';

/** What a file of 1.2 or 1.3 is judged by. */
export const rules: readonly ((overrides: Overrides, options: MigrateOptions) => readonly Problem[])[] = [
  fragmentProblems,
  leftOverProblems,
  renamedProblems,
  requiredLists,
  nameProblems,
  instanceProblems,
  projectProblems,
  groupProblems,
  routingProblems,
  certificateProblems,
  connectProblems,
  accountProblems,
  cassandraProblems,
  valueProblems,
];
