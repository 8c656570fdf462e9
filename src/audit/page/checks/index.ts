import { registrableDomain } from '../../../net/registrable-domain.ts';
import {
  type AnyCheck,
  defineCheck,
  fail,
  notApplicable,
  type Outcome,
  partial,
  pass,
  unknown,
} from '../../core/check.ts';
import { type Evidence, seen } from '../../core/evidence.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import {
  type Directive,
  addressesIndexers,
  forbidsIndexing,
  headerDirectives,
  metaDirectives,
} from '../../crawlers/facts/robots-directives.ts';
import { comparableUrl } from '../../reach/facts/same-page.ts';
import type { Answered } from '../../reach/facts/site-files.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of what the start page lets indexes do with it. */
export const pageIndexChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.index.meta-robots',
    title: 'Start page is indexable',
    scores: ['aeo'],
    weight: 4,
    grade: 'A',
    why: 'noindex removes the page from the indexes that AI answers draw on.',
    source: 'Google Search Central, robots meta tag specifications; Bing Webmaster Guidelines',
    fix: 'Remove noindex and none from the robots meta tags of public pages.',
    gate: { caps: { aeo: 20 } },
    needs: ['start', 'page'],
    judge: ({ start, page }, site) => judgeMeta(start, page, site),
  }),
  defineCheck({
    id: 'aeo.index.snippet-allowed',
    title: 'Snippets are allowed',
    scores: ['aeo'],
    weight: 2,
    grade: 'A',
    why: 'Google applies the snippet controls to AI Overviews and AI Mode: a page without a snippet cannot be quoted there.',
    source: 'Google Search Central, "AI features and your website"',
    fix: 'Remove nosnippet, use max-snippet:-1, and keep data-nosnippet to asides.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeSnippet(start, page),
  }),
  defineCheck({
    id: 'aeo.index.canonical',
    title: 'Canonical link is present and right',
    scores: ['aeo'],
    weight: 2,
    grade: 'B',
    why: 'Without one canonical address citations are split between copies of the page, or go to one that does not exist.',
    source: 'RFC 6596; Google Search Central, canonical URLs',
    fix: 'Put one <link rel="canonical"> with the absolute address of this page into the head.',
    needs: ['start', 'page', 'canonical'],
    judge: ({ start, page, canonical }, site) => judgeCanonical({ start, page, canonical, site }),
  }),
];

function at({ exchange }: Answered, { agent, name, value, from, line }: Directive): Evidence {
  const excerpt = value === '' ? name : `${name}:${value}`;
  if (from === 'header') return seen(exchange, { header: 'x-robots-tag', excerpt });
  return seen(exchange, { selector: `meta[name="${agent}"]`, excerpt, ...(line === undefined ? {} : { line }) });
}

function judgeMeta(start: Answered, page: PageFacts, site: Site): Outcome {
  const directives = metaDirectives(page).filter(addressesIndexers);
  const found = directives.find((directive) => forbidsIndexing(directive, site.clockMs));
  if (found) return fail('A robots meta tag keeps the page out of an index that AI answers draw on.', at(start, found));
  const [first] = directives;
  return pass(
    first ? 'The robots meta tags allow indexing.' : 'No robots meta tag, so indexing is allowed.',
    first ? at(start, first) : seen(start.exchange),
  );
}

/** A snippet shorter than this quotes no full sentence. */
const MIN_SNIPPET_CHARS = 50;

function judgeSnippet(start: Answered, page: PageFacts): Outcome {
  const header = headerDirectives(start.answer.headers['x-robots-tag'] ?? '');
  const directives = [...metaDirectives(page), ...header].filter(addressesIndexers);
  const none = directives.find(
    ({ name, value }) => name === 'nosnippet' || (name === 'max-snippet' && Number(value) === 0 && value !== ''),
  );
  if (none) return fail('Snippets of the page are forbidden.', at(start, none));
  const short = directives.find(
    ({ name, value }) => name === 'max-snippet' && Number(value) > 0 && Number(value) < MIN_SNIPPET_CHARS,
  );
  if (short) return partial(0.5, `Snippets are cut to ${Number(short.value)} characters.`, at(start, short));
  const covered = page.text.length === 0 ? 0 : page.nosnippetChars / page.text.length;
  if (covered > 0.5) {
    const note = `data-nosnippet covers ${Math.round(covered * 100)} % of the visible text.`;
    return partial(0.5, note, seen(start.exchange, { selector: '[data-nosnippet]' }));
  }
  return pass('Snippets of the page are allowed.', seen(start.exchange));
}

type CanonicalCase = { start: Answered; page: PageFacts; canonical: Exchange | 'not_asked'; site: Site };

function judgeCanonical({ start, page, canonical, site }: CanonicalCase): Outcome {
  const links = [...page.canonicals, ...headerCanonicals(start)];
  const [first] = links;
  if (!first)
    return partial(
      0.5,
      'The page names no canonical address.',
      seen(start.exchange, { selector: 'link[rel~=canonical]' }),
    );
  const evidence = seen(start.exchange, {
    selector: 'link[rel~=canonical]',
    excerpt: first.rawHref,
    ...(first.line > 0 ? { line: first.line } : {}),
  });
  const distinct = new Set(links.map(({ href }) => comparableUrl(href)));
  if (distinct.size > 1) return fail(`The page names ${distinct.size} different canonical addresses.`, evidence);
  if (!/^https?:/.test(first.href)) return fail('The canonical link is no web address.', evidence);
  const target = new URL(first.href);
  const here = new URL(start.answer.url);
  if (target.host !== here.host) {
    if (site.local) return notApplicable('On a private host the canonical address names the public one.');
    if (registrableDomain(target.hostname) !== registrableDomain(here.hostname))
      return fail('The canonical address is on another site.', evidence);
  }
  if (!/^https?:\/\//i.test(first.rawHref.trim())) return partial(0.5, 'The canonical address is relative.', evidence);
  if (comparableUrl(first.href) === comparableUrl(start.answer.url))
    return pass('The canonical link names this very page.', evidence);
  return judgeElsewhere(canonical, evidence);
}

/** The canonical address is another one on the same site: right if it is there, and then this page is a copy. */
function judgeElsewhere(canonical: Exchange | 'not_asked', evidence: Evidence): Outcome {
  if (canonical === 'not_asked') return pass('The canonical link names the audited address.', evidence);
  const both = [evidence, seen(canonical)];
  if (!canonical.answer.ok) return unknown(`The canonical address gave no answer: ${canonical.answer.reason}.`, both);
  if (canonical.answer.status !== 200) return fail(`The canonical address answers ${canonical.answer.status}.`, both);
  return partial(0.5, 'The canonical address is another page of the site, which gets the credit for this one.', both);
}

function headerCanonicals({ answer }: Answered): { href: string; rawHref: string; line: number }[] {
  const value = (answer.headers['link'] ?? '').slice(0, 8192);
  return [...value.matchAll(/<([^<>]{1,2048})>([^<>]{0,500})/g)]
    .filter((match) => /;\s{0,9}rel="?[^";,]{0,100}\bcanonical\b/i.test(match[2] ?? ''))
    .flatMap((match) => {
      const rawHref = match[1] ?? '';
      return URL.canParse(rawHref, answer.url) ? [{ href: new URL(rawHref, answer.url).href, rawHref, line: 0 }] : [];
    });
}
