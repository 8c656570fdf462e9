import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, most of them waiting: begun last, they would run when all others are done. */
const LONGEST = [
  'hostile/hostile',
  'sales/ledger-model',
  'e2e/pages',
  'e2e/production-entry',
  'e2e/crash',
  'e2e/visibility',
  'e2e/start',
  'e2e/notifications-renewal',
  'e2e/webhook-kill',
  'conformance/logging',
  'e2e/command-line',
  'e2e/money',
  'e2e/buy-in-page',
  'e2e/console-telemetry',
  'e2e/push',
  'e2e/notifications',
  'audit/truth/truth',
].map((name) => `test/${name}.test.ts`);

/** The order of vitest, but for what takes longest, which comes first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank === -1 ? LONGEST.length : rank;
    };
    const inOrder: readonly TestSpecification[] = await super.sort(files); // oxlint-disable-line unicorn/no-array-sort -- vitest's own sort
    return inOrder.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
