import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  openBrowser,
  type Opened,
  SCHEMES,
  screenshot,
  WIDTHS,
} from '../../support/stack/browser.ts';
import { sampleRows } from '../../support/runner/budget.ts';

const WAIT_MS = 250;
const MAX_WAITS = 60;

let stack: Stack;
let browser: Opened;
let control = '';

beforeAll(async () => {
  process.env['TELEMETRY'] = 'control'; // The other stacks of these tests go without.
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  control = stack.file.control ?? '';
});

afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function signedIn(): Promise<Page> {
  const page = await browser.page({ scripts: false });
  await page.goto(`${control}/console/`);
  await page.getByLabel('Operator secret').fill(stack.file.operator?.secret ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

/** Opens a page until it shows this link: telemetry comes a moment after what it tells of. */
async function openedWith(page: Page, path: string, link: string): Promise<void> {
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    await page.goto(`${control}${path}`);
    if ((await page.locator(link).count()) > 0) return;
    await page.waitForTimeout(WAIT_MS);
  }
  throw new Error(`${path} never showed ${link}`);
}

async function expectSound(page: Page, name: string): Promise<void> {
  await screenshot(page, name);
  expect({
    complaints: await complaints(page),
    foreign: foreignRequests(page),
    wide: await noOverflow(page),
    axe: await judgePage(page),
  }).toEqual({ complaints: [], foreign: [], wide: [], axe: [] });
}

const NESTED = 'a'.repeat(32);

/** A trace as services make them: nested work, a failure, and a span whose parent is elsewhere. */
async function writeNested(): Promise<void> {
  const { project, token } = stack.file.operator ?? { project: '', token: '' };
  const span = (id: number, parent: number | undefined, name: string, [fromMs, toMs]: [number, number], more = {}) => ({
    name: `projects/${project}/traces/${NESTED}/spans/${String(id).padStart(16, '0')}`,
    spanId: String(id).padStart(16, '0'),
    ...(parent === undefined ? {} : { parentSpanId: String(parent).padStart(16, '0') }),
    displayName: { value: name },
    startTime: new Date(Date.now() - 60_000 + fromMs).toISOString(),
    endTime: new Date(Date.now() - 60_000 + toMs).toISOString(),
    attributes: { attributeMap: { 'http.route': { stringValue: { value: `/${name}` } } } },
    ...more,
  });
  const spans = [
    span(1, undefined, 'POST /api/agent/{capability}', [0, 900]),
    span(2, 1, 'verify', [10, 120]),
    span(3, 1, 'work', [130, 700]),
    span(4, 3, 'fetch the page', [140, 400]),
    span(5, 3, 'fetch the robots file, whose name is long enough to need two lines', [150, 300], {
      status: { code: 2 },
    }),
    span(6, 99, 'settle', [710, 880]),
  ];
  const answer = await fetch(`${control}/v2/projects/${project}/traces:batchWrite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spans }),
  });
  expect(answer.status).toBe(200);
}

test('an operator gets from an entry of the log to its trace and back, and all of it is usable by everybody', async () => {
  await fetch(`${stack.api.url}/health`);
  const page = await signedIn();
  await openedWith(page, '/console/traces', 'td a');
  await openedWith(page, '/console/logs?severity=INFO&since=hour', 'td a');
  await page.locator('td a').first().click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Trace');
  const trace = new URL(page.url()).pathname;
  expect(await page.locator('td.timeline svg').count()).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Log entries of this trace' }).click();
  expect(await page.locator('td.message').count()).toBeGreaterThan(0);
  await page.getByLabel('Filter').fill('severity>=\n(');
  await page.getByRole('button', { name: 'Search' }).click();
  expect(await page.getByRole('alert').textContent()).toMatch(/line 2, column \d+/);
  const wrong = new URL(page.url());
  await writeNested();
  const paths = [
    '/console/logs',
    `${wrong.pathname}${wrong.search}`,
    '/console/traces?since=hour',
    trace,
    `/console/traces/${NESTED}`,
  ];
  // Each width in one scheme: `pages.test.ts` has the same pages in all, with less in them.
  for (const [row, width] of WIDTHS.entries())
    for (const scheme of SCHEMES.slice(row, row + 1))
      for (const path of sampleRows(paths, 2, row)) {
        const shown = await browser.page({ width, scheme, beside: page });
        await shown.goto(`${control}${path}`);
        // Before anything is opened: what a reader opens moves what is below it. Columns widen while the rows of a long
        // table arrive, more so where the browser is slow; below 0.1 is good (https://web.dev/articles/cls).
        expect((await layoutShift(shown)).shift).toBeLessThan(0.1);
        await shown
          .locator('main details')
          .evaluateAll('(all) => all.slice(0, 3).forEach((one) => { one.open = true; })');
        await expectSound(shown, `console-telemetry-${paths.indexOf(path)}-${width}-${scheme}`);
        await shown.context().close();
      }
}, 240_000);
