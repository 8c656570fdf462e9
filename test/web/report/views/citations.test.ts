import { Parser } from 'htmlparser2';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { citedPageChecks } from '../../../../src/capabilities/cited-pages/cited-page-audit.ts';
import { type CitationsResult, presentCitations } from '../../../../src/capabilities/citation-work.ts';
import { type Citations, CitationSection } from '../../../../src/web/report/citations/citations.tsx';
import { citationWords, describeUnread } from '../../../../src/web/report/citations/citations-words.ts';
import { formatCitationSections } from '../../../../src/web/report/markdown/citations.ts';
import { attacks } from '../../../support/audit/hostile-text.ts';
import { barsOf, textOf, treeOf, withText } from '../../../support/pages/view-page.ts';
import { vendorAnswers } from '../../../visibility/citations/vendor-answers.ts';

const [first, second] = citedPageChecks;
const ids = [first?.id ?? '', second?.id ?? ''];
const pages = [
  { url: 'https://www.techradar.com/best', side: 'cited', status: 'read', outcomes: { pass: ids } },
  { url: 'https://b.example/', side: 'cited', status: 'unread', reason: 'robots_disallowed' },
  { url: 'https://c.example/', side: 'cited', status: 'unread', reason: 'timeout' },
  { url: 'https://example.com/', side: 'own', status: 'read', outcomes: { fail: ids.slice(0, 1), pass: ids.slice(1) } },
] as const;
const about = { url: 'example.com', rivals: ['Sample Support'], seed: 'run' };

function present(): CitationsResult {
  const found = presentCitations(vendorAnswers, about, { resolutions: [], pages });
  if (found === null) throw new Error('the answers have sources');
  return found;
}
const citations: Citations = present();
const render = (shown: Citations | null, language: 'en' | 'de' = 'en'): string =>
  String(CitationSection({ citations: shown, language }));
const markdown = (shown: Citations | null): string => formatCitationSections(shown, '##').join('\n\n');

/** `href` and `rel` of each link. */
function linksOf(html: string): readonly (readonly [href: string, rel: string])[] {
  const links: (readonly [string, string])[] = [];
  const parser = new Parser({
    onopentag: (name, { href = '', rel = '' }) => {
      if (name === 'a') links.push([href, rel]);
    },
  });
  parser.end(html);
  return links;
}

describe('sources on the page', () => {
  test('own rate and share with intervals, kinds, rivals, pages and their sentences', () => {
    const text = textOf(render(citations));
    expect(text).toContain('4 of 4 answers came with a list of sources. Together they cite 9 pages');
    expect(text).toContain('Answers that cite your site 100 %');
    expect(text).toContain('4 of 4 answers. 95 % interval: 51 % to 100 %.');
    expect(text).toContain('Your share of citations 56 %');
    expect(text).toContain('press and reviews 1 11 % 1 of 4');
    expect(text).toContain('Sample Support samplesupport.com 25 %');
    expect(text).toContain('Help desk for small teams https://example.com/help-desk');
    expect(text).toContain('Reviewers like its inbox.');
    expect(barsOf(render(citations)).length).toBe(4);
  });

  test('what differs between cited pages and one of the brand, and which pages were not read', () => {
    const text = textOf(render(citations));
    expect(text).toContain(`${first?.title} 1 of 1 pass 0 of 1 pass`);
    expect(text).toContain('Pages compared: 2 of 4 could be read');
    expect(text).toContain('https://b.example/ (cited): not read: its robots.txt forbids it');
    expect(text).toContain('https://c.example/ (cited): not read: no answer could be read');
    expect(text).toContain('not why a page is cited');
  });

  test.each([
    ['no_site', 'the site of the brand was not named', 'die Website der Marke nicht angegeben wurde'],
    ['no_cited_page', 'no page of another site is known', 'keine genannte Seite einer anderen Website bekannt ist'],
    ['deadline', 'no time was left for it', 'dafür keine Zeit blieb'],
  ] as const)('why no pages were compared is one sentence: %s', (reason, en, de) => {
    const bare = { ...citations, page_checks: null, page_checks_reason: reason };
    expect(textOf(render(bare))).toContain(
      `What cited pages do that yours do not Could not check : no pages were compared, since ${en}`,
    );
    expect(textOf(render(bare, 'de'))).toContain(`es wurden keine Seiten verglichen, weil ${de}`);
    expect(markdown(bare)).toMatch(new RegExp(`## What cited pages do that yours do not\\n\\n.*since ${en}`));
  });

  test('a result of before, without a reason, has no such section', () => {
    const before = { ...citations, page_checks: null };
    expect(textOf(render(before))).not.toContain('What cited pages do');
    expect(markdown(before)).not.toContain('What cited pages do');
  });

  test.each(['en', 'de'] as const)('only an answer that did not come is said to be one: %s', (language) => {
    const words = citationWords[language];
    const none = ['timeout', 'connection_failed', 'body_failed', 'encoding_refused'];
    for (const reason of none) expect(describeUnread(words, reason)).toBe(words.unreadOther);
    const ours = ['deadline', 'budget_exhausted', 'private_target', 'target_busy', 'robots_disallowed', 'port_refused'];
    expect(new Set(ours.map((reason) => describeUnread(words, reason))).size).toBe(ours.length);
    for (const reason of ours) expect(describeUnread(words, reason)).not.toBe(words.unreadOther);
  });

  test('in German every sentence of ours is German', () => {
    const text = textOf(render({ ...citations, notes: [] }, 'de'));
    expect(text).toContain('Quellen nach Adresse');
    expect(text).toContain('1 von 1 besteht 0 von 1 bestehen');
    expect(text).not.toMatch(/\b(?:answers|sources|pages|cited|yours)\b/);
  });

  test('what was not measured is never 0 %', () => {
    for (const language of ['en', 'de'] as const) {
      expect(barsOf(render(null, language))).toEqual([]);
      const bare = { ...citations, own: null, rivals: [], page_checks: null };
      expect(barsOf(render(bare, language))).toEqual([]);
      const unknown = { domain: 'example.com', pages: 0, rate: null, share: null };
      expect(textOf(render({ ...citations, own: unknown, rivals: [] }, language))).not.toMatch(/ 0 %\s.*95/);
    }
    expect(textOf(render(null))).toContain('Could not check : the engine gives no sources');
    expect(markdown(null)).toContain('Not measured: the engine gives no sources');
    expect(markdown({ ...citations, own: null })).toContain('was not measured');
  });

  test('nothing cited is said once', () => {
    const none = presentCitations([{ index: 0, text: 'x', citations: [] }], about, { resolutions: [] });
    expect(textOf(render(none))).toContain('No answer cites a page.');
    expect(markdown(none)).toContain('No answer cites a page.');
  });
});

describe('hostile sources', () => {
  test('every link is http or https and hands nothing on', () => {
    const [page] = citations.pages;
    if (page === undefined) throw new Error('a page is cited');
    const bad = ['javascript:alert(1)', 'data:text/html,x', 'https://x.example/"onclick=alert(1)'];
    const shown = render({ ...citations, pages: bad.map((url) => ({ ...page, url })) });
    const links = linksOf(shown);
    expect(links.map(([href]) => href).filter((href) => !/^https?:/.test(href))).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
    for (const [, rel] of links)
      expect(rel.split(' ')).toEqual(expect.arrayContaining(['noopener', 'noreferrer', 'nofollow']));
    expect(shown).not.toContain('"onclick');
  });

  test.each(attacks)('%j changes no element of the page, and nothing acts in the Markdown', (attack) => {
    const tree = (shown: Citations): readonly string[] => treeOf(render(shown));
    expect(tree(withText(citations, attack))).toEqual(tree(withText(citations, 'plain')));
    const shown = micromark(markdown(withText(citations, attack)), {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    const acting = treeOf(shown).filter((tag) => /^<(?:a|img|script|input|iframe|svg) /.test(tag));
    expect(acting).toEqual([]);
  });
});
