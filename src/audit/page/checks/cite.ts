import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findAddressableHeadings } from '../facts/addressable.ts';
import { type MainText, getSentenceLines } from '../../text/facts/sample-text.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import { computeOverlap, extractContentStems } from '../../language/stems.ts';
import type { TextEvidence } from '../../text/facts/text-evidence.ts';
import { formatCount } from '../../core/wording.ts';

const MIN_OVERLAP = 0.3;
const MIN_HEADINGS = 2;
const LINKABLE_SHARE = { passAt: 0.6, partialAt: Number.MIN_VALUE };
const MIN_WORDS = 60;
const QUOTED = 3;
/** A longer sentence is quoted in part. */
const MAX_SENTENCE_CHARS = 300;
const SHOWN = 3;

type Facts = { start: ExchangeWithAnswer; page: PageFacts };

/** Checks of whether a citation can name the page and point into it. */
export const pageCiteChecks = [
  defineCheck({
    id: 'geo.parity.title-h1',
    title: 'Title and h1 agree',
    weight: 1,
    grade: 'C',
    why: 'The title is what a citation shows and the h1 what the reader meets: when they name different things, one of them misleads. Words are compared by their stems, the brand in the title left aside.',
    source:
      'https://developers.google.com/search/docs/appearance/title-link: the main heading is a source of the title shown',
    fix: 'Let the title and the h1 name the same thing; the brand may follow in the title.',
    needs: ['start', 'page'],
    judge: judgeTitle,
  }),
  defineCheck({
    id: 'geo.cite.addressable',
    title: 'Sections can be linked',
    weight: 1,
    grade: 'C',
    why: 'An id on a heading, or on the section it opens, lets a citation lead to the passage and not to the top of the page.',
    source:
      'https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element; aeorank, citation anchors',
    fix: 'Give each h2 and h3 an id of its own, made from its words.',
    needs: ['start', 'page'],
    judge: judgeAddressable,
  }),
  defineCheck({
    id: 'geo.cite.text-fragment-safe',
    title: 'Text fragments can match',
    weight: 0,
    grade: 'C',
    why: 'Assistants link the sentence they quote with #:~:text=. The link works when the sentence stands once, in one block, and the site does not force every visit to the top. Hidden nodes inside a sentence do no harm: the specification skips them. Reported, not scored.',
    source:
      'WICG, URL Fragment Text Directives, https://wicg.github.io/scroll-to-text-fragment/ (finding ranges; Document-Policy: force-load-at-top)',
    fix: 'Remove force-load-at-top from the Document-Policy header.',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeFragments,
  }),
] as const;

function judgeTitle({ start, page }: Facts): CheckOutcome {
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

function judgeAddressable({ start, page }: Facts): CheckOutcome {
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

function judgeFragments({ start, page, textEvidence }: Facts & { textEvidence: TextEvidence }): CheckOutcome {
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
  const matching = quoted.filter((sentence) => isUnique(page.text, sentence));
  const note = `${matching.length} of the ${formatCount(quoted.length, 'longest sentence')} stand once and whole in the text; no policy forces the top.`;
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

function isUnique(text: string, sentence: string): boolean {
  const at = text.indexOf(sentence);
  return at !== -1 && text.indexOf(sentence, at + 1) === -1;
}
