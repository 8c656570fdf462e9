import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCardContents } from '../../../src/mcp/card/card.ts';
import { buildSoldResult } from '../../../src/mcp/sold-result.ts';
import { storedResult } from '../../results/stored-results.ts';
import { type Opened, openBrowser } from '../../support/stack/browser.ts';

let browser: Opened;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The parent of the card as SEP-1865 has it: an opaque sandbox, and JSON-RPC by `postMessage`. */
const HOST = `<!doctype html><title>Host</title><iframe id="app" sandbox="allow-scripts"></iframe><script>
const app = document.getElementById('app');
window.seen = [];
window.notify = (method, params) => app.contentWindow.postMessage({ jsonrpc: '2.0', method, params }, '*');
window.addEventListener('message', ({ data }) => {
  window.seen.push(data);
  const answers = {
    'ui/initialize': { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' },
      hostCapabilities: { openLinks: {}, serverTools: {} }, hostContext: { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } } },
    'tools/call': { content: [{ type: 'text', text: 'Do <b>this</b>.' }] },
    'ui/open-link': {},
  };
  if (data.id !== undefined && data.method in answers) app.contentWindow.postMessage({ jsonrpc: '2.0', id: data.id, result: answers[data.method] }, '*');
});
</script>`;

type Sent = { method?: string; params?: Record<string, unknown> };

async function openCard() {
  const page: Page = await browser.page();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.setContent(HOST);
  const [card] = buildCardContents();
  const html = card && 'text' in card ? card.text : '';
  await page.evaluate(`document.getElementById('app').srcdoc = ${JSON.stringify(html)}`);
  const seen = (): Promise<Sent[]> => page.evaluate<Sent[]>('window.seen');
  await expect.poll(async () => (await seen()).map(({ method }) => method)).toContain('ui/notifications/initialized');
  const notify = (method: string, params: unknown): Promise<unknown> =>
    page.evaluate(`window.notify(${JSON.stringify(method)}, ${JSON.stringify(params)})`);
  return { card: page.frameLocator('#app'), seen, notify, requests };
}

test('X6: the card draws scores and first fixes from the result of a tool, as text and without the network', async () => {
  const { card, seen, notify, requests } = await openCard();
  const body = await storedResult('full_audit');
  const { structuredContent, content } = buildSoldResult(body, { home: 'https://api.example', view: 'summary' });
  const { do_first: first, scores } = Object(structuredContent);
  const hostile = '<img src=x onerror=parent.postMessage(1)>';
  first[0].title = hostile;
  await notify('ui/notifications/tool-result', { content, structuredContent });
  await expect.poll(() => card.locator('li').first().textContent()).toContain('AEO');
  expect(await card.locator('.scores strong').first().textContent()).toBe(String(scores.aeo.score));
  expect(await card.locator('ol > li').count()).toBe(first.length);
  expect(await card.locator('ol > li').first().textContent()).toContain(hostile);
  expect(await card.locator('img').count()).toBe(0);
  expect(await card.locator('html').getAttribute('data-theme')).toBe('dark');

  await card.locator('ol button').first().click();
  await expect.poll(() => card.locator('pre').textContent()).toBe('Do <b>this</b>.');
  await card.getByText('Open the report').click();
  await expect.poll(async () => (await seen()).map(({ method }) => method)).toContain('ui/open-link');
  const sent = await seen();
  expect(sent.find(({ method }) => method === 'tools/call')?.params).toEqual({
    name: 'get_fix',
    arguments: { report_id: Object(structuredContent).report_id, fix_id: first[0].id },
  });
  expect(sent.find(({ method }) => method === 'ui/notifications/size-changed')?.params).toMatchObject({
    height: expect.any(Number),
  });
  expect(requests.filter((url) => /^https?:/.test(url))).toEqual([]);
});

test('a call that has to be paid, one that failed and one that was cancelled are said', async () => {
  const { card, notify } = await openCard();
  await notify('ui/notifications/tool-result', { isError: true, structuredContent: { accepts: [] } });
  await expect.poll(() => card.locator('#card').textContent()).toContain('has to be paid');
  await notify('ui/notifications/tool-result', {
    isError: true,
    structuredContent: { title: 'It failed', detail: 'Why.' },
  });
  await expect.poll(() => card.locator('#card').textContent()).toBe('It failedWhy.');
  await notify('ui/notifications/tool-cancelled', {});
  await expect.poll(() => card.locator('#card').textContent()).toBe('The call was cancelled.');
});
