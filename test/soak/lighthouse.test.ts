import { lighthouse } from '../conformance/packages/lighthouse.ts';
import { chromium, type Browser } from 'playwright-core';
import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { reservePort } from '../../local/ports.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { buildDocs } from '../../scripts/build-docs.js';
import { chromiumPath } from '../../scripts/chromium.js';
import { CHROMIUM_FLAGS } from '../support/stack/chromium-flags.ts';
import { officialClient } from '../support/stack/official-client.ts';
import { EXAMPLE_OPERATOR } from '../support/stack/own-site.ts';

const LEAST = 98;
/** The best counts: what is measured is time, on a machine that does other work too. */
const RUNS = 3;
const LONG_MS = 300_000;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Scores = Record<(typeof CATEGORIES)[number], number>;

let stack: Stack;
let browser: Browser;
let port: number;
let published: string;

beforeAll(async () => {
  port = await reservePort(0, 'the debugger of the browser', '--port');
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no chromium: run `node scripts/chromium.js`');
  buildDocs();
  const args = [...CHROMIUM_FLAGS, `--remote-debugging-port=${port}`];
  [stack, browser] = await Promise.all([
    startStack({ bindings: EXAMPLE_OPERATOR }),
    chromium.launch({ executablePath, args }),
  ]);
  const pay = wrapFetchWithPayment(fetch, officialClient(stack.buyer));
  const answer = await pay(`${stack.api.url}/api/agent/full_audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: stack.sites.good, publish: true }),
  });
  published = `/reports/${z.object({ report_id: z.string() }).parse(await answer.json()).report_id}`;
}, LONG_MS);
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

test.each([
  ['the start page', (): string => '/'],
  ['the live audit', (): string => '/audit'],
  ['the prices', (): string => '/prices'],
  ['a page of a capability', (): string => '/visibility'],
  ['a published report', (): string => published],
  ['a page of the documentation', (): string => '/docs/reference/checks/aeo.reach.http-200'],
  ['the longest list of the documentation', (): string => '/docs/reference/checks/'],
] as const)(
  `%s has ${LEAST} or more in every category of Lighthouse`,
  async (_name, path) => {
    let best: Scores | undefined;
    const left = new Set<string>();
    for (let run = 0; run < RUNS && !isGood(best); run += 1) {
      const { scores, audits } = await measured(`${stack.api.url}${path()}`);
      best = best === undefined ? scores : bestOf(best, scores);
      for (const audit of audits) left.add(audit);
    }
    // `left` is not judged: it shows what to improve when this fails.
    expect({ good: isGood(best), best, left: [...left] }).toEqual({
      good: true,
      best: expect.any(Object) as Scores,
      left: expect.any(Array) as string[],
    });
  },
  LONG_MS,
);

const isGood = (scores: Scores | undefined): boolean =>
  scores !== undefined && CATEGORIES.every((name) => scores[name] >= LEAST);

const bestOf = (a: Scores, b: Scores): Scores => byCategory((name) => Math.max(a[name], b[name]));

const byCategory = (scoreOf: (name: keyof Scores) => number): Scores => ({
  performance: scoreOf('performance'),
  accessibility: scoreOf('accessibility'),
  'best-practices': scoreOf('best-practices'),
  seo: scoreOf('seo'),
});

/** One run over the telephone that Lighthouse simulates, and what lost points in it. */
async function measured(url: string): Promise<{ scores: Scores; audits: readonly string[] }> {
  const result = await lighthouse(url, { port, onlyCategories: [...CATEGORIES], output: 'json', logLevel: 'error' });
  const lhr = result?.lhr;
  if (lhr === undefined) throw new Error('Lighthouse gave no result');
  const scores = byCategory((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
  const audits = Object.values(lhr.audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode !== 'informative')
    .map(({ id, displayValue = '' }) => `${id} ${displayValue}`.trim());
  return { scores, audits };
}
