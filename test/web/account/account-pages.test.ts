import { describe, expect, test } from 'vitest';
import type { CreditLine } from '../../../src/payment/credits/credit-line.ts';
import { type AppAccess, renderAccessPage } from '../../../src/web/account/access.tsx';
import { accountWords } from '../../../src/web/account/account-words.ts';
import { formatCreditsCsv, renderCreditsPage } from '../../../src/web/account/credits.tsx';
import { renderDeletePage } from '../../../src/web/account/delete.tsx';
import { deleteWords } from '../../../src/web/account/delete-words.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { renderAccountOverview } from '../../../src/web/account/overview.tsx';
import { renderPublishedPage } from '../../../src/web/account/published.tsx';
import { type BoughtReport, renderReportsPage } from '../../../src/web/account/reports.tsx';
import { LANGUAGES } from '../../../src/web/language/language.ts';

const ADDRESS = `0x${'a1'.repeat(20)}`;
const EVIL = `"><script>alert(1)</script>\u202E\u0007${'x'.repeat(300)}`;
const frame: AccountFrame & { address: string } = {
  language: 'en',
  csrf: 'token',
  address: ADDRESS,
  nav: [{ path: '/account/credits', title: 'Credits' }],
  path: '/account/credits',
};
const app: AppAccess = {
  grantId: 'grant-1',
  clientName: EVIL,
  clientId: EVIL,
  scopes: [{ scope: 'credits:use', text: 'Spend your prepaid credits' }],
  redirectHost: 'app.example',
  capMicroUsdc: 5_000_000,
  grantedAtS: 1_800_000_000,
};
const report: BoughtReport = {
  reportId: 'a'.repeat(32),
  capability: 'full_audit',
  site: 'xn--bcher-kva.example',
  by: 'wallet',
  amountMicroUsd: 750_000,
  atMs: 1_800_000_000_000,
  readableUntilMs: 1_802_592_000_000,
};
const line: CreditLine = {
  atMs: 1_800_000_000_000,
  id: 'payment 0x00',
  kind: 'top_up',
  capability: 'credits_5',
  amountMicroUsdc: 5_000_000,
  balanceMicroUsdc: null,
};
const view = { balanceMicroUsdc: 4_940_000, reservedMicroUsdc: 60_000, pendingMicroUsdc: 20_000_000, clients: [] };
const buy = {
  language: 'en' as const,
  capability: 'credits_5',
  priceUsd: '5.000000',
  payTo: ADDRESS,
  mode: { kind: 'wallet' as const },
  baseUrl: 'https://sightline.test',
  goods: { heading: '$5.00 of credits', promise: 'credits.', fields: '' },
};
const credits = { frame, view, lines: [line], months: ['2027-01'], month: undefined, older: undefined, packs: [], buy };
const flat = (page: unknown): string => String(page).replaceAll(/\s+/g, ' ');

test('what an app calls itself is text of one short line, without characters that no one sees', () => {
  const page = flat(renderAccessPage({ frame, apps: [app], limit: undefined }));
  expect(page).not.toContain('<script>');
  for (const hidden of ['\u202E', '\u0007']) expect(page).not.toContain(hidden);
  expect(page).toContain('<bdi>&quot;&gt;&lt;script&gt;');
  expect(page).not.toContain('x'.repeat(201));
  expect(page).toContain('none that is listed');
});

test('an app without a visible name has a name of ours, and its button says whose access it ends', () => {
  const page = flat(renderAccessPage({ frame, apps: [{ ...app, clientName: '\u200b\u202e' }], limit: 200 }));
  expect(page).toContain('aria-label="Take access back: An app without a name"');
  expect(page).toContain('The first 200 are listed');
});

describe.each(LANGUAGES)('in %s', (language) => {
  const own = { ...frame, language };
  const pages = {
    overview: renderAccountOverview({ frame: own, cards: [] }),
    credits: renderCreditsPage({ ...credits, frame: own, buy: { ...buy, language } }),
    reports: renderReportsPage({ frame: own, reports: [report], older: '/account/reports?after=1' }),
    noReports: renderReportsPage({ frame: own, reports: [], older: undefined }),
    published: renderPublishedPage({
      frame: own,
      published: [{ reportId: report.reportId, host: 'shop.example', atMs: report.atMs }],
      looked: undefined,
    }),
    access: renderAccessPage({ frame: own, apps: [app], limit: undefined }),
    delete: renderDeletePage({ frame: own, leftMicroUsdc: 1, isFresh: true, signInPath: '/signin' }),
  };

  test.each(Object.entries(pages))(
    '%s is a page of its language with one heading, and each form has its token',
    (_, page) => {
      const text = flat(page);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).not.toContain('undefined');
      for (const [form] of text.matchAll(/<form[^>]*method="post"(?![^>]*action="\/language").*?<\/form>/g))
        expect(form).toContain('name="csrf" value="token"');
      expect(text).not.toMatch(/ style="|<script(?! type="module" src="\/web\/)|\son[a-z]+="/);
    },
  );

  test('amounts and dates are those of the language', () => {
    const text = flat(pages.credits);
    expect(text).toContain(language === 'en' ? '+$5.00' : '+5,00 $');
    expect(text).toContain(accountWords[language].signedInAs);
    expect(flat(pages.reports)).toContain(language === 'en' ? '14 February 2027' : '14. Februar 2027');
  });
});

test('an amount on its way, an amount held and a balance that was not recorded are said', () => {
  const page = flat(renderCreditsPage(credits));
  for (const text of ['$20.00 is on its way', '$0.06 is held', 'not recorded']) expect(page).toContain(text);
});

test('what could not be read is never shown as nothing (rule P31)', () => {
  const unread = [
    renderCreditsPage({ ...credits, view: undefined, lines: undefined, months: [] }),
    renderReportsPage({ frame, reports: undefined, older: undefined }),
    renderPublishedPage({ frame, published: undefined, looked: undefined }),
    renderDeletePage({ frame, leftMicroUsdc: undefined, isFresh: true, signInPath: '/signin' }),
  ].map(flat);
  for (const page of unread) {
    expect(page).toContain('This cannot be read now');
    expect(page).not.toMatch(/No report of|Nothing is published|No credits (?:were|are)/);
  }
});

test('the key of a payment, which names its payer and nonce, is on no page and in no file', () => {
  expect(flat(renderCreditsPage(credits))).not.toContain(line.id);
  expect(formatCreditsCsv([line])).not.toContain(line.id);
});

test('X8: no cell of the file begins a formula', () => {
  const file = formatCreditsCsv([{ ...line, capability: '=HYPERLINK("x")', kind: 'call', balanceMicroUsdc: 0 }]);
  expect(file).toContain(`,debit,"'=HYPERLINK(""x"")",5.000000,0.000000,`);
});

test('the form that deletes asks to give credits up only where some are left, and a stale sign-in gets no form', () => {
  const page = (leftMicroUsdc: number, isFresh: boolean) =>
    flat(renderDeletePage({ frame, leftMicroUsdc, isFresh, signInPath: '/signin?return_to=%2Faccount%2Fdelete' }));
  expect(page(60_000, true)).toContain('I give up $0.06 of credits');
  expect(page(0, true)).not.toContain('name="forfeit"');
  expect(page(0, false)).not.toContain('name="confirm"');
  expect(page(0, false)).toContain('href="/signin?return_to=%2Faccount%2Fdelete"');
});

test('each language has a word of its own to confirm by', () => {
  const typed = LANGUAGES.map((language) => deleteWords[language].word);
  expect(new Set(typed).size).toBe(LANGUAGES.length);
  for (const word of typed) expect(word).toBe(word.toLowerCase().trim());
});
