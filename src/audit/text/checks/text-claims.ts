import { GEO_PAPER } from './text-evidence.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { isLegalUrl, listAcronyms, listDefinitionSentences } from '../facts/definitions.ts';
import { listBrandNames } from '../../structured-data/facts/brand-names.ts';
import { listBareSuperlatives, listFirstHandSentences } from '../facts/claims.ts';
import { extractElementTexts } from '../facts/placeholders.ts';
import { getPageLanguage } from '../../page/facts/language.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { listNodesOfType } from '../../structured-data/facts/schema-nodes.ts';
import { extractContentStems } from '../../language/stems.ts';

const MIN_ACRONYMS = 2;
const EXPANDED_SHARE = { passAt: 0.7, partialAt: 0.35 };
const MIN_WORDS = 60;
const MIN_PRAISE_WORDS = 150;
const PRAISE_PER_500 = 2;
const SHOWN = 3;

/** Checks of what the text claims and whether a reader from outside can follow it. */
export const textClaimChecks = [
  defineCheck({
    id: 'geo.evidence.technical-terms',
    title: 'Acronyms are spelled out on first use',
    failureTitle: 'Spell out acronyms on first use',
    weight: 1,
    grade: 'B',
    why: 'Technical terms raised visibility from 19.3 to 22.7 in the controlled experiment, but an acronym that is nowhere spelled out can be matched to the wrong thing. Acronyms of three to five capitals are judged, without those that everybody knows: two letters are too often a country or a unit.',
    source: `${GEO_PAPER}: Technical Terms 22.7`,
    fix: 'Spell out each acronym shown where the text first uses it: "Model Context Protocol (MCP)".',
    each: 'share',
    needs: ['start', 'page', 'jsonLd', 'textEvidence'],
    judge: judgeAcronyms,
  }),
  defineCheck({
    id: 'geo.evidence.first-hand-data',
    title: 'Original data is described',
    failureTitle: 'Describe original data',
    weight: 1,
    grade: 'C',
    why: 'What only this page knows can only be cited from it: a test, a survey, a measurement of its own, with the number that came out.',
    source: 'agent-lighthouse 10.13; aeorank, original data; https://schema.org/Dataset',
    fix: 'Where you have measured or asked something yourself, say how, when, with how many, and what came out. Never invent it.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd', 'textEvidence'],
    judge: judgeFirstHand,
  }),
  defineCheck({
    id: 'geo.text.definitions',
    title: 'Key terms are defined',
    failureTitle: 'Define key terms',
    weight: 1,
    grade: 'C',
    why: 'Questions of the form "what is X" are answered with a sentence of the form "X is a ...". A page whose subject is nowhere defined offers none.',
    source: 'agent-lighthouse 9.4; aiseo-audit 1.6.2, definition patterns',
    fix: 'Begin the text below the h1 with one sentence that says what its subject is: "X is a ...".',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeDefinitions,
  }),
  defineCheck({
    id: 'geo.text.no-self-superlatives',
    title: 'Few unsupported superlatives',
    failureTitle: 'Support superlatives or drop them',
    weight: 0,
    grade: 'D',
    why: 'An authoritative tone made no significant difference in the controlled experiment. Reported for information, not scored.',
    source: `${GEO_PAPER}: Authoritative 21.3, not significant`,
    fix: 'Replace the words shown by a fact with its source, or leave them out.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgePraise,
  }),
];

function judgeAcronyms({
  start,
  page,
  jsonLd,
  textEvidence,
}: FactsOf<'start' | 'page' | 'textEvidence' | 'jsonLd'>): CheckOutcome {
  const names = [...listBrandNames(page, jsonLd).map(({ name }) => name), ...new URL(page.url).hostname.split('.')];
  const acronyms = listAcronyms(page, textEvidence.main, names);
  if (acronyms.length < MIN_ACRONYMS)
    return verdict.notApplicable(
      `${formatCount(acronyms.length, 'acronym')} that a reader may not know; two are needed to judge.`,
    );
  const bare = acronyms.filter(({ expanded }) => !expanded);
  const expanded = acronyms.length - bare.length;
  const note = `${expanded} of ${acronyms.length} acronyms are spelled out where they are first used.`;
  const evidence = (bare.length > 0 ? bare : acronyms)
    .slice(0, SHOWN)
    .map(({ acronym, excerpt }) => buildEvidence(start.exchange, { excerpt: `${acronym}: ${excerpt}` }));
  return verdict.byShare(expanded / acronyms.length, EXPANDED_SHARE, note, evidence);
}

function judgeFirstHand({
  start,
  page,
  jsonLd,
  textEvidence,
}: FactsOf<'start' | 'page' | 'textEvidence' | 'jsonLd'>): CheckOutcome {
  const { kind, main } = textEvidence;
  const [dataset] = listNodesOfType(jsonLd.graph, 'Dataset');
  const article = kind.kind === 'article' || listNodesOfType(jsonLd.graph, 'Article').length > 0;
  if (!article && !dataset) return verdict.notApplicable(`Not an article (${kind.kind}: ${kind.reason}).`);
  if (dataset)
    return verdict.pass('Structured data describes a Dataset.', buildEvidence(start.exchange, { line: dataset.line }));
  const found = listFirstHandSentences(main, getPageLanguage(page));
  if (found.length === 0)
    return verdict.fail(
      'No sentence says that the authors tested, measured or asked something, with a number.',
      buildEvidence(start.exchange, { selector: 'main text' }),
    );
  const evidence = found.slice(0, SHOWN).map((excerpt) => buildEvidence(start.exchange, { excerpt }));
  return verdict.pass(`${formatCount(found.length, 'sentence')} with own findings and a number.`, evidence);
}

const UNDEFINED_KINDS: ReadonlySet<string> = new Set(['checkout', 'login']);

function judgeDefinitions({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { kind, main } = textEvidence;
  if (UNDEFINED_KINDS.has(kind.kind))
    return verdict.notApplicable(`A ${kind.kind} page (${kind.reason}) defines nothing.`);
  if (isLegalUrl(page.url)) return verdict.notApplicable('A legal text, by its path.');
  if (main.words < MIN_WORDS) return verdict.notApplicable(`The main text has ${formatCount(main.words, 'word')}.`);
  const language = getPageLanguage(page);
  const inText = listDefinitionSentences(main, language);
  const marked = [
    ...page.definitions.filter(({ text }) => text !== '').map(({ term }) => term),
    ...extractElementTexts(start.answer.body, ['dfn']),
  ];
  if (inText === undefined && marked.length === 0)
    return verdict.notApplicable(`We do not know how the language of the page (${language}) defines a term.`);
  const subjects = [...(inText ?? []).map(({ subject }) => subject), ...marked];
  const topic = new Set(extractContentStems([...page.titles.slice(0, 1), ...listHeadlines(page)].join(' ')));
  const about = subjects.find((subject) => extractContentStems(subject).some((stem) => topic.has(stem)));
  const sentence = inText?.find(({ subject }) => subject === (about ?? subjects[0]))?.sentence;
  const evidence = buildEvidence(start.exchange, { excerpt: sentence ?? about ?? subjects[0] ?? 'main text' });
  const note = `${formatCount(subjects.length, 'definition')}.`;
  if (about !== undefined) return verdict.pass(`${note} One is of a word of the title or h1.`, evidence);
  if (subjects.length > 0) return verdict.partial(0.5, `${note} None is of a word of the title or h1.`, evidence);
  return verdict.fail('No sentence "X is a ...", description list or dfn element.', buildEvidence(start.exchange));
}

const listHeadlines = (page: PageFacts): readonly string[] =>
  page.headings.filter(({ level, hidden }) => level === 1 && hidden === undefined).map(({ text }) => text);

function judgePraise({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { main, sources } = textEvidence;
  if (main.words < MIN_PRAISE_WORDS)
    return verdict.notApplicable(`The main text has ${formatCount(main.words, 'word')}.`);
  const found = listBareSuperlatives(main, sources, getPageLanguage(page));
  const allowed = Math.max(PRAISE_PER_500, Math.floor((PRAISE_PER_500 * main.words) / 500));
  const note = `${formatCount(found.length, 'superlative')} without a source nearby in ${main.words} words; ${allowed} would be few.`;
  const shown = [...new Set(found)].slice(0, SHOWN).map((excerpt) => buildEvidence(start.exchange, { excerpt }));
  const evidence = shown.length > 0 ? shown : buildEvidence(start.exchange);
  return found.length <= allowed ? verdict.pass(note, evidence) : verdict.fail(note, evidence);
}
