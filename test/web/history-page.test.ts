import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PUBLISHING_WORDS, type PublishingRefusal } from '../../src/capabilities/published/publishing.ts';
import { parseSiteKey } from '../../src/capabilities/published/site-key.ts';
import type { OutcomeStatus } from '../../src/audit/core/check.ts';
import { explainRuleChange } from '../../src/audit/rubric/changes.ts';
import { compareReports } from '../../src/capabilities/published/history.ts';
import { getCheckTitle } from '../../src/web/language/check-titles.ts';
import { LANGUAGES, type PageLanguage } from '../../src/web/language/language.ts';
import { renderHistoryPage } from '../../src/web/history/page.tsx';
import { PublishPanel, renderPublishPanel } from '../../src/web/report/publish-panel.tsx';
import { publishWords } from '../../src/web/report/publish-words.ts';
import { publishedEntry, shownHistory } from '../support/pages/published.ts';
import { textOf, treeOf } from '../support/pages/view-page.ts';
import { xssStrings } from '../support/audit/xss-strings.ts';

const HOST = 'shop.example';
/** A check whose rule changed from rubric 2 to rubric 3, and one whose rule did not. */
const MOVED = 'agent.ui.form-labels';
const KEPT = 'aeo.index.meta-robots';
const ALIKE = { 'aeo.reach.http-200': 'pass' } as const;
const pageOf = async (shown: Parameters<typeof renderHistoryPage>[0]): Promise<string> =>
  (await renderHistoryPage(shown)).toString();
const pageIn = async (language: PageLanguage, count: number): Promise<string> =>
  (await renderHistoryPage(shownHistory(HOST, count), language)).toString();

describe('the page of a history', () => {
  test('says all of it without scripts: scores, changes, badge', async () => {
    const text = textOf(await pageOf(shownHistory(HOST, 6)));
    for (const said of [
      'History of shop.example',
      'Scores over time',
      '84',
      'New passes',
      'Not judged any more',
      'Markdown',
    ])
      expect(text).toContain(said);
  });

  test('with one report compares nothing and loads no chart', async () => {
    const page = await pageOf(shownHistory(HOST, 1));
    expect(textOf(page)).toContain('One report is published so far');
    expect(page).not.toContain('history.js');
    expect(page).not.toContain('data-history-chart');
  });

  test('with one report leads to another audit of the site', async () => {
    const page = await pageOf(shownHistory(HOST, 1));
    expect(page).toContain(`<a class="button" href="/audit?url=${encodeURIComponent(`https://${HOST}/`)}">`);
    expect(textOf(await pageIn('de', 1))).toContain('Bisher ist ein Bericht veröffentlicht');
  });

  test('is German from its heading to its buttons, and says the same with the same elements', async () => {
    const [english, german] = await Promise.all([pageIn('en', 6), pageIn('de', 6)]);
    const text = textOf(german);
    for (const said of ['Verlauf von shop.example', 'Neu bestanden', 'Was sich geändert hat', 'HTML kopieren', 'Note'])
      expect(text).toContain(said);
    const named = shownHistory(HOST, 6).changes?.newPasses ?? [];
    expect(named.length).toBeGreaterThan(0);
    for (const { id } of named) expect(text).toContain(getCheckTitle(id, 'de', ''));
    expect(text.match(/\b(?:the|Pass|Fail|Grade|Report|Compare|Copy|not asked|does not)\b/g)).toBeNull();
    expect(german).toContain(`<input type="hidden" name="to" value="/history/${HOST}"/>`);
    expect(treeOf(german)).toEqual(treeOf(english));
  });

  test('between two rubrics names both, compares no scores and keeps apart what may be the rubric’s', async () => {
    const shownAs = (number: number, rubric: string, status: OutcomeStatus) => ({
      ...publishedEntry(number),
      rubric,
      statuses: { ...ALIKE, [MOVED]: status, [KEPT]: status },
      isReadable: true,
    });
    const [newer, older] = [shownAs(2, '3.0.0', 'pass'), shownAs(1, '2.0.0', 'fail')];
    const changes = { from: older, to: newer, ...compareReports(older, newer) };
    const text = textOf(await pageOf({ ...shownHistory(HOST, 2), entries: [newer, older], changes }));
    expect(text).toContain('judged by rubric 2.0.0, the second by 3.0.0');
    expect(text).toContain('New passes (1)');
    expect(text).toContain('By the rubric (1)');
    expect(text).toContain(explainRuleChange(MOVED, '2.0.0', '3.0.0'));
    expect(text).not.toMatch(/AI search \(AEO\) [+−±]/u);
  });

  test('under one rubric compares scores and says nothing of rubrics', async () => {
    const text = textOf(await pageOf(shownHistory(HOST, 3)));
    expect(text).toMatch(/AI search \(AEO\) [+−±]/u);
    expect(text).not.toContain('By the rubric');
  });

  test('ends the lines of the chart where the rubric changed: each row names its rubric', async () => {
    const page = await pageOf(shownHistory(HOST, 3));
    expect([...page.matchAll(/<tr data-rubric="([^"]+)"/g)].map(([, rubric]) => rubric)).toEqual([
      '1.1.0',
      '1.1.0',
      '1.0.0',
    ]);
    expect(textOf(page)).toContain('Scores by different rubrics do not compare');
    expect(textOf(await pageOf(shownHistory(HOST, 1)))).not.toContain('Scores by different rubrics');
  });

  test('X6: keeps its tree with more than 1,000 hostile texts in every slot that is no id', async () => {
    const shown = shownHistory(HOST, 2);
    const [first, second] = shown.entries;
    if (!first || !second || !shown.changes) throw new Error('two entries');
    const shownWith = (text: string): Parameters<typeof renderHistoryPage>[0] => {
      const entry = { ...first, profile: text, rubric: text };
      const change = { id: text, from: 'fail', to: 'pass' } as const;
      const changes = {
        ...shown.changes,
        newPasses: [change],
        byRubric: [{ ...change, why: text }],
        rubrics: { from: text, to: text },
        from: second,
        to: entry,
      } as typeof shown.changes;
      return { ...shown, host: text, siteUrl: text, entries: [entry, second], changes };
    };
    const isLink = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    const treeWith = async (text: string): Promise<string> => treeOf(await pageOf(shownWith(text))).join('');
    const [plain, linked] = await Promise.all(['plain', 'https://plain.example/'].map(treeWith));
    for (const text of xssStrings) {
      const page = await pageOf(shownWith(text));
      if (treeOf(page).join('') !== (isLink(text) ? linked : plain)) expect.fail(JSON.stringify(text));
    }
  });

  test('X5: snippets name a key of ours only, so that nothing of them breaks out of an attribute', () => {
    for (const text of xssStrings) {
      const key = parseSiteKey(text);
      if (key !== undefined) expect(key).toMatch(/^[\w.:[\]-]+$/);
    }
  });

  test('its scripts are at most 40 kB gzip together', () => {
    const bytes = ['copy', 'history', 'publish'].map(
      (name) => gzipSync(readFileSync(new URL(`../../public/web/${name}.js`, import.meta.url))).length,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40_000);
  });
});

describe('the panel that publishes', () => {
  const state = {
    published: false,
    publishable: true,
    host: HOST,
    baseUrl: 'https://s.test',
  };

  test('is a form that works by itself', async () => {
    const panel = (await renderPublishPanel('a'.repeat(32), state)).toString();
    expect(panel).toContain(`<form method="post" action="/reports/${'a'.repeat(32)}/publish"`);
    expect(panel).toContain('<label for="publish-token">');
    expect(panel).toContain('data-publish-badge="true" hidden=""');
  });

  test('takes back what is public, and shows the snippets of its badge', async () => {
    const panel = (await PublishPanel({ id: 'a'.repeat(32), ...state, published: true })).toString();
    expect(panel).toContain('/unpublish"');
    expect(panel).toContain('/badge/shop.example.svg');
    expect(panel).not.toContain('data-publish-badge="true" hidden=""');
  });

  test('X5: says before each button what it makes public, and what stays readable', async () => {
    const before = (await renderPublishPanel('a'.repeat(32), state)).toString();
    expect(before).toContain('Publishing makes the whole report public, fixes and files included');
    const after = (await PublishPanel({ id: 'a'.repeat(32), ...state, published: true })).toString();
    for (const panel of [before, after]) {
      expect(panel).toMatch(/who has its address (?:by then )?can still read it until it expires/i);
      expect(panel).not.toMatch(/private/i);
    }
  });

  const reasons = Object.keys(PUBLISHING_WORDS) as PublishingRefusal[];
  test.each(LANGUAGES.flatMap((language) => reasons.map((reason) => [reason, language] as const)))(
    'X5: says why a report cannot be published, and has no form then: %s, in %s',
    async (reason, language) => {
      const refused = { ...state, publishable: false, reason, language };
      const panel = (await renderPublishPanel('a'.repeat(32), refused)).toString();
      expect(panel).toContain(publishWords[language].reasons[reason]);
      expect(panel).not.toMatch(/<form|lang="en"/);
    },
  );

  test('says in German why the service refused, by the code of the problem', async () => {
    const panel = (await renderPublishPanel('a'.repeat(32), { ...state, language: 'de' })).toString();
    const { problems } = publishWords.de.said;
    expect(Object.keys(problems)).toEqual(expect.arrayContaining(['publish_refused', 'not_publishable']));
    for (const words of Object.values(problems)) expect(panel).toContain(words);
  });
});
