import { hasEffect } from '../../audit/reach/facts/urls.ts';
import type { ArtifactName, Artifacts } from '../../audit/core/artifacts.ts';
import { createArtifactReader } from '../../audit/core/run.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type ExchangeLookup,
  type Snapshot,
} from '../../audit/core/snapshot.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getMetaContent } from '../../audit/page/facts/page.ts';
import { getPageFacts, isHtmlAnswer } from '../../audit/reach/facts/html-page.ts';
import { listStatedDates } from '../../audit/text/facts/dates.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Audited } from '../files/generated-file.ts';
import type { NewRewriter } from '../files/html-rewriter.ts';
import { cleanFirstText, cleanSiteText, normaliseOwnUrl } from '../files/safe-site.ts';
import { type SiteWords, readSiteWords } from './site-words.ts';
import type { Answers } from './slot-answers.ts';

/** A page of the site as files list it. `modified` is a day that the site states for it; '' for what it does not say. */
type SitePage = { url: string; title: string; summary: string; modified: string };

/** Pages that one generated file lists. */
export const MAX_PAGES = 1000;
const MAX_TEXT_CHARS = 200;

const NO_PAGE =
  /\.(?:avif|css|csv|docx?|gif|gz|ico|jpe?g|js|json|md|m4a|mp[34]|pdf|png|pptx?|rss|svg|txt|webm|webp|woff2?|xlsx?|xml|zip)$/i;
/** Pages that hold nothing to find. */
const EMPTY = /(?:^|[/_-])(?:log-?in|sign-?in|cart|checkout)(?:$|[/_.-])/i;

/** The pages that were read, those of the present sitemap, and those that the start page links to; each once. */
export function listSitePages({ audited, page, words, read }: FixContext): readonly SitePage[] {
  const { start, clockMs } = audited.site;
  const isGone = createGoneLookup({ audited });
  const latest = new Date(clockMs + DAY_MS).toISOString().slice(0, 10);
  const found = new Map<string, SitePage>();
  const add = (href: string, facts: PageFacts | undefined, stated: string): void => {
    const url = normaliseOwnUrl(href, start);
    if (url === undefined || found.size >= MAX_PAGES || isGone(url)) return;
    // A day that is still to come is no day of a change.
    const modified = stated <= latest ? stated : '';
    const address = new URL(url);
    const { host, pathname } = address;
    if (host !== start.host || NO_PAGE.test(pathname) || EMPTY.test(pathname) || hasEffect(address)) return;
    const known = found.get(getPageKey(url));
    if (known) found.set(getPageKey(url), { ...known, modified: known.modified || modified });
    else
      found.set(getPageKey(url), {
        url,
        ...readTitleAndSummary(facts),
        modified: modified || readModifiedDay(facts, latest),
      });
  };
  add(words.pageUrl, page, '');
  for (const { answer } of listNumberedExchanges(audited.snapshot, 'sample'))
    if (answer.ok && answer.status === 200 && isHtmlAnswer(answer)) addRead(answer.url, getPageFacts(answer), add);
  for (const { loc, lastmod } of read('sitemaps')?.urls ?? [])
    add(loc, undefined, /^\d{4}-\d{2}-\d{2}/.exec(lastmod)?.[0] ?? '');
  for (const { href, rels } of page?.anchors ?? []) if (!rels.includes('nofollow')) add(href, undefined, '');
  return [...found.values()];
}

function addRead(url: string, facts: PageFacts, add: (href: string, facts: PageFacts, modified: string) => void): void {
  const closed = facts.robots.some(({ directives }) => directives.includes('noindex') || directives.includes('none'));
  const canonical = facts.canonicals[0]?.href ?? '';
  if (!closed && (canonical === '' || getPageKey(canonical) === getPageKey(url))) add(url, facts, '');
}

const getPageKey = (url: string): string => (url.split('#')[0] ?? url).replace(/\/$/, '');

const readTitleAndSummary = (page: PageFacts | undefined): Pick<SitePage, 'title' | 'summary'> => ({
  title: page ? cleanFirstText([...page.titles, page.headings[0]?.text], MAX_TEXT_CHARS) : '',
  summary: page ? cleanSiteText(getMetaContent(page, 'description'), MAX_TEXT_CHARS) : '',
});

function readModifiedDay(page: PageFacts | undefined, latest: string): string {
  const days = page ? listStatedDates(page).map(({ ms }) => new Date(ms).toISOString().slice(0, 10)) : [];
  return (
    days
      .filter((day) => day <= latest)
      .toSorted()
      .at(-1) ?? ''
  );
}

/** Knows the pages that the audit asked for and that are not there. */
export function createGoneLookup({ audited }: Pick<FixContext, 'audited'>): (url: string) => boolean {
  const gone = new Set(
    audited.snapshot.exchanges.flatMap(({ method, url, answer }) =>
      method === 'GET' && answer.ok && (answer.status === 404 || answer.status === 410) ? [getPageKey(url)] : [],
    ),
  );
  return (url) => gone.has(getPageKey(url));
}

/** Elements that never have content, so that they are never open. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/**
 * Whether more than `max` elements are open at once for a streaming rewriter, which closes an element only at an end
 * tag: paragraphs and list items without one stay open until the element around them ends. Linear in the page.
 */
function openElementsExceed(html: string, max: number): boolean {
  const open: string[] = [];
  const counts = new Map<string, number>();
  for (const [, slash, written = ''] of html.matchAll(/<(\/?)([a-z][^\s/<>]{0,60})/gi)) {
    const name = written.toLowerCase();
    if (slash === '') {
      if (VOID.has(name)) continue;
      open.push(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (open.length > max) return true;
      continue;
    }
    if ((counts.get(name) ?? 0) === 0) continue;
    for (let closed = open.pop(); closed !== undefined; closed = open.pop()) {
      counts.set(closed, (counts.get(closed) ?? 1) - 1);
      if (closed === name) break;
    }
  }
  return false;
}

/** All that a recipe may look at. Nothing is fetched: the snapshot holds what was read. */
export type FixContext = {
  audited: Audited;
  newRewriter: NewRewriter;
  find: ExchangeLookup;
  /** An artifact of the audit; undefined when it could not be read. */
  read: <K extends ArtifactName>(name: K) => Artifacts[K] | undefined;
  /** The facts of the start page, if it is HTML. */
  page: PageFacts | undefined;
  /** The start page as it can be rewritten, or why it cannot. */
  source: PageSource;
  words: SiteWords;
  /** What the owner of the site has answered. */
  answers: Answers;
};

/** Open elements at which the rewriter of the platform stops; the polyfill would go on, and give other bytes. */
const MAX_OPEN_ELEMENTS = 16_000;

/** Reads once what all recipes share. */
export function createFixContext(audited: Audited, newRewriter: NewRewriter, answers: Answers = new Map()): FixContext {
  const artifactOf = createArtifactReader(audited.snapshot);
  const read: FixContext['read'] = (name) => {
    const artifact = artifactOf(name);
    return artifact.state === 'ready' ? artifact.value : undefined;
  };
  const page = read('page');
  return {
    audited,
    newRewriter,
    find: getExchangeLookup(audited.snapshot),
    read,
    page,
    source: readPageSource(audited.snapshot, page),
    words: readSiteWords(audited, page),
    answers,
  };
}

const TOO_DEEP = 'its elements are nested deeper than an HTML rewriter follows';

function readPageSource(snapshot: Snapshot, page: PageFacts | undefined): PageSource {
  const answer = getExchangeLookup(snapshot)('page')?.answer;
  if (!answer?.ok || !page) return { ok: false, why: 'it could not be read as an HTML page' };
  if (!isHtmlAnswer(answer)) return { ok: false, why: 'it is not served as HTML' };
  if (answer.truncated) return { ok: false, why: 'it is larger than the audit reads' };
  const html = answer.body.replace(/^\uFEFF/, '').toWellFormed();
  if (page.tooDeep || openElementsExceed(html, MAX_OPEN_ELEMENTS)) return { ok: false, why: TOO_DEEP };
  return { ok: true, html, page };
}

/** A page that can be changed, or why it cannot, in our words. */
export type PageSource = { ok: true; html: string; page: PageFacts } | { ok: false; why: string };
