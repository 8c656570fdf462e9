import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoredAnswers } from '../../../src/web/report/answers/stored-answers.ts';
import { VisibilityView } from '../../../src/web/report/views/visibility.tsx';
import { measureOn, storedRunsOf, visibilityExample } from '../../support/pages/view-results.ts';
import { type Opened, openBrowser } from '../../support/stack/browser.ts';

const START_MS = 60_000;
const FILTER = new URL('../../../src/web/islands/parts/answer-filter.ts', import.meta.url).pathname;
let browser: Opened;
let script: string;
beforeAll(async () => {
  const built = await build({
    stdin: { contents: `import { filterAnswers } from '${FILTER}'; filterAnswers(document);`, resolveDir: '/' },
    bundle: true,
    write: false,
    format: 'iife',
  });
  script = built.outputFiles[0]?.text ?? '';
  browser = await openBrowser();
}, START_MS);
afterAll(() => browser.close());

test('one press shows where the brand is missing, refusals not among it, and an engine can be chosen', async () => {
  const [run, result] = [await measureOn(), await visibilityExample()];
  const refusing = run.answers.map((one) =>
    one.status === 'answered' && one.index < 5
      ? { ...one, status: 'refused' as const, refusal: 'refusal' as const }
      : one,
  );
  const shown = await readStoredAnswers(
    { json: result },
    {
      ...storedRunsOf(run),
      runs: [
        { ...run, engine: { ...run.engine, name: 'one' } },
        { ...run, runId: 'f'.repeat(32), engine: { ...run.engine, name: 'two' }, answers: refusing },
      ],
    },
  );
  if (shown === undefined) throw new Error('both have answers');
  const absent = shown.runs.map(
    ({ answers }) => answers.filter((one) => one.status === 'answered' && one.outcomes[0] === 'absent').length,
  );
  const page = await browser.page();
  await page.setContent(String(VisibilityView({ result, answers: { shown, report: '/reports/x' } })));
  const listed = page.locator('[data-answer]:visible');
  expect(await listed.count()).toBe(60);
  await page.addScriptTag({ content: script });
  const missing = page.getByRole('button', { name: 'Where am I missing?' });
  await missing.click();
  expect(await listed.count()).toBe((absent[0] ?? 0) + (absent[1] ?? 0));
  expect(await missing.getAttribute('aria-pressed')).toBe('true');
  await page.locator('select[name=engine]').selectOption('two');
  expect(await listed.count()).toBe(absent[1]);
  await missing.click();
  expect(await listed.count()).toBe(30);
  await page.locator('select[name=outcome]').selectOption('No real answer');
  expect(await listed.count()).toBe(5);
  expect(await missing.getAttribute('aria-pressed')).toBe('false');
  await page.close();
});
