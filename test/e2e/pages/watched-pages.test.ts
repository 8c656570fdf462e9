import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/web/language/language.ts';
import { listWatchedPages } from '../../support/pages/fixed-watched-pages.ts';
import { type PageServer, servePages } from '../../support/pages/page-server.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser, WIDTHS } from '../../support/stack/browser.ts';

/** Pages of monitors and hosts that have a history, which a stack that just began has not. */
let server: PageServer;
let browser: Opened;

beforeAll(async () => {
  server = await servePages(async (path) => {
    const [, language, name = ''] = path.split('/');
    const render = LANGUAGES.filter((one) => one === language).map((one) => listWatchedPages(one)[name])[0];
    return render === undefined ? undefined : String(await render());
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(Object.keys(listWatchedPages(language)))('%s fits a telephone and a desk', async (name) => {
    const page = await browser.page({ width: WIDTHS[0] });
    await page.goto(`${server.url}/${language}/${name}`, { waitUntil: 'load' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect({ width, wide: await noOverflow(page) }).toEqual({ width, wide: [] });
    }
    expect({ axe: await judgePage(page), said: await complaints(page) }).toEqual({ axe: [], said: [] });
    await page.context().close();
  });
});
