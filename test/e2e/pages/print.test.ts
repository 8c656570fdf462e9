import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wrapFetchWithPayment } from '@x402/fetch';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { chromiumPath } from '../../../scripts/chromium.js';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { createLocalBrowser } from '../../../src/cli/core/local-browser.ts';
import { printToPdf } from '../../../src/report/pdf.ts';
import { type Opened, openBrowser } from '../../support/stack/browser.ts';
import { officialClient } from '../../support/stack/official-client.ts';

const LONG_MS = 240_000;
const MAX_PAGES = 4;
const BOOK_PAGES = 20;

let stack: Stack;
let browser: Opened;
const before = process.env['CHROMIUM'];

beforeAll(async () => {
  process.env['CHROMIUM'] = chromiumPath() ?? '';
  [stack, browser] = await Promise.all([startStack({}), openBrowser()]);
}, LONG_MS);
afterAll(async () => {
  await browser.close();
  await stack.stop();
  if (before === undefined) delete process.env['CHROMIUM'];
  else process.env['CHROMIUM'] = before;
});

const sold = z.object({
  report_id: z.string(),
  rubric: z.object({ sha256: z.string() }),
  summary: z.object({ fixes: z.array(z.object({ title: z.string() })) }),
  scores: z.record(
    z.string(),
    z.object({ checks: z.array(z.object({ title: z.string(), status: z.string(), weight: z.number() })) }),
  ),
});

async function buy(capability: string, url: string) {
  const client = officialClient(stack.buyer).setSpendControls({ maxAmountPerPayment: '$4' });
  const answer = await wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/agent/${capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  expect(answer.status).toBe(200);
  return sold.parse(await answer.json());
}

/** Lines are broken elsewhere on paper, and hyphens and spaces with them. */
const squeeze = (words: string): string => words.normalize('NFKC').replaceAll(/[\s\u00ad\u200b]/g, '');

async function readPages(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false });
  return text.map(squeeze);
}

async function printPage(path: string): Promise<string[]> {
  const page = await browser.page({ scheme: 'dark' });
  const answer = await page.goto(`${stack.api.url}${path}`, { waitUntil: 'load' });
  expect(answer?.status()).toBe(200);
  const bytes = await page.pdf({ format: 'A4' });
  await page.context().close();
  return readPages(bytes);
}

describe.each([
  ['the good demo site', 'full_audit', (): string => stack.sites.good],
  ['the poor demo site', 'full_audit', (): string => stack.sites.poor],
  ['the poor demo site', 'full_report', (): string => stack.sites.poor],
] as const)('a report of %s (%s)', (_site, capability, urlOf) => {
  let bought: z.infer<typeof sold>;
  const path = (): string => `/reports/${bought.report_id}`;
  beforeAll(async () => {
    bought = await buy(capability, urlOf());
  }, LONG_MS);

  /** What every printed report says, and where. */
  function expectShort(pages: readonly string[]): void {
    expect(pages.length).toBeLessThanOrEqual(MAX_PAGES);
    const all = pages.join('');
    for (const { title } of bought.summary.fixes) expect(all).toContain(squeeze(title));
    const failed = Object.values(bought.scores).flatMap(({ checks }) =>
      checks.filter(({ status, weight }) => status === 'fail' && weight > 0),
    );
    expect(failed.length).toBeGreaterThan(0);
    for (const { title } of failed) expect(all).toContain(squeeze(title));
    const last = pages.at(-1) ?? '';
    for (const text of [bought.rubric.sha256, `Rubric ${RUBRIC_VERSION}`, 'sightline replay', `${path()}/snapshot`])
      expect(last).toContain(squeeze(text));
    for (const text of ['Skip to the content', 'Audit a site', 'Publish this report'])
      expect(all).not.toContain(squeeze(text));
  }

  test(`prints on at most ${MAX_PAGES} pages, with hashes and replay on the last`, async () => {
    expectShort(await printPage(path()));
  });

  test('is a PDF of the same pages, printed once and private', async () => {
    const asked = async (): Promise<Response> => fetch(`${stack.api.url}${path()}.pdf`);
    const first = await asked();
    expect({ status: first.status, type: first.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/pdf',
    });
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex, nofollow',
    });
    const bytes = new Uint8Array(await first.arrayBuffer());
    expectShort(await readPages(bytes));
    expect(new Uint8Array(await (await asked()).arrayBuffer())).toEqual(bytes);
    expect(await (await fetch(`${stack.api.url}${path()}.html`)).text()).toContain(`href="${path()}.pdf"`);
  });
});

test('a PDF is in the language of its reader, and each language is printed by itself', async () => {
  const { report_id: id } = await buy('score_aeo', stack.sites.poor);
  const readIn = async (language: string): Promise<string> => {
    const answer = await fetch(`${stack.api.url}/reports/${id}.pdf`, { headers: { 'accept-language': language } });
    expect(answer.headers.get('vary')).toContain('Accept-Language');
    return (await readPages(new Uint8Array(await answer.arrayBuffer()))).join('');
  };
  const [english, german] = [await readIn('en'), await readIn('de')];
  expect(english).toContain(squeeze('What this is based on'));
  expect(german).toContain(squeeze('Worauf das beruht'));
  expect(german).not.toContain(squeeze('What this is based on'));
});

test('a report prints as a book with print=full, and as such a PDF', async () => {
  const { report_id: id } = await buy('score_aeo', stack.sites.poor);
  expect((await printPage(`/reports/${id}?print=full`)).length).toBeGreaterThan(BOOK_PAGES);
  const book = await fetch(`${stack.api.url}/reports/${id}.pdf?print=full`);
  expect((await readPages(new Uint8Array(await book.arrayBuffer()))).length).toBeGreaterThan(BOOK_PAGES);
});

describe('the browser that prints', () => {
  let server: Server;
  let origin = '';
  const reached: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  test('reaches no network and runs no script, whatever stands in the page', async () => {
    const hostile = `<!doctype html><title>Report</title>
      <link rel="stylesheet" href="${origin}/style.css"><link rel="preload" as="image" href="${origin}/preload">
      <link rel="dns-prefetch" href="${origin}"><link rel="preconnect" href="${origin}">
      <style>@import "${origin}/import.css"; body { background: url(${origin}/background) } @media print { p { background: url(${origin}/print) } }</style>
      <p>Before the script</p><script>document.body.append('Script ran'); fetch('${origin}/fetch'); new WebSocket('ws${origin.slice(4)}/socket');</script>
      <img src="${origin}/image" onerror="document.body.append('Handler ran')"><iframe src="${origin}/frame"></iframe>
      <object data="${origin}/object"></object><embed src="${origin}/embed"><video src="${origin}/video"></video>
      <iframe src="file:///etc/passwd"></iframe><svg><image href="${origin}/svg"></image></svg>`;
    const printed = await printToPdf(
      async (path) =>
        path === '/' ? { type: 'text/html; charset=utf-8', body: new TextEncoder().encode(hostile) } : undefined,
      createLocalBrowser({ ...process.env, CHROMIUM: chromiumPath() ?? '' }),
    );
    if (!printed.ok) throw new Error(printed.detail);
    const text = (await readPages(printed.pdf)).join('');
    expect(text).toContain(squeeze('Before the script'));
    for (const none of ['Script ran', 'Handler ran', 'root:x']) expect(text).not.toContain(squeeze(none));
    expect(reached).toEqual([]);
  });
});
