import { decodePercentOrKeep } from '../../../lib/percent.ts';
import { isContent } from '../../text/facts/content.ts';
import type { Heading, PageFacts } from '../facts/page-facts.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { getSentenceLines, type MainText } from '../../text/facts/sample-text.ts';
import { computeOverlap, extractContentStems } from '../../language/stems.ts';

const MIN_OVERLAP = 0.3;
const MIN_HEADINGS = 2;
const LINKABLE_SHARE = { passAt: 0.6, partialAt: Number.MIN_VALUE };
const MIN_WORDS = 60;
const QUOTED = 3;
/** A longer sentence is quoted in part. */
const MAX_SENTENCE_CHARS = 300;
const SHOWN = 3;

/** Checks of whether a citation can name the page and point into it. */
export const pageCiteChecks = [
  defineCheck({
    id: 'geo.parity.title-h1',
    title: 'Title and h1 agree',
    failureTitle: 'Make title and h1 agree',
    weight: 1,
    grade: 'C',
    why: 'The title is what a citation shows and the h1 what the reader meets: when they name different things, one of them misleads. Words are compared by their stems, the brand in the title left aside.',
    source:
      'https://developers.google.com/search/docs/appearance/title-link: the main heading is a source of the title shown',
    fix: 'Let the title and the h1 name the same thing; the brand may follow in the title.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeTitle,
  }),
  defineCheck({
    id: 'geo.cite.addressable',
    title: 'Sections can be linked',
    failureTitle: 'Give sections an id to link to',
    weight: 1,
    grade: 'C',
    why: 'An id on a heading, or on the section it opens, lets a citation lead to the passage and not to the top of the page.',
    source:
      'https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element; aeorank, citation anchors',
    fix: 'Give each h2 and h3 an id of its own, made from its words.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeAddressable,
  }),
  defineCheck({
    id: 'geo.cite.text-fragment-safe',
    title: 'Text fragments can match',
    failureTitle: 'Remove the header that stops links to quoted text',
    weight: 0,
    grade: 'C',
    why: 'Assistants link the sentence they quote with #:~:text=. The link works when the sentence occurs once, in one block, and the site does not force every visit to the top. Hidden nodes inside a sentence do no harm: the specification skips them. Reported, not scored.',
    source:
      'WICG, URL Fragment Text Directives, https://wicg.github.io/scroll-to-text-fragment/ (finding ranges; Document-Policy: force-load-at-top)',
    fix: 'Remove force-load-at-top from the Document-Policy header.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeFragments,
  }),
];

function judgeTitle({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const title = (page.titles[0] ?? '').trim();
  const headlines = page.headings.filter(
    ({ level, hidden, text }) => level === 1 && hidden === undefined && text !== '',
  );
  if (title === '' || headlines.length === 0)
    return verdict.notApplicable(`The page has no ${title === '' ? 'title' : 'visible h1'}, which other checks judge.`);
  const parts = [title, ...title.split(/\s[|–—·•:-]\s|\s?\|\s?|:\s/)];
  const best = Math.max(...headlines.slice(0, SHOWN).map(({ text }) => computeAgreement(parts, text)));
  const evidence = [
    buildEvidence(start.exchange, { selector: 'title', excerpt: title }),
    ...headlines
      .slice(0, 1)
      .map(({ text, line }) => buildEvidence(start.exchange, { selector: 'h1', line, excerpt: text })),
  ];
  const note = `Title and h1 share ${Math.round(best * 100)}% of their words.`;
  if (best >= MIN_OVERLAP) return verdict.pass(note, evidence);
  return best > 0 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** 1 when one holds all words of the other; a title's parts are compared by themselves, since one of them is the brand. */
function computeAgreement(parts: readonly string[], headline: string): number {
  const wanted = extractContentStems(headline);
  return Math.max(
    ...parts.map((part) => {
      const said = extractContentStems(part);
      if (said.length === 0 || wanted.length === 0) return part.trim().toLowerCase() === headline.toLowerCase() ? 1 : 0;
      const contains = wanted.every((stem) => said.includes(stem)) || said.every((stem) => wanted.includes(stem));
      return contains ? 1 : computeOverlap(said, wanted);
    }),
  );
}

function judgeAddressable({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const { headings, linkable } = findAddressableHeadings(page);
  if (headings.length < MIN_HEADINGS)
    return verdict.notApplicable(`${formatCount(headings.length, 'heading')} of level 2 or 3.`);
  const without = headings.filter((heading) => !linkable.includes(heading));
  const note = `${linkable.length} of ${headings.length} headings can be linked by an id of their own.`;
  const evidence = (without.length > 0 ? without : linkable)
    .slice(0, SHOWN)
    .map(({ level, line, text }) => buildEvidence(start.exchange, { selector: `h${level}`, line, excerpt: text }));
  return verdict.byShare(linkable.length / headings.length, LINKABLE_SHARE, note, evidence);
}

/** Headings of the second and third level of the main content, and which of them an address can point at. */
type Addressable = { headings: readonly Heading[]; linkable: readonly Heading[] };

/**
 * A heading can be linked when it, or the section it opens, has an id that no other element has, or when a link beside it
 * or in a table of contents points at an id of the page (`<h2>Setup <a href="#setup" id="setup">`).
 */
function findAddressableHeadings(page: PageFacts): Addressable {
  const headings = page.headings.filter(
    (heading) => (heading.level === 2 || heading.level === 3) && heading.text !== '' && isContent(page, heading),
  );
  const twice = new Set(page.duplicateIds);
  const ids = new Set(page.ids);
  const isUnique = (id: string): boolean => id !== '' && !twice.has(id);
  const jumps = page.anchors.filter(
    ({ rawHref }) => rawHref.startsWith('#') && ids.has(decodeFragment(rawHref)) && isUnique(decodeFragment(rawHref)),
  );
  const lines = new Set(jumps.map(({ line }) => line));
  const texts = new Set(jumps.map(({ text }) => text.toLowerCase()));
  const linkable = headings.filter(
    ({ id, sectionId, line, text }) =>
      isUnique(id) || isUnique(sectionId) || lines.has(line) || texts.has(text.toLowerCase()),
  );
  return { headings, linkable };
}

const decodeFragment = (href: string): string => decodePercentOrKeep(href.slice(1));

function judgeFragments({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { main } = textEvidence;
  if (main.words < MIN_WORDS) return verdict.notApplicable(`The main text has ${formatCount(main.words, 'word')}.`);
  const policy = start.answer.headers['document-policy'] ?? '';
  if (isForcedToTop(policy))
    return verdict.fail(
      'The Document-Policy header forces every visit to the top.',
      buildEvidence(start.exchange, { header: `document-policy: ${policy.slice(0, 200)}` }),
    );
  const quoted = selectLongestSentences(main);
  if (quoted.length === 0) return verdict.notApplicable('No sentence to quote.');
  const matching = quoted.filter((sentence) => isFoundOnce(page.text, sentence));
  const note = `${matching.length} of the ${formatCount(quoted.length, 'longest sentence')} occur once and whole in the text; no policy forces the top.`;
  const evidence = quoted.map((excerpt) => buildEvidence(start.exchange, { excerpt }));
  return matching.length === quoted.length
    ? verdict.pass(note, evidence)
    : verdict.partial(matching.length / quoted.length, note, evidence);
}

/** `force-load-at-top` is a boolean of a structured field: `=?0` switches it off (RFC 9651). */
const isForcedToTop = (policy: string): boolean =>
  policy.split(',').some((entry) => /^\s?force-load-at-top(?:=\?1)?(?:;|\s?$)/i.test(entry));

function selectLongestSentences(main: MainText): readonly string[] {
  return getSentenceLines(main)
    .flatMap(({ sentences }) => sentences)
    .filter((sentence) => /[.!?。！？]["'”’)]?$/u.test(sentence) && sentence.length <= MAX_SENTENCE_CHARS)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, QUOTED);
}

function isFoundOnce(text: string, sentence: string): boolean {
  const at = text.indexOf(sentence);
  return at !== -1 && text.indexOf(sentence, at + 1) === -1;
}
