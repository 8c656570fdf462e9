import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest: begun last, they would run when all others are done. Those that compute are between those that
 * wait, so that both are under way at any time.
 */
const LONGEST = [
  'sales/ledger-model',
  'e2e/pages/pages',
  'e2e/purchases/visibility',
  'hostile/hostile',
  'e2e/notifications/notifications-renewal',
  'e2e/stack/production-entry',
  'e2e/notifications/webhook-kill',
  'e2e/stack/start',
  'conformance/logging',
  'conformance/judges/go',
  'e2e/pages/buy-in-page',
  'e2e/purchases/crash',
  'audit/truth/truth',
  'e2e/purchases/money',
  'e2e/command-line/command-line',
  'e2e/notifications/push',
  'e2e/pages/console-telemetry',
  'e2e/command-line/visibility-command',
  'e2e/notifications/notifications',
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
