import { formatPercent } from '../../../lib/numbers.ts';
import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import {
  type Directive,
  isForIndexers,
  isIndexingForbidden,
  parseHeaderDirectives,
  listMetaDirectives,
} from '../../crawlers/facts/robots-directives.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { isSameAddress, normaliseComparableUrl } from '../../reach/facts/urls.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of what the start page lets indexes do with it. */
export const pageIndexChecks = [
  defineCheck({
    id: 'aeo.index.meta-robots',
    title: 'Start page is indexable',
    failureTitle: 'Allow the page to be indexed',
    weight: 4,
    grade: 'A',
    why: 'noindex removes the page from the indexes that AI answers draw on.',
    source: 'Google Search Central, robots meta tag specifications; Bing Webmaster Guidelines',
    fix: 'Remove noindex and none from the robots meta tags of public pages.',
    gate: { caps: { aeo: 20 } },
    needs: ['start', 'page'],
    judge: judgeMeta,
  }),
  defineCheck({
    id: 'aeo.index.snippet-allowed',
    title: 'Snippets are allowed',
    failureTitle: 'Allow snippets of the page',
    weight: 2,
    grade: 'A',
    why: 'Google applies the snippet controls to AI Overviews and AI Mode: a page without a snippet cannot be quoted there.',
    source: 'Google Search Central, "AI features and your website"',
    fix: 'Remove nosnippet, use max-snippet:-1, and keep data-nosnippet to asides.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeSnippet,
  }),
  defineCheck({
    id: 'aeo.index.snippet-eligible',
    title: 'The page may be indexed and shown with a snippet',
    failureTitle: 'Let the page be indexed and shown with a snippet',
    weight: 3,
    grade: 'A',
    why: 'To be indexed and eligible for a snippet is the only condition that Google states for its AI answers. Where the text itself is excluded from snippets, there is nothing to quote.',
    source: 'https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Remove noindex, nosnippet and max-snippet:0 for search engines, and keep data-nosnippet to asides.',
    gate: { caps: { aeo: 50 } },
    needs: ['start', 'page'],
    judge: judgeEligible,
  }),
  defineCheck({
    id: 'aeo.index.canonical',
    title: 'Canonical link is present and right',
    failureTitle: 'Correct the canonical link',
    weight: 2,
    grade: 'B',
    why: 'Without one canonical address citations are split between copies of the page, or go to one that does not exist.',
    source: 'RFC 6596; Google Search Central, canonical URLs',
    fix: 'Put one <link rel="canonical"> with the absolute address of this page into the head.',
    each: 'share',
    needs: ['start', 'page', 'canonical'],
    judge: ({ start, page, canonical }, site) => judgeCanonical({ start, page, canonical, site }),
  }),
];

function buildDirectiveEvidence(
  { exchange }: ExchangeWithAnswer,
  { agent, name, value, from, line }: Directive,
): CheckEvidence {
  const excerpt = value === '' ? name : `${name}:${value}`;
  if (from === 'header') return buildEvidence(exchange, { header: 'x-robots-tag', excerpt });
  return buildEvidence(exchange, {
    selector: `meta[name="${agent}"]`,
    excerpt,
    ...(line === undefined ? {} : { line }),
  });
}

function judgeMeta({ start, page }: FactsOf<'start' | 'page'>, site: Site): CheckOutcome {
  const directives = listMetaDirectives(page).filter(isForIndexers);
  const found = directives.find((directive) => isIndexingForbidden(directive, site.clockMs));
  if (found)
    return verdict.fail(
      'A robots meta tag keeps the page out of an index that AI answers draw on.',
      buildDirectiveEvidence(start, found),
    );
  const [first] = directives;
  return verdict.pass(
    first ? 'The robots meta tags allow indexing.' : 'No robots meta tag, so indexing is allowed.',
    first ? buildDirectiveEvidence(start, first) : buildEvidence(start.exchange),
  );
}

/** Share of the visible text from which nothing is left to quote. */
const MOSTLY_COVERED = 0.9;

/** A snippet shorter than this quotes no full sentence. */
const MIN_SNIPPET_CHARS = 50;

function judgeSnippet({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const header = parseHeaderDirectives(start.answer.headers['x-robots-tag'] ?? '');
  const directives = [...listMetaDirectives(page), ...header].filter(isForIndexers);
  const none = directives.find(
    ({ name, value }) => name === 'nosnippet' || (name === 'max-snippet' && Number(value) === 0 && value !== ''),
  );
  if (none) return verdict.fail('Snippets of the page are forbidden.', buildDirectiveEvidence(start, none));
  const short = directives.find(
    ({ name, value }) => name === 'max-snippet' && Number(value) > 0 && Number(value) < MIN_SNIPPET_CHARS,
  );
  if (short)
    return verdict.partial(
      0.5,
      `Snippets are cut to ${Number(short.value)} characters.`,
      buildDirectiveEvidence(start, short),
    );
  const covered = page.text.length === 0 ? 0 : page.nosnippetChars / page.text.length;
  if (covered > 0.5) {
    const note = `data-nosnippet covers ${formatPercent(covered)} of the visible text.`;
    return verdict.partial(0.5, note, buildEvidence(start.exchange, { selector: '[data-nosnippet]' }));
  }
  return verdict.pass('Snippets of the page are allowed.', buildEvidence(start.exchange));
}

function judgeEligible({ start, page }: FactsOf<'start' | 'page'>, site: Site): CheckOutcome {
  const header = parseHeaderDirectives(start.answer.headers['x-robots-tag'] ?? '');
  const directives = [...listMetaDirectives(page), ...header].filter(isForIndexers);
  const hidden = directives.find((directive) => isIndexingForbidden(directive, site.clockMs));
  if (hidden) return verdict.fail('The page may not be indexed.', buildDirectiveEvidence(start, hidden));
  const none = directives.find(
    ({ name, value }) => name === 'nosnippet' || (name === 'max-snippet' && Number(value) === 0 && value !== ''),
  );
  if (none) return verdict.fail('The page may not be shown with a snippet.', buildDirectiveEvidence(start, none));
  const covered = page.text.length === 0 ? 0 : page.nosnippetChars / page.text.length;
  const evidence = buildEvidence(start.exchange, { selector: '[data-nosnippet]' });
  if (covered >= MOSTLY_COVERED)
    return verdict.fail(`data-nosnippet covers ${formatPercent(covered)} of the visible text.`, evidence);
  if (covered > 0.5)
    return verdict.partial(0.5, `data-nosnippet covers ${formatPercent(covered)} of the visible text.`, evidence);
  return verdict.pass('The page may be indexed and shown with a snippet.', buildEvidence(start.exchange));
}

type CanonicalCase = { start: ExchangeWithAnswer; page: PageFacts; canonical: Exchange | 'not_asked'; site: Site };

function judgeCanonical({ start, page, canonical, site }: CanonicalCase): CheckOutcome {
  const links = [...page.canonicals, ...listHeaderCanonicals(start)];
  const [first] = links;
  if (!first)
    return verdict.partial(
      0.5,
      'The page names no canonical address.',
      buildEvidence(start.exchange, { selector: 'link[rel~=canonical]' }),
    );
  const evidence = buildEvidence(start.exchange, {
    selector: 'link[rel~=canonical]',
    excerpt: first.rawHref,
    ...(first.line > 0 ? { line: first.line } : {}),
  });
  const distinct = new Set(links.map(({ href }) => normaliseComparableUrl(href)));
  if (distinct.size > 1)
    return verdict.fail(`The page names ${distinct.size} different canonical addresses.`, evidence);
  if (!/^https?:/.test(first.href)) return verdict.fail('The canonical link is no web address.', evidence);
  const target = new URL(first.href);
  const here = new URL(start.answer.url);
  if (target.host !== here.host) {
    if (site.local) return verdict.notApplicable('On a private host the canonical address names the public one.');
    if (getRegistrableDomain(target.hostname) !== getRegistrableDomain(here.hostname))
      return verdict.fail('The canonical address is on another site.', evidence);
  }
  if (!/^https?:\/\//i.test(first.rawHref.trim()))
    return verdict.partial(0.5, 'The canonical address is relative.', evidence);
  if (isSameAddress(first.href, start.answer.url))
    return verdict.pass('The canonical link names this very page.', evidence);
  // Only the canonical address of the start page is asked for.
  if (canonical === 'not_asked' && normaliseComparableUrl(first.href) !== normaliseComparableUrl(site.start.href))
    return verdict.notApplicable('The page declares itself a copy of another page of the site.');
  return judgeElsewhere(page, canonical, evidence);
}

/** The canonical address is another one on the same site: right if this page is there too. */
function judgeElsewhere(page: PageFacts, canonical: Exchange | 'not_asked', evidence: CheckEvidence): CheckOutcome {
  if (canonical === 'not_asked') return verdict.pass('The canonical link names the audited address.', evidence);
  const both = [evidence, buildEvidence(canonical)];
  if (!canonical.answer.ok)
    return verdict.unknown(`The canonical address gave no answer: ${canonical.answer.reason}.`, both);
  if (canonical.answer.status !== 200)
    return verdict.fail(`The canonical address answers ${canonical.answer.status}.`, both);
  const there = isHtmlAnswer(canonical.answer) ? foldTitle(getPageFacts(canonical.answer)) : '';
  if (there === '' || foldTitle(page) === '')
    return verdict.partial(0.5, 'The canonical address is another one of the site, without a title to compare.', both);
  return there === foldTitle(page)
    ? verdict.pass('The canonical address is another one of this very page: the title is the same there.', both)
    : verdict.fail('The canonical address is another page of the site: engines may leave this one out.', both);
}

const foldTitle = ({ titles }: PageFacts): string => (titles[0] ?? '').replace(/\s+/g, ' ').trim().toLowerCase();

function listHeaderCanonicals({ answer }: ExchangeWithAnswer): { href: string; rawHref: string; line: number }[] {
  const value = (answer.headers['link'] ?? '').slice(0, 8192);
  return [...value.matchAll(/<([^<>]{1,2048})>([^<>]{0,500})/g)]
    .filter((match) => /;\s{0,9}rel="?[^";,]{0,100}\bcanonical\b/i.test(match[2] ?? ''))
    .flatMap((match) => {
      const rawHref = match[1] ?? '';
      return URL.canParse(rawHref, answer.url) ? [{ href: new URL(rawHref, answer.url).href, rawHref, line: 0 }] : [];
    });
}
