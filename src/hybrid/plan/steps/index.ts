import type { PlanContext } from '../context.ts';
import type { Step } from '../plan.ts';
import { connect } from './connect.ts';
import { cleanUp } from './clean-up.ts';
import { components } from './components.ts';
import { datastore, ring } from './datastore.ts';
import { overrides } from './file.ts';
import { groups } from './groups.ts';
import { apigeectl, init } from './install.ts';
import { mesh } from './platform.ts';
import { backups, versions } from './prepare.ts';
import type { StepContent } from './step.ts';
import { watcher } from './watcher.ts';

/** The order of the vendor's procedure; nothing may change places. Prose names steps by these numbers. */
const STEPS: readonly ((context: PlanContext) => StepContent)[] = [
  versions,
  backups,
  connect,
  watcher,
  groups,
  overrides,
  mesh,
  apigeectl,
  init,
  datastore,
  components,
  ring,
  cleanUp,
];

/** All steps, numbered from 0. Only the last cannot be undone. */
export const stepsOf = (context: PlanContext): readonly Step[] =>
  STEPS.map((step, number) => ({ number, ...step(context), isPointOfNoReturn: number === STEPS.length - 1 }));
