import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CapabilityName, capabilityNames } from '../../../src/capabilities/capability-name.ts';
import { views } from '../../../src/web/report/openers.tsx';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { type Json, stringsIn, thinned, withStrings } from '../../support/audit/slots.ts';
import { listPublicTexts } from '../../support/pages/public-texts.ts';
import { type PageServer, servePages } from '../../support/pages/page-server.ts';
import { pageOf } from '../../support/pages/report-view.ts';
import { complaints, judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';

/** Texts of real pages in every slot of every kind of report: long words, right to left, CJK, emoji. */
const texts = listPublicTexts();
const pages = new Map<string, string>();
let server: PageServer;
let browser: Opened;

beforeAll(async () => {
  const examples = await storedExamples();
  let used = 0;
  for (const [capability, text] of examples) {
    const json = thinned(JSON.parse(text) as Json);
    // Where a schema knows all words, no other can be.
    const free = stringsIn(json).filter(
      (path) =>
        path[0] !== 'capability' && views[capability](withStrings(json, [path], () => 'Any text')) !== undefined,
    );
    const filled = withStrings(json, free, (index) => texts[(used + index) % texts.length] ?? '');
    used += free.length;
    pages.set(`/${capability}`, await pageOf(JSON.stringify(filled)));
  }
  if (used < texts.length) throw new Error(`${texts.length} texts for ${used} slots: some are never shown`);
  server = await servePages((path) => Promise.resolve(pages.get(path)));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe.each([390, 1280])('at %i px', (width) => {
  test.each(capabilityNames.map((name) => [name]))('%s fits', async (name: CapabilityName) => {
    const page = await browser.page({ width });
    await page.goto(`${server.url}/${name}`);
    // What is folded away has to fit as well.
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    expect(await noOverflow(page)).toEqual([]);
    if (width < 500) expect(await judgePage(page)).toEqual([]);
    expect(await complaints(page)).toEqual([]);
    await page.close();
  });
});
