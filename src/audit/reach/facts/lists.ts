import { type CheckOutcome, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { findNextLink, findPageNumber, withoutPageNumber } from '../../page/facts/linked-pages.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isRefusalStatus } from './blocked-crawler.ts';
import { listHtmlPages, type SamplePage } from './site-files.ts';
import { normaliseComparableUrl } from './urls.ts';

/** Entries of lists, as buttons name them; comments and options are no pages. */
const ENTRIES =
  'posts|articles|stories|news|results|products|items|entries|events|jobs|beiträge|artikel|ergebnisse|produkte|einträge|meldungen|articles|résultats|produits|artículos|resultados|productos|noticias|articoli|risultati|prodotti|resultaten|producten';
/** Labels of controls that add to a list in place. */
const LOAD = new RegExp(
  `^(?:load more|mehr laden|weitere laden|charger plus|cargar más|carica altri|meer laden|показать ещё|もっと読み込む|加载更多)(?:\\s(?:${ENTRIES}))?$`,
  'iu',
);
const SHOW =
  "(?:show|view|see|load) more|mehr anzeigen|(?:weitere|mehr) |voir plus(?: d[e'’])?|afficher plus(?: d[e'’])?|(?:ver|mostrar) más|mostra altri|meer tonen";
const SHOW_ENTRIES = new RegExp(`^(?:${SHOW})\\s?(?:${ENTRIES})(?: (?:anzeigen|laden))?$`, 'iu');
/** It may open the rest of a text, too: on a page of many articles it adds to their list. */
const SHOW_BARE = new RegExp(`^(?:${SHOW})$`, 'iu');
const MANY_ARTICLES = 3;
const MAX_LABEL_CHARS = 40;
/** A list shows at least as many links into its site. */
const MIN_LIST_LINKS = 5;

type ListFault = 'button' | 'first' | 'dead' | 'same' | 'noindex';
const LIST_WORDS: Readonly<Record<ListFault, string>> = {
  button: 'more of a list only appears at the press of a button',
  first: 'a further page of a list names the first one as its original',
  dead: 'the next page of a list is not there',
  same: 'the next page of a list shows the same links',
  noindex: 'the next page of a list is excluded from indexes',
};

type Judged = { fault: ListFault | undefined; evidence: CheckEvidence };

/** How the lists of a site are cut into pages, on the pages that were read and on the next page of one of them. */
export function judgeLists(pages: readonly SamplePage[], next: Exchange | 'not_asked'): CheckOutcome {
  const judged = [
    ...pages.flatMap((one) => judgePage(one, pages)),
    ...(next === 'not_asked' ? [] : judgeNextPage(pages, next)),
  ];
  if (judged.length === 0) return verdict.notApplicable('No page that was read shows a list in several pages.');
  const faulty = judged.filter(({ fault }) => fault !== undefined);
  const words = [...new Set(faulty.flatMap(({ fault }) => (fault ? [LIST_WORDS[fault]] : [])))];
  const good = judged.length - faulty.length;
  const note = `${good} of ${formatCount(judged.length, 'page')} of lists can be reached and indexed${words.length === 0 ? '' : `: ${words.join('; ')}`}.`;
  const evidence = (faulty.length > 0 ? faulty : judged).slice(0, 10).map((one) => one.evidence);
  return verdict.byShare(good / judged.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
}

function judgePage(one: SamplePage, pages: readonly SamplePage[]): readonly Judged[] {
  const { exchange, page } = one;
  if (findPageNumber(new URL(page.url)) > 1) return [judgeLaterPage(one, pages)];
  const link = findNextLink(page);
  if (link) {
    const place = { selector: 'a[href]', line: link.line, excerpt: link.href };
    return [{ fault: undefined, evidence: buildEvidence(exchange, place) }];
  }
  const button = findMoreButton(page);
  return button ? [{ fault: 'button', evidence: buildEvidence(exchange, { ...button, selector: 'button' }) }] : [];
}

function judgeLaterPage({ exchange, page }: SamplePage, pages: readonly SamplePage[]): Judged {
  const list = withoutPageNumber(new URL(page.url));
  const first = pages.find(
    ({ page: other }) => other.url !== page.url && withoutPageNumber(new URL(other.url)) === list,
  );
  const closed = page.robots.some(({ agent, directives }) => agent === 'robots' && directives.includes('noindex'));
  const same = first !== undefined && hasSameLinks(first.page, page);
  const fault = isFirstNamed(page) ? 'first' : same ? 'same' : closed ? 'noindex' : undefined;
  return { fault, evidence: buildCanonicalEvidence(exchange, page) };
}

/** The next page of a list that was asked for; nothing where it was read with the sample, or could not be read. */
function judgeNextPage(pages: readonly SamplePage[], next: Exchange): readonly Judged[] {
  const { answer } = next;
  if (!answer.ok || isRefusalStatus(answer.status) || answer.status >= 500) return [];
  if (answer.status >= 400) return [{ fault: 'dead', evidence: buildEvidence(next) }];
  const [read] = listHtmlPages([next]);
  return read && !pages.some(({ page }) => page.url === read.page.url) ? [judgeLaterPage(read, pages)] : [];
}

const buildCanonicalEvidence = (exchange: Exchange, page: PageFacts): CheckEvidence => {
  const [link] = page.canonicals;
  const place = link ? { line: link.line, excerpt: link.rawHref } : {};
  return buildEvidence(exchange, { selector: 'link[rel~=canonical]', ...place });
};

/** The page is a later one of its list, and its canonical link names the first. */
function isFirstNamed(page: PageFacts): boolean {
  const [link] = page.canonicals;
  const target = link && URL.parse(link.href);
  if (!target) return false;
  const here = new URL(page.url);
  return (
    findPageNumber(target) === 1 &&
    findPageNumber(here) > 1 &&
    normaliseComparableUrl(target.href) === withoutPageNumber(here)
  );
}

const listTargets = (page: PageFacts): ReadonlySet<string> =>
  new Set(page.anchors.filter(({ href }) => /^https?:/.test(href)).map(({ href }) => normaliseComparableUrl(href)));

/** Every link of the first page is on the next one too, those to other pages of the list aside. */
function hasSameLinks(first: PageFacts, next: PageFacts): boolean {
  const list = withoutPageNumber(new URL(first.url));
  const isEntry = (href: string): boolean => withoutPageNumber(new URL(href)) !== list;
  const [one, other] = [first, next].map((page) => [...listTargets(page)].filter(isEntry).toSorted());
  return one !== undefined && one.length >= MIN_LIST_LINKS && one.join('\n') === other?.join('\n');
}

function findMoreButton(page: PageFacts): { line: number; excerpt: string } | undefined {
  if (page.anchors.length < MIN_LIST_LINKS) return undefined;
  const patterns = [LOAD, SHOW_ENTRIES, ...((page.elements['article'] ?? 0) >= MANY_ARTICLES ? [SHOW_BARE] : [])];
  const isMore = (label: string): boolean =>
    label.length <= MAX_LABEL_CHARS && patterns.some((pattern) => pattern.test(label.trim()));
  const control = page.controls.find(
    ({ tag, type, label, hidden, form }) =>
      hidden === undefined && form === -1 && (tag === 'button' || type === 'button') && isMore(label),
  );
  if (control) return { line: control.line, excerpt: control.label };
  const clickable = page.clickables.find(({ text, hidden }) => hidden === undefined && isMore(text));
  if (clickable) return { line: clickable.line, excerpt: clickable.text };
  const anchor = page.anchors.find(
    ({ text, rawHref, hidden }) => hidden === undefined && /^(?:#|javascript:)/i.test(rawHref.trim()) && isMore(text),
  );
  return anchor && { line: anchor.line, excerpt: anchor.text };
}
