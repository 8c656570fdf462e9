import type { PlanContext } from '../context.ts';
import type { UpgradeStep, StepContent } from '../plan.ts';
import { connect } from './connect.ts';
import { cleanUp } from './clean-up.ts';
import { buildComponentsStep } from './components.ts';
import { buildDatastoreStep, buildRingStep } from './datastore.ts';
import { buildOverridesStep } from './file.ts';
import { buildGroupsStep } from './groups.ts';
import { buildApigeectlStep, buildInitStep } from './install.ts';
import { buildMeshStep } from './platform.ts';
import { buildBackupsStep, buildVersionsStep } from './prepare.ts';
import { buildWatcherStep } from './watcher.ts';

/** The order of the vendor's procedure; nothing may change places. Prose names steps by these numbers. */
const STEPS: readonly ((context: PlanContext) => StepContent)[] = [
  buildVersionsStep,
  buildBackupsStep,
  connect,
  buildWatcherStep,
  buildGroupsStep,
  buildOverridesStep,
  buildMeshStep,
  buildApigeectlStep,
  buildInitStep,
  buildDatastoreStep,
  buildComponentsStep,
  buildRingStep,
  cleanUp,
];

/** All steps, numbered from 0. Only the last cannot be undone. */
export const buildUpgradeSteps = (context: PlanContext): readonly UpgradeStep[] =>
  STEPS.map((step, number) => ({ number, ...step(context), isPointOfNoReturn: number === STEPS.length - 1 }));
