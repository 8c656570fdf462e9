import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import type { Site } from '../../core/site.ts';
import { buildEvidence } from '../../core/evidence.ts';
import {
  classifyCitationLink,
  isPrimarySource,
  selectCitationsToRead,
  type LinkVerdict,
} from '../facts/cited-sources.ts';
import { PRIMARY_SOURCES_DATE } from '../facts/primary-sources-data.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** The experiment behind several checks of the text. */
export const GEO_PAPER =
  'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024, https://arxiv.org/abs/2311.09735, Table 1 (position-adjusted word count, baseline 19.3)';

/** Shorter texts show no habit of citing. */
const MIN_WORDS = 150;
/** Statistics and sources that are enough: one for so many words, and no more than three. */
const WORDS_PER_PROOF = 300;
const ENOUGH_PROOFS = 3;
/** Kinds of page without prose that has to prove something. */
const UNPROVEN_KINDS: ReadonlySet<string> = new Set([
  'product',
  'checkout',
  'login',
  'contact',
  'docs',
  'listing',
  'forum',
]);
const MAX_PAIR_SHARE = { pass: 0.03, partial: 0.05 };
/** A name has no synonym: texts about one thing or person say it as often. */
const MAX_NAME_SHARE = { pass: 0.05, partial: 0.08 };
const SHOWN = 3;

const RESOLVING = { passAt: 1, partialAt: 0.5 };

/** Checks of what the page rests on. */
export const textEvidenceChecks = [
  defineCheck({
    id: 'geo.evidence.statistics',
    title: 'Claims carry numbers with units',
    failureTitle: 'Support claims with numbers and units',
    weight: 5,
    grade: 'A',
    why: 'Adding statistics raised the visibility of a source in generated answers from 19.3 to 25.2 in the controlled experiment.',
    source: `${GEO_PAPER}: Statistics Addition 25.2`,
    fix: 'Support the main claims with two or three measured figures, each with its unit and its source. Use figures you have; never invent them.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: onProse(judgeStatistics),
  }),
  defineCheck({
    id: 'geo.evidence.quotations',
    title: 'Named quotations are present',
    failureTitle: 'Quote named people',
    weight: 5,
    grade: 'A',
    why: 'Adding quotations raised visibility from 19.3 to 27.2, the best of the nine methods that the experiment compared.',
    source: `${GEO_PAPER}: Quotation Addition 27.2`,
    fix: 'Quote one person or document that knows the subject, in a blockquote, with the name in a cite element beside it.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: onProse(judgeQuotations),
  }),
  defineCheck({
    id: 'geo.evidence.cited-sources',
    title: 'External sources are cited in the body',
    failureTitle: 'Cite external sources',
    weight: 5,
    grade: 'A',
    why: 'Citing sources raised visibility from 19.3 to 24.6, and more than doubled it for sources that ranked fifth.',
    source: `${GEO_PAPER}: Cite Sources 24.6, and its analysis by rank`,
    fix: 'Link each figure and each claim of others to where it comes from, in the sentence itself: about one source per 300 words.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: onProse(judgeSources),
  }),
  defineCheck({
    id: 'geo.evidence.no-keyword-stuffing',
    title: 'No keyword stuffing',
    failureTitle: 'Remove repeated keywords',
    weight: 2,
    grade: 'A',
    why: 'Keyword stuffing lowered visibility from 19.3 to 17.7: it is the one method of the experiment that did harm.',
    source: `${GEO_PAPER}: Keyword Stuffing 17.7`,
    fix: 'Write the repeated phrase shown less often: use pronouns, synonyms, or say something new instead. Remove lists of keywords that people do not see.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: judgeStuffing,
  }),
  defineCheck({
    id: 'geo.evidence.number-source-adjacent',
    title: 'Figures stand next to their source',
    failureTitle: 'Put the source beside each figure',
    weight: 2,
    grade: 'B',
    why: 'A passage is lifted out alone: a figure whose source is elsewhere on the page arrives in the answer without it.',
    source: `${GEO_PAPER}, and its section on combining methods`,
    fix: 'Move the link, or the words "according to" and the name, into the sentence that states the figure.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: onProse(judgeAdjacency),
  }),
  defineCheck({
    id: 'geo.evidence.authoritative-domains',
    title: 'A primary source is among those cited',
    failureTitle: 'Cite a primary source',
    weight: 1,
    grade: 'C',
    why: 'Citing sources helped in the controlled experiment; that they are authorities is common sense, not measured (an authoritative tone made no significant difference). Encyclopaedias are no primary sources.',
    source: `Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024, https://arxiv.org/abs/2311.09735, Table 1: Authoritative 21.3, not significant; list of domains of ${PRIMARY_SOURCES_DATE}`,
    fix: 'Link the law, standard, study or statistic itself beside, or instead of, what others wrote about it.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: judgeAuthority,
  }),
  defineCheck({
    id: 'geo.evidence.links-resolve',
    title: 'Cited sources resolve',
    failureTitle: 'Repair the broken links to cited sources',
    weight: 1,
    grade: 'B',
    why: 'A source that no one can open any more proves nothing. The first five links are tried, two of one site at most; a refusal of our request is not counted against them.',
    source: 'RFC 9110, sections 15.5.5 and 15.5.11 (404 and 410), https://www.rfc-editor.org/rfc/rfc9110',
    fix: 'Replace the dead links shown by the present address of the document, an archived copy or another source.',
    needs: ['start', 'textEvidence', 'citations'],
    judge: judgeLinks,
  }),
];

type Judge = (facts: FactsOf<'start' | 'textEvidence'>) => CheckOutcome;

function onEnoughText(judge: Judge): Judge {
  return (facts) => {
    const { words } = facts.textEvidence.main;
    return words < MIN_WORDS
      ? verdict.notApplicable(
          `The main text has ${formatCount(words, 'word')}; under ${MIN_WORDS} there is too little to judge.`,
        )
      : judge(facts);
  };
}

/** Asks for proof only where a page has prose that claims something. */
function onProse(judge: Judge): Judge {
  const onText = onEnoughText(judge);
  return (facts) => {
    const { kind, reason } = facts.textEvidence.kind;
    const isUnproven = UNPROVEN_KINDS.has(kind) || (kind === 'home' && !facts.textEvidence.prose);
    return isUnproven
      ? verdict.notApplicable(`A ${kind} page (${reason}) has no prose that needs proof.`)
      : onText(facts);
  };
}

/** How many proofs are enough for so many words: at least one. */
const computeRequiredCount = (words: number): number =>
  Math.min(ENOUGH_PROOFS, Math.max(1, Math.floor(words / WORDS_PER_PROOF)));

function judgeStatistics({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { statistics, main } = textEvidence;
  const note = `${formatCount(statistics.length, 'number')} that measure or count in ${main.words} words of main text.`;
  const evidence = statistics
    .slice(0, SHOWN)
    .map((statistic) => buildEvidence(start.exchange, { excerpt: statistic.text }));
  if (statistics.length === 0) return verdict.fail(note, buildEvidence(start.exchange, { selector: 'main text' }));
  const required = computeRequiredCount(main.words);
  return statistics.length >= required
    ? verdict.pass(note, evidence)
    : verdict.partial(0.5, `${note} ${required} are enough.`, evidence);
}

function judgeQuotations({ start, textEvidence: { quotations } }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const attributed = quotations.filter((quotation) => quotation.attributed);
  const evidence = (attributed.length > 0 ? attributed : quotations)
    .slice(0, SHOWN)
    .map((quotation) => buildEvidence(start.exchange, { excerpt: quotation.text }));
  if (attributed.length > 0)
    return verdict.pass(`${formatCount(attributed.length, 'quotation')} with a name.`, evidence);
  if (quotations.length > 0)
    return verdict.fail(`${formatCount(quotations.length, 'quotation')}, none with a name near it.`, evidence);
  return verdict.fail(
    'No quotation of a sentence or of eight words.',
    buildEvidence(start.exchange, { selector: 'blockquote, q, quotation marks' }),
  );
}

function judgeSources({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { sources, main } = textEvidence;
  const note = `${formatCount(sources.length, 'external source')} linked in ${main.words} words of main text.`;
  const evidence = sources
    .slice(0, SHOWN)
    .map(({ href, line }) => buildEvidence(start.exchange, { line, excerpt: href }));
  if (sources.length === 0)
    return verdict.fail(note, buildEvidence(start.exchange, { selector: 'main p a[href], main li a[href]' }));
  const required = computeRequiredCount(main.words);
  return sources.length >= required
    ? verdict.pass(note, evidence)
    : verdict.partial(0.5, `${note} ${required} are enough.`, evidence);
}

function judgeStuffing(facts: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { hiddenKeywords } = facts.textEvidence;
  if (hiddenKeywords.length === 0) return onEnoughText(judgeRepetition)(facts);
  const evidence = hiddenKeywords
    .slice(0, SHOWN)
    .map(({ text, tag, how, line }) =>
      buildEvidence(facts.start.exchange, { selector: `${tag} (${how})`, line, excerpt: text }),
    );
  return verdict.fail(`${formatCount(hiddenKeywords.length, 'list')} of keywords in hidden text.`, evidence);
}

function judgeRepetition({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { repeated } = textEvidence;
  if (!repeated)
    return verdict.pass('No pair of content words occurs twice in the main text.', buildEvidence(start.exchange));
  const note = `The most repeated pair of words makes up ${formatShare(repeated.share)} of the main text (${repeated.count} times).`;
  const evidence = buildEvidence(start.exchange, { excerpt: repeated.pair });
  const most = repeated.name ? MAX_NAME_SHARE : MAX_PAIR_SHARE;
  if (repeated.share <= most.pass) return verdict.pass(note, evidence);
  return repeated.share <= most.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeAdjacency({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { statistics } = textEvidence;
  if (statistics.length < 2) return verdict.notApplicable('Fewer than two numbers that measure or count.');
  const bare = statistics.filter((statistic) => !statistic.sourced);
  const share = 1 - bare.length / statistics.length;
  const note = `${statistics.length - bare.length} of ${statistics.length} figures are in a block with a link or a named source.`;
  const evidence = bare.slice(0, SHOWN).map((statistic) => buildEvidence(start.exchange, { excerpt: statistic.text }));
  return verdict.byShare(
    share,
    { passAt: 0.5, partialAt: 0.2 },
    note,
    evidence.length > 0 ? evidence : buildEvidence(start.exchange),
  );
}

const NO_CITATION = 'The main text cites no external source; see geo.evidence.cited-sources.';

function judgeAuthority({ start, textEvidence: { sources } }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  if (sources.length === 0) return verdict.notApplicable(NO_CITATION);
  const primary = sources.filter(({ href }) => isPrimarySource(href));
  const domains = new Set(sources.map(({ domain }) => domain)).size;
  const note = `${formatCount(primary.length, 'link')} of ${sources.length} (on ${formatCount(domains, 'domain')}) lead to primary sources.`;
  const evidence = (primary.length > 0 ? primary : sources)
    .slice(0, SHOWN)
    .map(({ href, line }) => buildEvidence(start.exchange, { line, excerpt: href }));
  return primary.length > 0 ? verdict.pass(note, evidence) : verdict.fail(note, evidence);
}

function judgeLinks(
  { start, textEvidence, citations }: FactsOf<'start' | 'textEvidence' | 'citations'>,
  site: Site,
): CheckOutcome {
  if (textEvidence.sources.length === 0) return verdict.notApplicable(NO_CITATION);
  if (site.local) return verdict.notApplicable('Links of a site on a private host are not followed.');
  const wanted = selectCitationsToRead(textEvidence.sources).length;
  if (citations.length === 0)
    return verdict.unknown(
      'The cited links were not asked: the budget of requests was used up.',
      buildEvidence(start.exchange),
    );
  const judged = citations.map((exchange) => ({ exchange, link: classifyCitationLink(exchange) }));
  const of = (link: LinkVerdict): readonly Exchange[] =>
    judged.filter((one) => one.link === link).map(({ exchange }) => exchange);
  const [resolving, dead, unclear] = [of('resolves'), of('dead'), of('unknown')];
  const evidence = [...dead, ...unclear, ...resolving].map((exchange) =>
    buildEvidence(exchange, { selector: 'main a[href]' }),
  );
  const aside = unclear.length === 0 ? '' : ` ${unclear.length} gave us no answer to judge.`;
  const note = `${resolving.length} of ${formatCount(wanted, 'cited link')} resolve, ${dead.length} are dead.${aside}`;
  const checked = resolving.length + dead.length;
  return checked === 0
    ? verdict.unknown(note, evidence)
    : verdict.byShare(resolving.length / checked, RESOLVING, note, evidence);
}
