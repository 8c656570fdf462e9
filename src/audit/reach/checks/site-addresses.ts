import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { listLanguageLinks } from '../../page/facts/linked-pages.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import { type AddressFault, listCanonicalFaults } from '../facts/canonical-agreement.ts';
import { judgeLists } from '../facts/lists.ts';
import { listHtmlPages, type SamplePage } from '../facts/site-files.ts';
import { isSameOwner, listPageAddresses, normaliseComparableUrl } from '../facts/urls.ts';

/** Checks of what the addresses of several pages say of each other. */
export const siteAddressChecks = [
  defineCheck({
    id: 'aeo.index.hreflang-return',
    title: 'Language versions link back',
    failureTitle: 'Link back from each language version',
    weight: 1,
    grade: 'A',
    why: 'A language link counts only when its target links back; without that, readers of one language are shown the page of another. Checked are the pages that were read, and up to two versions of the start page: their language and their canonical link too.',
    source:
      'Google Search Central, "Tell Google about localized versions of your page": each version must list all others',
    fix: 'Let every language version list all versions, itself among them, with its own address as canonical and its language in html lang.',
    needs: ['start', 'page', 'samplePages', 'languageVersions'],
    judge: judgeReturnLinks,
  }),
  defineCheck({
    id: 'aeo.index.canonical-agree',
    title: 'Canonical links of the pages agree',
    failureTitle: 'Make the canonical links of the pages agree',
    weight: 1,
    grade: 'B',
    why: 'A page that names another page as its original is dropped from indexes in favour of that one. Compared are the canonical links of all pages that were read: pages of other content that name one original, chains, dead targets and links to two hosts.',
    source: 'RFC 6596, section 3; Google Search Central, "How to specify a canonical URL": common mistakes',
    fix: 'Let each page name its own address as canonical; only copies with the same content name another one.',
    needs: ['start', 'page', 'sample', 'samplePages'],
    judge: judgeCanonicals,
  }),
  defineCheck({
    id: 'aeo.index.pagination',
    title: 'Pages of a list have addresses of their own',
    failureTitle: 'Give each page of a list an address of its own',
    weight: 1,
    grade: 'B',
    why: 'Crawlers press no buttons: what a list shows only after "load more", or on pages that name page 1 as their original, is not found.',
    source: 'Google Search Central, "Pagination, incremental page loading, and their impact on Google Search"',
    fix: 'Link the next page of a list with <a href>, give each page of it an address and a canonical link of its own.',
    needs: ['start', 'page', 'samplePages', 'nextPage'],
    judge: ({ start, page, samplePages, nextPage }) =>
      judgeLists([{ exchange: start.exchange, page }, ...samplePages], nextPage),
  }),
];

/** Why the two ends of a language link do not agree. */
type ReturnFault = 'dead' | 'no_return' | 'canonical' | 'language';
const RETURN_WORDS: Readonly<Record<ReturnFault, string>> = {
  dead: 'the version is not there',
  no_return: 'the version does not link back',
  canonical: 'the version names another page as its original',
  language: 'the version is in another language than the link says',
};

function judgeReturnLinks(
  { start, page, samplePages, languageVersions }: FactsOf<'start' | 'page' | 'samplePages' | 'languageVersions'>,
  site: Site,
): CheckOutcome {
  const read = [{ exchange: start.exchange, page }, ...samplePages, ...listHtmlPages(languageVersions)];
  const byUrl = new Map(read.map((one) => [normaliseComparableUrl(one.page.url), one]));
  // A version that redirects is known by the address that was asked for, too.
  for (const one of read) byUrl.set(normaliseComparableUrl(one.exchange.url), one);
  const dead = new Map(languageVersions.filter(isDead).map((one) => [normaliseComparableUrl(one.url), one]));
  const links = [...new Set(byUrl.values())].flatMap((from) =>
    listLanguageLinks(from.page).map((link) => ({ from, link })),
  );
  if (links.length === 0) return verdict.notApplicable('No page that was read names a version in another language.');
  const judged = links.flatMap(({ from, link }) => {
    const key = normaliseComparableUrl(link.href);
    const target = byUrl.get(key);
    const fault = dead.has(key) ? 'dead' : target && findReturnFault(from.page, link, target.page);
    return target || fault ? [{ from, link, fault }] : [];
  });
  if (judged.length === 0) {
    return links.some(({ link }) => isSameOwner(new URL(link.href), site.start))
      ? verdict.unknown('None of the language versions could be read.', describeLink(links[0]))
      : verdict.notApplicable('The language versions are on sites of another owner.');
  }
  const faulty = judged.filter(({ fault }) => fault !== undefined);
  const words = [...new Set(faulty.flatMap(({ fault }) => (fault ? [RETURN_WORDS[fault]] : [])))];
  const good = judged.length - faulty.length;
  const note = `${good} of ${formatCount(judged.length, 'language link')} hold${words.length === 0 ? '' : `: ${words.join('; ')}`}.`;
  const evidence = (faulty.length > 0 ? faulty : judged).slice(0, 10).flatMap(describeLink);
  return verdict.byShare(good / judged.length, { passAt: 1, partialAt: 0.01 }, note, evidence);
}

const isDead = ({ answer }: Exchange): boolean => answer.ok && (answer.status === 404 || answer.status === 410);

function describeLink(one: { from: SamplePage; link: LinkTag } | undefined): readonly CheckEvidence[] {
  if (!one) return [];
  const { hreflang, rawHref, line } = one.link;
  const place = { selector: 'link[rel=alternate][hreflang]', line, excerpt: `${hreflang}: ${rawHref}` };
  return [buildEvidence(one.from.exchange, place)];
}

function findReturnFault(from: PageFacts, link: LinkTag, target: PageFacts): ReturnFault | undefined {
  const [canonical] = target.canonicals;
  if (canonical && normaliseComparableUrl(canonical.href) !== normaliseComparableUrl(target.url)) return 'canonical';
  const own = new Set(listPageAddresses(from));
  const returns = target.linkTags.some(
    ({ rels, hreflang, href }) =>
      rels.includes('alternate') && hreflang !== '' && own.has(normaliseComparableUrl(href)),
  );
  if (!returns) return 'no_return';
  const [said, is] = [getPrimaryTag(link.hreflang), getPrimaryTag(target.lang)];
  return is !== '' && said !== is ? 'language' : undefined;
}

const getPrimaryTag = (tag: string): string => tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? '';

const CANONICAL_WORDS: Readonly<Record<AddressFault['fault'], string>> = {
  other_content: 'a page names another one of other content as its original',
  shared: 'pages of other content name one original',
  chain: 'the original that is named names another one',
  dead: 'the original that is named is not there',
  host: 'canonical links name more than one host or scheme',
};

function judgeCanonicals(
  { start, page, sample, samplePages }: FactsOf<'start' | 'page' | 'sample' | 'samplePages'>,
  site: Site,
): CheckOutcome {
  const pages = [{ exchange: start.exchange, page }, ...samplePages];
  const { compared, faults } = listCanonicalFaults(pages, sample, site.local);
  if (compared < 2)
    return verdict.notApplicable('Fewer than two of the pages that were read name a canonical address.');
  const share = 1 - faults.length / compared;
  const words = [...new Set(faults.map(({ fault }) => CANONICAL_WORDS[fault]))];
  const note = `${compared - faults.length} of ${compared} canonical links agree with the other pages${words.length === 0 ? '' : `: ${words.join('; ')}`}.`;
  const evidence = faults
    .slice(0, 10)
    .map(({ at, link }) =>
      buildEvidence(at.exchange, { selector: 'link[rel~=canonical]', line: link.line, excerpt: link.rawHref }),
    );
  return verdict.byShare(
    share,
    { passAt: 1, partialAt: 0.01 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(start.exchange, { selector: 'link[rel~=canonical]' }),
  );
}
