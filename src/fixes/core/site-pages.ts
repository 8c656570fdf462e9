import { statedDates } from '../../audit/text/facts/dates.ts';
import { isHtmlAnswer } from '../../audit/reach/facts/html-answer.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { metaContent } from '../../audit/page/facts/page.ts';
import { pageOf } from '../../audit/reach/facts/page-of.ts';
import { numbered } from '../../audit/core/snapshot.ts';
import { firstText, ownUrl, siteText } from '../files/safe-site.ts';
import type { Fixing } from './fix-context.ts';

/** A page of the site as files list it. `modified` is a day that the site states for it; '' for what it does not say. */
export type SitePage = { url: string; title: string; summary: string; modified: string };

/** Pages that one generated file lists. */
export const MAX_PAGES = 1000;
const MAX_TEXT_CHARS = 200;

const NO_PAGE =
  /\.(?:avif|css|csv|docx?|gif|gz|ico|jpe?g|js|json|md|m4a|mp[34]|pdf|png|pptx?|rss|svg|txt|webm|webp|woff2?|xlsx?|xml|zip)$/i;
const ACTS =
  /(?:^|[/_-])(?:log-?out|sign-?out|log-?in|sign-?in|delete|unsubscribe|add-to-cart|cart|checkout)(?:$|[/_.-])/i;

/** The pages that were read, those of the present sitemap, and those that the start page links to; each once. */
export function sitePages({ audited, page, words, read }: Fixing): readonly SitePage[] {
  const { start } = audited.site;
  const found = new Map<string, SitePage>();
  const add = (href: string, facts: PageFacts | undefined, modified: string): void => {
    const url = ownUrl(href, start);
    if (url === undefined || found.size >= MAX_PAGES) return;
    const { host, pathname } = new URL(url);
    if (host !== start.host || NO_PAGE.test(pathname) || ACTS.test(pathname)) return;
    const known = found.get(keyOf(url));
    if (known) found.set(keyOf(url), { ...known, modified: known.modified || modified });
    else found.set(keyOf(url), { url, ...factsOf(facts), modified: modified || dayOf(facts) });
  };
  add(words.pageUrl, page, '');
  for (const { answer } of numbered(audited.snapshot, 'sample'))
    if (answer.ok && answer.status === 200 && isHtmlAnswer(answer)) addRead(answer.url, pageOf(answer), add);
  for (const { loc, lastmod } of read('sitemaps')?.urls ?? [])
    add(loc, undefined, /^\d{4}-\d{2}-\d{2}/.exec(lastmod)?.[0] ?? '');
  for (const { href, rels } of page?.anchors ?? []) if (!rels.includes('nofollow')) add(href, undefined, '');
  return [...found.values()];
}

function addRead(url: string, facts: PageFacts, add: (href: string, facts: PageFacts, modified: string) => void): void {
  const closed = facts.robots.some(({ directives }) => directives.includes('noindex') || directives.includes('none'));
  const canonical = facts.canonicals[0]?.href ?? '';
  if (!closed && (canonical === '' || keyOf(canonical) === keyOf(url))) add(url, facts, '');
}

const keyOf = (url: string): string => (url.split('#')[0] ?? url).replace(/\/$/, '');

const factsOf = (page: PageFacts | undefined): Pick<SitePage, 'title' | 'summary'> => ({
  title: page ? firstText([...page.titles, page.headings[0]?.text], MAX_TEXT_CHARS) : '',
  summary: page ? siteText(metaContent(page, 'description'), MAX_TEXT_CHARS) : '',
});

function dayOf(page: PageFacts | undefined): string {
  const days = page ? statedDates(page).map(({ ms }) => ms) : [];
  return days.length === 0 ? '' : new Date(Math.max(...days)).toISOString().slice(0, 10);
}
