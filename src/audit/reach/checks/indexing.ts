import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { findTagMistake, isLanguageTag } from '../../language/language.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import { type Directive, findNoindex, listPageDirectives } from '../../crawlers/facts/robots-directives.ts';
import { listPageAddresses, normaliseComparableUrl } from '../facts/urls.ts';
import type { SamplePage } from '../facts/site-files.ts';
import { getPageFacts, isHtmlAnswer } from '../facts/html-page.ts';
import { decideRobotsAccess, type Robots } from '../../crawlers/facts/robots-file.ts';
import { computeMatchLimit } from '../../crawlers/facts/robots.ts';
import { findSitemapFile, type Sitemaps } from '../../sitemaps/facts/sitemap.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of what a page says to indexes: of its languages, of training, and of itself in the places they compare. */
export const indexingChecks = [
  defineCheck({
    id: 'aeo.index.noai-meta',
    title: 'noai and noimageai are reported, not scored',
    failureTitle: 'Replace AI directives that no vendor documents',
    weight: 0,
    grade: 'D',
    why: 'No AI search vendor documents that it reads these words of the robots meta tag, so they neither help nor harm. We only say whether they are there.',
    source:
      'DeviantArt, announcement of the noai and noimageai directives (November 2022); crawler pages of the AI search vendors, which do not name them',
    fix: 'State the policy where crawlers read it: robots.txt groups for the training crawlers and a Content-Signal line.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeNoAi,
  }),
  defineCheck({
    id: 'aeo.index.hreflang',
    title: 'hreflang links are valid where they are used',
    failureTitle: 'Correct the hreflang links',
    weight: 1,
    grade: 'B',
    why: 'A link with a wrong code or a relative address is dropped, and the page is then shown to readers of another language. Whether the other versions link back is judged by aeo.index.hreflang-return.',
    source: 'Google Search Central, "Tell Google about localized versions of your page"; BCP 47 (RFC 5646)',
    fix: 'Give each language one link with a valid code and an absolute address, one of them for this page itself.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeHreflang,
  }),
  defineCheck({
    id: 'aeo.index.conflicts',
    title: 'Index signals do not contradict each other',
    failureTitle: 'Resolve index signals that contradict each other',
    weight: 1,
    grade: 'B',
    why: 'Where two signals contradict each other, each crawler resolves it its own way. We compare the start page, the sampled pages, the canonical target and the first 200 addresses of the sitemap; with fewer than two kinds of signal there is nothing to compare.',
    source:
      'Google Search Central, "Block search indexing with noindex" (a page that robots.txt blocks never shows its noindex) and "Build and submit a sitemap"',
    fix: 'For each pair in the evidence remove one of the two signals: list and link only pages that may be fetched and indexed.',
    needs: ['start', 'page', 'canonical', 'samplePages', 'robots', 'sitemaps'],
    judge: judgeConflicts,
  }),
];

function judgeNoAi({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const found = listPageDirectives(page, answer.headers).filter(({ name }) => name === 'noai' || name === 'noimageai');
  const [first] = found;
  if (!first) return verdict.notApplicable('Neither noai nor noimageai is on the page.');
  const names = [...new Set(found.map(({ name }) => name))].join(' and ');
  const place = first.from === 'header' ? { header: 'x-robots-tag' } : { selector: `meta[name="${first.agent}"]` };
  return verdict.pass(
    `The page says ${names}, which no AI search vendor documents to read.`,
    buildEvidence(exchange, {
      ...place,
      excerpt: first.name,
      ...(first.line === undefined ? {} : { line: first.line }),
    }),
  );
}

/** Language links of one page that are judged. */
const MAX_LINKS = 300;

type Fault = 'code' | 'relative' | 'double';
const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  code: 'a code that names no language',
  relative: 'a relative address',
  double: 'two addresses for one code',
};

function judgeHreflang({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const links = page.linkTags
    .filter(({ rels, hreflang }) => rels.includes('alternate') && hreflang !== '')
    .slice(0, MAX_LINKS);
  if (links.length === 0) return verdict.notApplicable('The page names no other language version.');
  const faults = links.flatMap((link) => {
    const fault = findHreflangFault(link, links);
    return fault ? [{ link, fault }] : [];
  });
  const names = new Set(listPageAddresses(page));
  const hasSelf = links.some(({ href }) => names.has(normaliseComparableUrl(href)));
  const evidence = (faults.length > 0 ? faults.map(({ link }) => link) : links.slice(0, 3)).map(
    ({ hreflang, rawHref, line }) =>
      buildEvidence(exchange, { selector: 'link[rel=alternate][hreflang]', line, excerpt: `${hreflang}: ${rawHref}` }),
  );
  const said = [
    ...new Set(faults.map(({ fault }) => FAULT_WORDS[fault])),
    ...(hasSelf ? [] : ['no link for the page itself']),
  ];
  const good = links.length - faults.length;
  if (said.length === 0)
    return verdict.pass(
      `All ${links.length} hreflang links name a language and an address as they should. Whether those pages link back was not checked.`,
      evidence,
    );
  const note = `${good} of ${links.length} hreflang links name a language and an address as they should: ${said.join('; ')}.`;
  if (good === 0) return verdict.fail(note, evidence);
  return verdict.partial(Math.round((1000 * good * (hasSelf ? 1 : 0.5)) / links.length) / 1000, note, evidence);
}

function findHreflangFault({ hreflang, rawHref, href }: LinkTag, links: readonly LinkTag[]): Fault | undefined {
  const code = hreflang.toLowerCase();
  if (code !== 'x-default' && (!isLanguageTag(hreflang) || findTagMistake(hreflang) !== undefined)) return 'code';
  if (!/^https?:\/\//i.test(rawHref.trim())) return 'relative';
  const other = links.find((link) => link.hreflang.toLowerCase() === code);
  return other !== undefined && normaliseComparableUrl(other.href) !== normaliseComparableUrl(href)
    ? 'double'
    : undefined;
}

type PageSignals = { exchange: Exchange; page: PageFacts; noindex: Directive | undefined };
type Conflict = { what: keyof typeof CONFLICT_WORDS; evidence: readonly CheckEvidence[] };

const CONFLICT_WORDS = {
  listed_noindex: 'in the sitemap and noindex',
  canonical_noindex: 'named as canonical and noindex',
  hidden_noindex: 'noindex, which robots.txt keeps from being seen',
  listed_blocked: 'in the sitemap and blocked by robots.txt',
} as const;

/** The crawler whose documentation describes these contradictions. */
const CRAWLER = 'Googlebot';
/** Addresses of the sitemap that are matched against robots.txt. */
const MAX_LISTED = 200;

function judgeConflicts(
  facts: FactsOf<'start' | 'page' | 'canonical' | 'samplePages' | 'robots' | 'sitemaps'>,
  site: Site,
): CheckOutcome {
  const pages = listPageSignals(facts, site.clockMs);
  const kinds = [
    facts.sitemaps.urls.length > 0,
    facts.robots.kind === 'file',
    pages.some(({ page }) => page.canonicals.length > 0),
    pages.some(({ noindex }) => noindex !== undefined),
  ].filter(Boolean).length;
  if (kinds < 2) return verdict.notApplicable('The site gives too few index signals to contradict each other.');
  const conflicts = [
    ...listListedNoindex(pages, facts.sitemaps),
    ...listCanonicalNoindex(pages),
    ...listHiddenNoindex(pages, facts.robots),
    ...listListedBlocked(facts, site),
  ];
  if (conflicts.length === 0)
    return verdict.pass(
      `${formatCount(pages.length, 'page')} that we read and the sitemap give no signals that contradict.`,
      buildEvidence(facts.start.exchange),
    );
  const words = [...new Set(conflicts.map(({ what }) => CONFLICT_WORDS[what]))].join('; ');
  return verdict.fail(
    `${formatCount(conflicts.length, 'contradiction')}: ${words}.`,
    conflicts.flatMap(({ evidence }) => evidence),
  );
}

function listPageSignals(
  {
    start,
    page,
    canonical,
    samplePages,
  }: FactsOf<'start' | 'page' | 'canonical' | 'samplePages' | 'robots' | 'sitemaps'>,
  clockMs: number,
): readonly PageSignals[] {
  const target = canonical === 'not_asked' ? [] : asPage(canonical);
  const all = [{ exchange: start.exchange, page }, ...samplePages, ...target];
  const byUrl = new Map(all.map((one) => [one.page.url, one]));
  return [...byUrl.values()].map((one) => {
    const { answer } = one.exchange;
    return { ...one, noindex: answer.ok ? findNoindex(one.page, answer.headers, clockMs) : undefined };
  });
}

function asPage(exchange: Exchange): readonly SamplePage[] {
  const { answer } = exchange;
  if (!answer.ok || answer.status !== 200 || !isHtmlAnswer(answer)) return [];
  return [{ exchange, page: getPageFacts(answer) }];
}

function buildNoindexEvidence({ exchange, noindex }: PageSignals): CheckEvidence {
  const place = noindex?.from === 'header' ? { header: 'x-robots-tag' } : { selector: 'meta[name=robots]' };
  return buildEvidence(exchange, {
    ...place,
    excerpt: noindex?.name ?? '',
    ...(noindex?.line === undefined ? {} : { line: noindex.line }),
  });
}

function listListedNoindex(pages: readonly PageSignals[], sitemaps: Sitemaps): readonly Conflict[] {
  const listed = new Set(sitemaps.urls.map(({ loc }) => normaliseComparableUrl(loc)));
  const file = findSitemapFile(sitemaps);
  return pages
    .filter(({ noindex, page }) => noindex !== undefined && listed.has(normaliseComparableUrl(page.url)))
    .map((one) => ({
      what: 'listed_noindex',
      evidence: [
        buildNoindexEvidence(one),
        ...(file ? [buildEvidence(file.exchange, { selector: 'loc', excerpt: one.page.url })] : []),
      ],
    }));
}

function listCanonicalNoindex(pages: readonly PageSignals[]): readonly Conflict[] {
  const closed = new Map(
    pages.filter(({ noindex }) => noindex !== undefined).map((one) => [normaliseComparableUrl(one.page.url), one]),
  );
  return pages.flatMap((one) => {
    const link = one.page.canonicals[0];
    const target = link && closed.get(normaliseComparableUrl(link.href));
    if (!link || !target || target.page.url === one.page.url) return [];
    const at = { selector: 'link[rel~=canonical]', line: link.line, excerpt: link.rawHref };
    return [{ what: 'canonical_noindex', evidence: [buildEvidence(one.exchange, at), buildNoindexEvidence(target)] }];
  });
}

function listHiddenNoindex(pages: readonly PageSignals[], robots: Robots): readonly Conflict[] {
  return pages
    .filter(({ noindex }) => noindex !== undefined)
    .flatMap((one) => {
      const blocked = findBlockingRule(robots, one.page.url);
      return blocked ? [{ what: 'hidden_noindex', evidence: [buildNoindexEvidence(one), blocked] }] : [];
    });
}

function listListedBlocked(
  { sitemaps, robots }: FactsOf<'start' | 'page' | 'canonical' | 'samplePages' | 'robots' | 'sitemaps'>,
  site: Site,
): readonly Conflict[] {
  if (robots.kind !== 'file') return [];
  const listed = sitemaps.urls.slice(0, computeMatchLimit(robots.file, MAX_LISTED));
  return listed.flatMap(({ loc }) => {
    if (!URL.canParse(loc) || new URL(loc).host !== site.start.host) return [];
    const blocked = findBlockingRule(robots, new URL(loc).href);
    const file = findSitemapFile(sitemaps);
    if (!blocked || !file) return [];
    return [
      { what: 'listed_blocked', evidence: [buildEvidence(file.exchange, { selector: 'loc', excerpt: loc }), blocked] },
    ];
  });
}

/** The rule of a robots.txt file that keeps the crawler from a page; undefined when none does. */
function findBlockingRule(robots: Robots, url: string): CheckEvidence | undefined {
  if (robots.kind !== 'file') return undefined;
  const decision = decideRobotsAccess(robots, CRAWLER, url);
  if (decision === 'unknown' || decision.allowed || !decision.rule) return undefined;
  return buildEvidence(robots.exchange, { line: decision.rule.line, excerpt: `Disallow: ${decision.rule.pattern}` });
}
