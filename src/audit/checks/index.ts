import type { AnyCheck } from '../check.ts';

/** Every check, in the order of the report. `test/registry.test.ts` names what a row lacks. */
export const checks: readonly AnyCheck[] = [];
