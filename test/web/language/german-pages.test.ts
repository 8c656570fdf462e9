import { describe, expect, test } from 'vitest';
import { capabilityNames, type CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { PUBLISHING_WORDS, type PublishingRefusal } from '../../../src/capabilities/published/publishing.ts';
import { apiProblems, buildProblem } from '../../../src/problems/codes.ts';
import { renderConsentPage } from '../../../src/web/consent-page.ts';
import { renderErrorPage } from '../../../src/web/design/error-page.tsx';
import { renderHistoryPage } from '../../../src/web/history/page.tsx';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { renderPublishPanel } from '../../../src/web/report/publish-panel.tsx';
import { readStoredAnswers } from '../../../src/web/report/answers/stored-answers.ts';
import { readStored } from '../../../src/web/report/stored.ts';
import { SITE } from '../../support/audit/site-fetch.ts';
import { storedExamples } from '../../support/management/stored-examples.ts';
import {
  makePreview,
  renderAudit,
  renderNotFound,
  renderOrder,
  renderPrices,
  renderStart,
} from '../../support/pages/fixed-pages.ts';
import {
  appCalled,
  renderAccess,
  renderAccount,
  renderDelete,
  renderSignIn,
} from '../../support/pages/fixed-people-pages.ts';
import { listWatchedPages } from '../../support/pages/fixed-watched-pages.ts';
import { isEnglish, listOwnTexts, listTableTexts } from '../../support/pages/own-words.ts';
import { shownHistory } from '../../support/pages/published.ts';
import { pageOf } from '../../support/pages/report-view.ts';
import { measureOn, storedRunsOf } from '../../support/pages/view-results.ts';

type Render = (language: PageLanguage) => Promise<string>;

const stored = await storedExamples();
const tables = await listTableTexts();

/** English words of German pages: the other language in the switch, and the short name of a score. */
const NAMES: ReadonlySet<string> = new Set(['English', 'Agent']);

/** What a page says in English of its own: sentences, and words that the tables have in German. */
function findEnglish(html: string): readonly string[] {
  const own = listOwnTexts(html, 'de').filter((text) => !NAMES.has(text));
  return [...new Set(own.filter((text) => isEnglish(text) || (tables.en.has(text) && !tables.de.has(text))))];
}

const BRAND = { brand: 'Acme', niche: 'CRM' };

const report =
  (name: CapabilityName): Render =>
  async (language) => {
    const text = stored.get(name) ?? '';
    const measured =
      name === 'visibility_check'
        ? await readStoredAnswers(readStored(text), storedRunsOf(await measureOn()))
        : undefined;
    return pageOf(text, { language, published: name === 'full_audit', ...(measured && { shownAnswers: measured }) });
  };

const consent: Render = async (language) =>
  String(
    await renderConsentPage({
      language,
      csrf: 'token',
      handle: 'handle',
      client: {
        clientName: 'Acme',
        redirectUri: 'http://127.0.0.1:41999/callback',
        redirectHost: '127.0.0.1',
        redirectIsLoopback: true,
      },
      scopes: [{ scope: 'credits:use', text: 'Spend your prepaid credits' }],
      withheld: [],
      signedInAs: `0x${'7a'.repeat(20)}`,
      capUsd: { preset: 5, max: 100 },
    }),
  );

const pages: readonly (readonly [name: string, render: Render])[] = [
  ['start', (language) => renderStart(language)],
  ['prices', (language) => renderPrices(language)],
  ['audit', (language) => renderAudit({ language })],
  ['result of an audit', async (language) => renderAudit({ language, url: `${SITE}/`, made: await makePreview() })],
  [
    'failure of an audit',
    (language) =>
      renderAudit({ language, url: `${SITE}/`, problem: { code: 'target_unreachable', failure: 'connection_failed' } }),
  ],
  ['not found', (language) => renderNotFound(language)],
  ['history', async (language) => String(await renderHistoryPage(shownHistory('shop.example', 6), language))],
  ['sign-in', (language) => renderSignIn(language)],
  ['consent', consent],
  ['account', (language) => renderAccount(language)],
  ['apps with access', (language) => renderAccess([appCalled('Acme')], language)],
  ['deletion of an account', (language) => renderDelete(language)],
  ['faults of an order', (language) => renderOrder('visibility_fix_pack', { ...BRAND, niche: '' }, language)],
  ...Object.keys(listWatchedPages('en')).map(
    (name) => [name, async (language: PageLanguage) => String(await listWatchedPages(language)[name]?.())] as const,
  ),
  ...capabilityNames.map(
    (name) => [`order of ${name}`, (language: PageLanguage) => renderOrder(name, undefined, language)] as const,
  ),
  ...capabilityNames.map((name) => [`report of ${name}`, report(name)] as const),
];

describe('a page in German says nothing of its own in English', () => {
  test.each(pages)('%s', async (_name, render) => {
    expect(findEnglish(await render('de'))).toEqual([]);
  });
});

test('the English pages are found to be in English', async () => {
  for (const [name, render] of pages) expect([name, findEnglish(await render('en')).length > 3]).toEqual([name, true]);
});

test('what speaks against publishing a report is said in German', () => {
  // Keys of a table of ours.
  for (const reason of Object.keys(PUBLISHING_WORDS) as PublishingRefusal[]) {
    const html = String(
      renderPublishPanel('0'.repeat(32), {
        published: false,
        publishable: false,
        reason,
        baseUrl: 'https://sightline.test',
        language: 'de',
      }),
    );
    expect([reason, html.includes(PUBLISHING_WORDS[reason]), findEnglish(html)]).toEqual([reason, false, []]);
  }
});

test('no problem has a page with English words, but for its code', async () => {
  for (const code of Object.keys(apiProblems) as (keyof typeof apiProblems)[]) {
    const html = String(await renderErrorPage({ ...buildProblem(code), requestId: 'a1b2', language: 'de' }));
    expect([code, findEnglish(html)]).toEqual([code, []]);
  }
});
