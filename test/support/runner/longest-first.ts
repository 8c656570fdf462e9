import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest: begun last, they would run when all others are done. Those that compute are between those that
 * wait, so that both are under way at any time.
 */
const LONGEST = [
  'e2e/deploy/deploy',
  'e2e/client-python/package',
  'e2e/stack/start',
  'e2e/stack/stored-in-flight',
  'hostile/hostile',
  'e2e/notifications/notifications-renewal',
  'e2e/purchases/visibility',
  'e2e/pages/pages',
  'e2e/deploy/stand-in',
  'e2e/documents/docs-site',
  'conformance/aisearch/wrangler',
  'e2e/notifications/webhook-kill',
  'e2e/audits/hostile-scripts',
  'e2e/client-python/purchases',
  'conformance/logging',
  'e2e/pages/buy-in-page',
  'e2e/stack/production-entry',
  'e2e/stack/drain',
  'e2e/purchases/money',
  'e2e/client/client-faults',
  'e2e/command-line/mcp-stdio',
  'e2e/notifications/notifications',
  'e2e/stack/stored-data',
  'conformance/aisearch',
  'e2e/notifications/push',
  'e2e/purchases/transfer-refusals',
  'e2e/purchases/crash',
  'e2e/stack/start-drain',
  'e2e/deploy/staging-purchase',
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
