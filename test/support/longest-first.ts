import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, most of it waiting: begun last, they would run when all others are done. */
const LONGEST = [
  'crash',
  'visibility',
  'production-entry',
  'start',
  'crash-transfer',
  'money',
  'push',
  'webhook-kill',
].map((name) => `test/e2e/${name}.test.ts`);

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
