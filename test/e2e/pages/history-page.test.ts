import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPageHeaders } from '../../../routes/shared/page-headers.ts';
import { renderBadgeSvg } from '../../../src/web/badge/badge.tsx';
import { renderDocument } from '../../../src/web/design/shell.tsx';
import { renderHistoryPage } from '../../../src/web/history/page.tsx';
import { renderPublishPanel } from '../../../src/web/report/publish-panel.tsx';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  type Opened,
  openBrowser,
  SCHEMES,
  screenshot,
  WIDTHS,
} from '../../support/stack/browser.ts';
import { publishedEntry, shownHistory } from '../../support/pages/published.ts';

const HOST = 'shop.example';
const ID = 'a'.repeat(32);
const TOKEN = 'b'.repeat(64);
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** What the Workers serve, with their headers, from pages made here. */
let server: Server;
let base: string;
let browser: Opened;
let posted: unknown[] = [];

async function answer(
  path: string,
): Promise<{ type: string; body: string | Uint8Array; headers?: Record<string, string> } | undefined> {
  if (path.startsWith('/web/')) {
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    return { type, body: await readFile(new URL(`../../../public${path}`, import.meta.url)) };
  }
  if (path.startsWith('/badge/'))
    return { type: 'image/svg+xml', body: await renderBadgeSvg({ scores: publishedEntry(6).scores }, 'light') };
  const headers = buildPageHeaders({ script: true });
  if (path.startsWith('/history/'))
    return {
      type: 'text/html; charset=utf-8',
      headers,
      body: (await renderHistoryPage(shownHistory(HOST, 6, base))).toString(),
    };
  if (path === `/reports/${ID}`) {
    const state = { published: false, publishable: true, host: HOST, baseUrl: base };
    const page = renderDocument({
      title: 'A report',
      scripts: ['/web/copy.js', '/web/publish.js'],
      children: renderPublishPanel(ID, state),
    });
    const body = (await page).toString();
    return { type: 'text/html; charset=utf-8', headers, body };
  }
  if (path === `/reports/${ID}/publish`) return { type: 'application/json', body: JSON.stringify({ published: true }) };
  return undefined;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.method === 'POST') posted.push(JSON.parse(Buffer.concat(pieces).toString()));
      void answer((request.url ?? '').split('?')[0] ?? '').then((found) => {
        response.writeHead(found ? 200 : 404, found ? { 'content-type': found.type, ...found.headers } : {});
        return response.end(found?.body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

describe.each(SCHEMES)('the history of a site, %s', (scheme) => {
  test.each(WIDTHS)('is usable by everybody at %d px', async (width) => {
    const page = await browser.page({ width, scheme });
    await page.goto(`${base}/history/${HOST}`);
    await page.waitForSelector('.uplot canvas', { state: 'attached' });
    expect(await judgePage(page)).toEqual([]);
    expect(await complaints(page)).toEqual([]);
    expect(await noOverflow(page)).toEqual([]);
    expect((await layoutShift(page)).shift).toBeLessThan(0.01);
    expect(foreignRequests(page)).toEqual([]);
    await screenshot(page, `history-${scheme}-${width}`);
    await page.close();
  });
});

test('the history is whole without scripts, and keeps no space for a chart', async () => {
  const page = await browser.page({ width: 360, scripts: false });
  await page.goto(`${base}/history/${HOST}`);
  expect(await page.locator('table[data-scores] tbody tr').count()).toBe(6);
  expect(await page.locator('[data-history-chart]').isVisible()).toBe(false);
  await screenshot(page, 'history-plain-360');
  await page.close();
});

test('X5: the panel publishes with the token that the purchase left in this browser, and shows the snippet', async () => {
  posted = [];
  const page = await browser.page();
  await page.addInitScript(`sessionStorage.setItem('sightline-publish-${ID}', '${TOKEN}')`);
  await page.goto(`${base}/reports/${ID}`);
  expect(await page.locator('[data-publish-badge]').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Publish the whole report' }).click();
  await page.getByText('Published.').waitFor();
  expect(posted).toEqual([{ publish_token: TOKEN }]);
  expect(await page.locator('[data-publish-badge]').isVisible()).toBe(true);
  expect(await page.getByText('Only who knows the address').isVisible()).toBe(false);
  expect(await judgePage(page)).toEqual([]);
  expect(await complaints(page)).toEqual([]);
  await screenshot(page, 'publish-panel');
  await page.close();
});

test('X5: without the token the panel asks for it', async () => {
  const page = await browser.page();
  await page.goto(`${base}/reports/${ID}`);
  expect(await page.getByRole('button', { name: 'Publish the whole report' }).isVisible()).toBe(false);
  await page.getByText('I bought this report').click();
  expect(await page.getByLabel('Publish token').inputValue()).toBe('');
  expect(await judgePage(page)).toEqual([]);
  await page.close();
});
