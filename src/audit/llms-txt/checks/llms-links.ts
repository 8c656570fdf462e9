import { type CheckOutcome, defineCheck, formatCount, formatShare, verdict } from '../../core/check.ts';
import { type LlmsFile, type LlmsLinkState, MIN_PAGE_WORDS, toAbsoluteLink } from '../facts/llms-files.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { isOwnPlace, type OwnPlaces } from '../facts/own-places.ts';
import type { Site } from '../../core/site.ts';
import { type Llms, onLlms } from './llms-file.ts';
import { buildRequestEvidence } from '../../core/evidence.ts';

const LLMS_TXT = 'https://llmstxt.org/ (v2, August 2026)';
/** Links that evidence shows. */
const MAX_SHOWN = 10;

type AvailableLlmsFile = LlmsFile & { state: 'found' };

/** Puts the questions for the file and its links in front of a judge. */
const onLinks = (judge: (llms: AvailableLlmsFile) => CheckOutcome): (({ llms }: { llms: Llms }) => CheckOutcome) =>
  onLlms((llms) =>
    llms.file.links.length === 0
      ? verdict.notApplicable('llms.txt has no links in lists; see agent.llms.sections.')
      : judge(llms),
  );

export const llmsLinkChecks = [
  defineCheck({
    id: 'agent.llms.links-described',
    title: 'Links carry notes',
    failureTitle: 'Describe the links of llms.txt',
    weight: 1,
    grade: 'C',
    why: 'With a note an agent picks the right page without fetching the others.',
    source: `${LLMS_TXT}: a link may be followed by ":" and notes about the file`,
    fix: 'Add ": one line about the page" after every link; the meta descriptions are good drafts.',
    capabilities: ['check_llms_txt'],
    needs: ['llms'],
    judge: onLinks(judgeDescribed),
  }),
  defineCheck({
    id: 'agent.llms.links-resolve',
    title: 'Links resolve',
    failureTitle: 'Repair the broken links of llms.txt',
    weight: 2,
    grade: 'B',
    why: 'An index that leads to missing pages is worse than none: every dead link costs an agent a request and its trust.',
    source: 'Agent-Friendly Docs Spec 0.5.0, llms-txt-links-resolve',
    fix: 'Correct or remove the links shown.',
    capabilities: ['check_llms_txt'],
    needs: ['llms', 'llmsLinks'],
    judge: ({ llms, llmsLinks }) => onLinks(() => judgeResolve(llmsLinks))({ llms }),
  }),
  defineCheck({
    id: 'agent.llms.links-text',
    title: 'Links lead to text a model can read',
    failureTitle: 'Link llms.txt to pages that a model can read',
    weight: 1,
    grade: 'B',
    why: 'A link to Markdown or to server-rendered HTML can be read at once; an empty application shell or a binary file cannot.',
    source: 'Agent-Friendly Docs Spec 0.5.0, llms-txt-links-markdown',
    fix: 'Link the Markdown variants of the pages, or render the pages on the server.',
    capabilities: ['check_llms_txt'],
    needs: ['llms', 'llmsLinks'],
    judge: ({ llms, llmsLinks }) => onLinks(() => judgeReadable(llmsLinks))({ llms }),
  }),
  defineCheck({
    id: 'agent.llms.coverage',
    title: 'llms.txt covers the important pages',
    failureTitle: 'List the important pages in llms.txt',
    weight: 1,
    grade: 'B',
    why: 'What the navigation offers to people and the index leaves out, an agent that trusts the index never sees.',
    source: 'Agent-Friendly Docs Spec 0.5.0, llms-txt-coverage: 95% and 80% of documentation pages',
    fix: 'Add the pages shown to llms.txt, by their address or that of their Markdown variant.',
    capabilities: ['check_llms_txt'],
    needs: ['llms', 'page'],
    judge: ({ llms, page }, site) => onLlms((found) => judgeCoverage(found, page, site))({ llms }),
  }),
  defineCheck({
    id: 'agent.llms.same-site',
    title: 'Links stay on the site or declared hosts',
    failureTitle: 'Keep the links of llms.txt on your site',
    weight: 1,
    grade: 'C',
    why: 'Agents read what the file links to as the words of the site; links elsewhere hand that trust to others. Declared are the profiles in sameAs and the places that the start page links to, such as a booking host or a repository.',
    source: LLMS_TXT,
    fix: 'Link pages of your own domain, with absolute addresses, and move other links to the pages themselves.',
    capabilities: ['check_llms_txt'],
    needs: ['llms', 'ownPlaces'],
    judge: ({ llms, ownPlaces }) => onLinks((found) => judgeSameSite(found, ownPlaces))({ llms }),
  }),
];

function judgeDescribed({ exchange, file }: AvailableLlmsFile): CheckOutcome {
  const bare = file.links.filter((link) => link.note === '');
  const share = 1 - bare.length / file.links.length;
  const evidence = bare
    .slice(0, MAX_SHOWN)
    .map((link) => buildRequestEvidence(exchange, { line: link.line, excerpt: `[${link.name}](${link.href})` }));
  const note = `${formatShare(share)} of ${formatCount(file.links.length, 'link')} carry a note.`;
  return verdict.byShare(
    share,
    { passAt: 0.8, partialAt: 0.4 },
    note,
    bare.length === 0 ? buildRequestEvidence(exchange) : evidence,
  );
}

function judgeResolve(links: readonly LlmsLinkState[]): CheckOutcome {
  const broken = links.filter(({ state }) => state === 'broken');
  const judged = links.filter(({ state }) => state !== 'unknown');
  const unread = links.length - judged.length;
  const skipped = unread === 0 ? '' : ` ${formatCount(unread, 'link')} could not be read and count neither way.`;
  if (judged.length === 0)
    return verdict.unknown(
      `None of ${formatCount(links.length, 'sampled link')} could be read.`,
      links.slice(0, MAX_SHOWN).map(buildLinkEvidence),
    );
  const share = 1 - broken.length / judged.length;
  const note = `${judged.length - broken.length} of ${formatCount(judged.length, 'sampled link')} resolve.${skipped}`;
  return verdict.byShare(
    share,
    { passAt: 0.95, partialAt: 0.9 },
    note,
    (broken.length > 0 ? broken : judged).slice(0, MAX_SHOWN).map(buildLinkEvidence),
  );
}

const buildLinkEvidence = ({ exchange, why }: LlmsLinkState): ReturnType<typeof buildRequestEvidence> =>
  buildRequestEvidence(exchange, { excerpt: why });

function judgeReadable(links: readonly LlmsLinkState[]): CheckOutcome {
  const judged = links.filter(({ readable }) => readable !== null);
  if (judged.length === 0) {
    const unread = links.some(({ state }) => state === 'unknown');
    return unread
      ? verdict.unknown('No sampled link could be read.')
      : verdict.notApplicable('No sampled link resolves; see agent.llms.links-resolve.');
  }
  const poor = judged.filter(({ readable }) => readable === false);
  const share = 1 - poor.length / judged.length;
  const note = `${judged.length - poor.length} of ${formatCount(judged.length, 'sampled link')} lead to text, or to HTML with at least ${MIN_PAGE_WORDS} visible words.`;
  return verdict.byShare(
    share,
    { passAt: 0.95, partialAt: 0.5 },
    note,
    (poor.length > 0 ? poor : judged).slice(0, MAX_SHOWN).map(buildLinkEvidence),
  );
}

/** Shares of the navigation that must be in the file; documentation is held to more. */
const COVERAGE = { docs: { passAt: 0.95, partialAt: 0.8 }, other: { passAt: 0.8, partialAt: 0.5 } } as const;

function judgeCoverage({ exchange, url, file }: AvailableLlmsFile, page: PageFacts, site: Site): CheckOutcome {
  const listed = new Set(file.links.flatMap(({ href }) => buildPageKey(toAbsoluteLink(href, url))));
  const own = buildPageKey(new URL(page.url));
  const wanted = new Map<string, string>();
  for (const { region, href } of page.anchors) {
    const target = region === 'nav' ? toAbsoluteLink(href, page.url) : undefined;
    if (!target || target.host !== new URL(page.url).host) continue;
    for (const key of buildPageKey(target)) if (!own.includes(key)) wanted.set(key, target.href);
  }
  if (wanted.size === 0)
    return verdict.notApplicable('The navigation of the start page links to no other page of the site.');
  const missing = [...wanted].filter(([key]) => !listed.has(key));
  const share = 1 - missing.length / wanted.size;
  const note = `${wanted.size - missing.length} of ${formatCount(wanted.size, 'page')} of the navigation are in llms.txt.`;
  const evidence = missing
    .slice(0, MAX_SHOWN)
    .map(([, href]) => ({ url: page.url, selector: 'nav a[href]', excerpt: href.slice(0, 300) }));
  const bounds = site.profile.name === 'docs' ? COVERAGE.docs : COVERAGE.other;
  return verdict.byShare(share, bounds, note, evidence.length > 0 ? evidence : buildRequestEvidence(exchange));
}

/** One key for a page and its Markdown variants: `/guide`, `/guide/`, `/guide.html`, `/guide.md`, `/guide/index.html.md`. */
function buildPageKey(url: URL | undefined): readonly string[] {
  if (!url) return [];
  const path = url.pathname
    .replace(/\.mdx?$/iu, '')
    .replace(/\.html?$/iu, '')
    .replace(/\/index$/iu, '/')
    .replace(/(?<=.)\/$/u, '');
  return [`${url.host}${path}`];
}

function judgeSameSite({ exchange, url, file }: AvailableLlmsFile, places: OwnPlaces): CheckOutcome {
  const targets = file.links.map((link) => ({ link, target: toAbsoluteLink(link.href, url) }));
  const own = targets.filter(
    ({ target }) => target && (isOwnPlace(places, target) || isSameOwner(target, new URL(url))),
  );
  const foreign = targets.filter((entry) => !own.includes(entry));
  const share = own.length / targets.length;
  const note = `${own.length} of ${formatCount(targets.length, 'link')} stay on the site or on hosts that its start page or sameAs name.`;
  const evidence = foreign
    .slice(0, MAX_SHOWN)
    .map(({ link }) => buildRequestEvidence(exchange, { line: link.line, excerpt: link.href }));
  if (share >= 0.8) return verdict.pass(note, buildRequestEvidence(exchange));
  return share >= 0.5 ? verdict.partial(Math.round(share * 1000) / 1000, note, evidence) : verdict.fail(note, evidence);
}
