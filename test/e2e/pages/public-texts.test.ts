import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CapabilityName, capabilityNames } from '../../../src/capabilities/capability-name.ts';
import { listLeaves, listOrderFields } from '../../../src/web/capability/fields.ts';
import { views } from '../../../src/web/report/openers.tsx';
import { storedExamples } from '../../support/management/stored-examples.ts';
import { type Json, stringsIn, thinned, withStrings } from '../../support/audit/slots.ts';
import { findRow, makePreview, renderAudit, renderOrder } from '../../support/pages/fixed-pages.ts';
import {
  appCalled,
  paymentBecause,
  renderAccess,
  renderConsoleLogs,
  renderConsolePayments,
} from '../../support/pages/fixed-people-pages.ts';
import { listPublicTexts } from '../../support/pages/public-texts.ts';
import { type PageServer, servePages } from '../../support/pages/page-server.ts';
import { pageOf } from '../../support/pages/report-view.ts';
import {
  complaints,
  judgePage,
  listUneven,
  noOverflow,
  type Opened,
  openBrowser,
} from '../../support/stack/browser.ts';

/** Texts of real pages in every slot of every kind of report: long words, right to left, CJK, emoji. */
const texts = listPublicTexts();
const pages = new Map<string, string>();
let used = 0;
/** The next text, after the last the first again. */
const nextText = (): string => texts[used++ % texts.length] ?? '';

let server: PageServer;
let browser: Opened;

beforeAll(async () => {
  const examples = await storedExamples();
  for (const [capability, text] of examples) pages.set(`/${capability}`, await renderReport(capability, text));
  if (used < texts.length) throw new Error(`${texts.length} texts for ${used} slots: some are never shown`);
  for (const [name, render] of Object.entries(others)) pages.set(`/${name}`, await render());
  server = await servePages((path) => Promise.resolve(pages.get(path)));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function renderReport(capability: CapabilityName, text: string): Promise<string> {
  const json = thinned(JSON.parse(text) as Json);
  // Where a schema knows all words, no other can be.
  const free = stringsIn(json).filter(
    (path) => path[0] !== 'capability' && views[capability](withStrings(json, [path], () => 'Any text')) !== undefined,
  );
  return pageOf(JSON.stringify(withStrings(json, free, nextText)));
}

/** Rows of one page: as many as a person would scroll through. */
const ROWS = 40;
const rows = <Row>(make: (text: string, at: number) => Row): Row[] =>
  Array.from({ length: ROWS }, (_, at) => make(nextText(), at));

/** Members of a preview that are one of a few words of ours, whatever a site says. */
const OURS = new Set(['id', 'status', 'effort', 'grade', 'evidence_grade', 'fix_id', 'scores', 'name', 'profile']);

async function renderPreview(): Promise<string> {
  const made = await makePreview();
  const json = thinned(JSON.parse(JSON.stringify(made.preview)) as Json);
  const free = stringsIn(json).filter((path) => !OURS.has(String(path.at(-1))) && !OURS.has(String(path.at(-2))));
  const preview = withStrings(json, free, nextText) as unknown as typeof made.preview;
  return renderAudit({ url: nextText(), made: { ...made, preview } });
}

/** A form with a text in each of its fields: what is wrong with most is said beside them. */
const renderForm = (name: CapabilityName) => (): Promise<string> =>
  renderOrder(
    name,
    Object.fromEntries(listLeaves(listOrderFields(findRow(name))).map((field) => [field.name, nextText()])),
  );

/** Questions about a market that is called what a page is called, which is as long as it may be or shorter. */
const renderQuestions = (): Promise<string> => {
  const [brand = '', niche = ''] = texts.filter((text) => text.length <= 80 && /[^\u0020-\u024f]/.test(text));
  return renderOrder('visibility_check', { brand, niche });
};

/** Pages that show what sites, apps, facilitators and services write, besides reports. */
const others: Readonly<Record<string, () => Promise<string>>> = {
  audit: renderPreview,
  'audit-problem': () =>
    renderAudit({ url: nextText(), problem: { code: 'target_unreachable', title: nextText(), detail: nextText() } }),
  'form-compare': renderForm('compare'),
  'form-visibility-fix': renderForm('visibility_fix_pack'),
  questions: renderQuestions,
  access: () => renderAccess(rows(appCalled)),
  payments: () => renderConsolePayments(rows(paymentBecause)),
  logs: () =>
    renderConsoleLogs(
      rows((message, at) => ({
        logName: 'projects/p/logs/requests',
        timestamp: '2026-11-27T12:00:00.000Z',
        severity: 'ERROR',
        insertId: String(at),
        jsonPayload: { message, [message]: message },
      })),
    ),
};

describe.each([390, 1280])('at %i px', (width) => {
  test.each([...capabilityNames, ...Object.keys(others)].map((name) => [name]))('%s fits', async (name) => {
    const page = await browser.page({ width });
    await page.goto(`${server.url}/${name}`);
    // What is folded away has to fit as well.
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    expect(await noOverflow(page)).toEqual([]);
    expect(await listUneven(page)).toEqual([]);
    if (width < 500) expect(await judgePage(page)).toEqual([]);
    // The form of a transfer, once it is open, asks for terms, and no one sells here.
    expect(await complaints(page, (text) => text.includes('/api/agent/'))).toEqual([]);
    await page.close();
  });
});

test('what a market is called is in the questions', () => {
  expect(pages.get('/questions')).toContain('id="questions-title"');
});
