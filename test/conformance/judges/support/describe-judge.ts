import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinControlStack } from '../../support/control-stack.ts';
import { JUDGES, type JudgeLanguage } from '../judges-data.ts';
import { MISSES } from '../misses-data.ts';
import { listCases } from './cases.ts';
import { type CaseResult, runJudge } from './run-judge.ts';

/** For hangs only: a first build of the Go program, and its run. */
const RUN_TIMEOUT_MS = 560_000;

/** Tests of one language: one for each case, run by one process in a tenant of its own. Without its client all are skipped. */
export function describeJudge(language: JudgeLanguage): void {
  const { client, packages, needs } = JUDGES[language];
  const cases = listCases(language);
  const missing = needs.filter((file) => !existsSync(file));
  const todo = missing.length === 0 ? '' : ` (not installed: apt-get install ${packages.join(' ')})`;

  describe.skipIf(missing.length > 0)(`${client}${todo}`, () => {
    let stack: Awaited<ReturnType<typeof joinControlStack>>;
    let results: ReadonlyMap<string, CaseResult>;

    beforeAll(async () => {
      stack = await joinControlStack({ actsFor: ['admin'] });
      const { url, token, customer, domain } = stack.world;
      results = await runJudge(language, { url, token, customer, domain, keyFile: stack.keyFile });
    }, RUN_TIMEOUT_MS);
    afterAll(async () => stack?.stop());

    test.each(cases)('%s', (name) => {
      const miss = MISSES.find((one) => one.language === language && one.name === name);
      const result = results.get(name);
      expect(result, 'The program did not come to this case').toBeDefined();
      if (miss === undefined) expect(result).toEqual({ name, ok: true, detail: '' });
      else expect(result?.ok, `It passes now: delete its row of misses-data.ts (${miss.cause})`).toBe(false);
    });

    test('every case that the program ran is one of these', () => {
      expect([...results.keys()].toSorted()).toEqual(cases.toSorted());
    });
  });
}
