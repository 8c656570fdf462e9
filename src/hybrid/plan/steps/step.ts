import type { UpgradeStep } from '../plan.ts';

/** What a step says itself; number and point of no return follow from its place in the list. */
export type StepContent = Omit<UpgradeStep, 'number' | 'isPointOfNoReturn'>;
