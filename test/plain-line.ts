import type { Reporter, TestModule } from 'vitest/node';

type Thrown = { message: string };

/** Characters shown of what a failed test says. */
const REASON_CHARS = 300;

/**
 * Vitest reporter that closes a run with a line `FAILED file > test: error` for each failure and
 * `N passed, N failed, N skipped` on a line of its own. An error that no test caught is a failure too: vitest ends with 1.
 */
export default class PlainLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly Thrown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      // A file that fails outside its tests (import, hooks) counts as one failure.
      const hasFailedTest = tests.some((one) => one.result().state === 'failed');
      if (module.state() === 'failed' && !hasFailedTest) {
        count.failed += 1;
        console.log(`FAILED ${module.relativeModuleId}`);
      }
      for (const test of tests) {
        const { state, errors } = test.result();
        count[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
        if (state === 'failed')
          console.log(`FAILED ${module.relativeModuleId} > ${test.fullName}${formatReason(errors)}`);
      }
    }
    for (const error of uncaught) {
      count.failed += 1;
      console.log(`FAILED outside of its test${formatReason([error])}`);
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}

function formatReason(errors: readonly Thrown[] | undefined): string {
  const [first] = errors ?? [];
  return first === undefined ? '' : `: ${first.message.replaceAll(/\s+/gu, ' ').slice(0, REASON_CHARS)}`;
}
