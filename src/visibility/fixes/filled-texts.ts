import { escapeMarkdownText } from '../../lib/safe-text.ts';
import { isSlot } from '../../lib/slots.ts';
import { capitalise } from '../../lib/text.ts';
import type { FaqEntry } from './faq-json-ld.ts';
import {
  CALLER,
  type KnownPage,
  type KnownQuestion,
  type KnownSentence,
  type KnownWords,
  type Statement,
} from './known-words.ts';
import { fill, listSlotKeys, type Names, type TopicKind } from './template.ts';
import { createFitTest, type FitTest } from './topic-kind.ts';

/** The three texts of a fix in which a sentence may be. */
export type FixPlace = 'passage' | 'faq_json_ld' | 'llms_txt_section';

/** A sentence that was filled in, as it reads, with its source; of one that still has slots, that of what is filled in. */
export type FilledSentence = { text: string; place: FixPlace; source: string };

export type FilledTexts = {
  passage: string;
  faq: readonly FaqEntry[];
  section: string;
  sentences: readonly FilledSentence[];
  /** What the templates ask for and nothing is known of, also where the sentence that asks was left out. */
  missing: readonly string[];
};

/** Sentences of the site in one passage, questions of it in one FAQ, and pages of it in one section. */
const MAX_PASSAGE_SENTENCES = 6;
const MAX_OWN_QUESTIONS = 4;
const MAX_QUESTIONS = 6;
const MAX_PAGES = 5;

/** The share of a text that slots may take once some of it is filled: what is beyond is left out. */
const MAX_OPEN_SHARE = 0.25;

type Topic = { kind: TopicKind; text: string; names: { plain: Names; markdown: Names } };

/** The texts of a topic from what is known; undefined when nothing is, and all of it would be slots. */
export function fillTopicTexts(topic: Topic, known: KnownWords): FilledTexts | undefined {
  const fits = createFitTest(topic.text, topic.kind);
  const passage = fillPassage(topic, known, fits);
  const faq = fillQuestions(topic, known, fits);
  const section = fillSection(topic, known, fits);
  const filled = [passage, faq, section];
  if (filled.every(({ sentences }) => sentences.length === 0)) return undefined;
  const sentences = filled.flatMap((one) => [...one.sentences, ...one.partial]);
  const asked = [...topic.kind.passage, ...topic.kind.questions.map(({ answer }) => answer)].flatMap(listSlotKeys);
  const missing = [...new Set(asked)].filter((slot) => !known.values.has(slot));
  return { passage: passage.text, faq: faq.entries, section: section.text, sentences, missing };
}

const findValue =
  ({ values }: KnownWords, write: (text: string) => string = (text) => text) =>
  (slot: string): string | undefined => {
    const value = values.get(slot);
    return value === undefined ? undefined : write(value.text);
  };

const escapeWhole = (text: string): string => escapeMarkdownText(text, text.length);
/** Within a sentence, where no number begins a list. */
const escapeInline = (text: string): string => escapeMarkdownText(`a${text}`, text.length + 1).slice(1);

/** Sentences of a template: it is ours, so that a full stop and a space part them. */
const splitTemplate = (template: string): readonly string[] => template.split(/(?<=[.”])\s(?=[“{A-Z])/u);

/** The sources of a sentence of a template, if all that it asks for is known. */
function findSources(template: string, { values }: KnownWords): readonly string[] | undefined {
  const slots = listSlotKeys(template);
  const found = slots.flatMap((slot) => values.get(slot)?.source ?? []);
  return slots.length > 0 && found.length === slots.length ? [...new Set(found)] : undefined;
}

/** Where the values come from that a template has and is not whole with. */
const listPartialSources = (template: string, { values }: KnownWords): readonly string[] => [
  ...new Set(listSlotKeys(template).flatMap((slot) => values.get(slot)?.source ?? [])),
];

/** Where several values of one sentence come from, the sources follow each other. */
const toSentence = (text: string, place: FixPlace, sources: readonly string[]): FilledSentence => ({
  text,
  place,
  source: sources.join(' '),
});

function fillPassage({ kind, names }: Topic, known: KnownWords, fits: FitTest) {
  const own = selectSentences(known, fits);
  const templates = kind.passage.flatMap(splitTemplate);
  const filled = templates.flatMap((template) => {
    const sources = findSources(template, known);
    if (sources === undefined) return [];
    const markdown = fill(template, names.markdown, findValue(known, escapeInline));
    return [{ markdown, sentence: toSentence(fill(template, names.plain, findValue(known)), 'passage', sources) }];
  });
  const open = templates
    .filter((template) => findSources(template, known) === undefined && listSlotKeys(template).length > 0)
    .map((template) => ({
      text: fill(template, names.markdown, findValue(known, escapeInline)),
      plain: fill(template, names.plain, findValue(known)),
      sources: listPartialSources(template, known),
    }));
  const stated = listUnusedFacts(known, templates);
  const lead = own.filter((sentence) => sentence.lead);
  const rest = own.filter((sentence) => !sentence.lead);
  const paragraphs = [
    lead.map(({ text }) => escapeWhole(text)).join(' '),
    rest.map(({ text }) => escapeWhole(text)).join(' '),
    filled.map(({ markdown }) => markdown).join(' '),
    stated.map((text) => escapeWhole(text)).join(' '),
  ].filter((text) => text !== '');
  const heading = `## ${fill(kind.heading, names.markdown)}`;
  const kept = selectOpen(open, [heading, ...paragraphs].join('\n\n'));
  return {
    text: [heading, ...paragraphs, ...(kept.length === 0 ? [] : [kept.map(({ text }) => text).join(' ')])].join('\n\n'),
    partial: listPartial(kept, 'passage'),
    sentences: [
      ...own.map(({ text, source }) => toSentence(text, 'passage', [source])),
      ...filled.map(({ sentence }) => sentence),
      ...stated.map((text) => toSentence(text, 'passage', [CALLER])),
    ],
  };
}

/** Facts of the caller whose sentence asks for more than is known, or is of another topic: each says what it is. */
function listUnusedFacts(known: KnownWords, templates: readonly string[]): readonly string[] {
  const used = new Set(templates.filter((one) => findSources(one, known) !== undefined).flatMap(listSlotKeys));
  const shown = new Set([...used].flatMap((slot) => known.values.get(slot)?.text ?? []));
  const unused = [...known.values].filter(([, { text, source }]) => source === CALLER && !shown.has(text));
  return [...new Map(unused.toReversed().map(([slot, { text }]) => [text, formatSlotFact(slot, text)])).values()];
}

const formatSlotFact = (slot: string, text: string): string => `${capitalise(slot.replace(/^\w+: /u, ''))}: ${text}.`;

/** What the site says it is, and the sentences that fit the topic best, in their order; what the caller states stays. */
function selectSentences({ sentences }: KnownWords, fits: FitTest): readonly KnownSentence[] {
  const lead = sentences.find((sentence) => sentence.lead);
  const rated = sentences
    .filter((sentence) => !sentence.lead && sentence.text !== lead?.text)
    .map((sentence) => ({ sentence, score: fits(`${sentence.heading} ${sentence.text}`) }));
  const best = rated
    .filter(({ score, sentence }) => score > 0 || sentence.source === CALLER)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_PASSAGE_SENTENCES);
  const kept = new Set(best.map(({ sentence }) => sentence));
  const texts = new Map(sentences.filter((one) => kept.has(one)).map((one) => [one.text, one]));
  return [...(lead ? [lead] : []), ...texts.values()];
}

/** A text with slots as its file has it, as it reads, and where what is filled in comes from. */
type OpenText = { text: string; plain: string; sources: readonly string[] };

/** Open sentences that fit beside a text, in their order; none beside one of nothing. */
function selectOpen<T extends { text: string }>(open: readonly T[], beside: string): readonly T[] {
  const kept: T[] = [];
  for (const sentence of open) {
    const text = [beside, ...kept.map((one) => one.text), sentence.text].join(' ');
    if (countSlotChars(text) <= MAX_OPEN_SHARE * text.length) kept.push(sentence);
  }
  return kept;
}

const listPartial = (kept: readonly OpenText[], place: FixPlace): readonly FilledSentence[] =>
  kept.flatMap(({ plain, sources }) => (sources.length === 0 ? [] : [toSentence(plain, place, sources)]));

/** Characters of a text that are slots. */
export const countSlotChars = (text: string): number =>
  [...text.matchAll(/\[FACT NEEDED: [^\][\r\n]{1,200}\]/gu)].reduce((sum, [slot]) => sum + slot.length, 0);

function fillQuestions({ kind, names }: Topic, known: KnownWords, fits: FitTest) {
  const own = selectQuestions(known, fits);
  const filled = kind.questions.flatMap(({ question, answer }) => {
    const parts = splitTemplate(answer).flatMap((template) => {
      const sources = findSources(template, known);
      return sources === undefined ? [] : [{ text: fill(template, names.plain, findValue(known)), sources }];
    });
    const said = parts.map(({ text }) => text).join(' ');
    return said === ''
      ? []
      : [
          {
            entry: { question: fill(question, names.plain), answer: said },
            sources: parts.flatMap((one) => one.sources),
          },
        ];
  });
  const about = own.length + filled.length === 0 ? answerWhatItIs(known, names.plain) : [];
  const answered = [
    ...own.map(({ question, answer, source }) => ({ entry: { question, answer }, sources: [source] })),
    ...filled,
    ...about,
  ].slice(0, MAX_QUESTIONS);
  const taken = new Set(answered.map(({ entry }) => entry.question));
  const open = kind.questions
    .map(({ question, answer }) => {
      const entry = { question: fill(question, names.plain), answer: fill(answer, names.plain, findValue(known)) };
      const sources = listPartialSources(answer, known);
      return { entry, text: `${entry.question} ${entry.answer}`, plain: entry.answer, sources };
    })
    .filter(({ entry: { question, answer } }) => !taken.has(question) && isSlot(answer));
  const beside = answered.map(({ entry }) => `${entry.question} ${entry.answer}`).join(' ');
  const rest = (answered.length === 0 ? open : selectOpen(open, beside)).slice(0, MAX_QUESTIONS - answered.length);
  return {
    entries: [...answered, ...rest].map(({ entry }) => entry),
    partial: listPartial(rest, 'faq_json_ld'),
    sentences: answered.map(({ entry, sources }) => toSentence(entry.answer, 'faq_json_ld', [...new Set(sources)])),
  };
}

const selectQuestions = ({ questions }: KnownWords, fits: FitTest): readonly KnownQuestion[] =>
  questions
    .map((one) => ({ one, score: fits(`${one.question} ${one.question} ${one.answer}`) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_OWN_QUESTIONS)
    .map(({ one }) => one);

/** What the site says it is answers a question on every topic, where nothing else does. */
function answerWhatItIs({ sentences }: KnownWords, { brand }: Names) {
  const lead: Statement | undefined = sentences.find((sentence) => sentence.lead);
  return lead === undefined
    ? []
    : [{ entry: { question: `What is ${brand}?`, answer: lead.text }, sources: [lead.source] }];
}

function fillSection({ kind, names }: Topic, known: KnownWords, fits: FitTest) {
  const isStart = ({ url }: KnownPage): boolean => new URL(url).pathname === '/';
  const start = known.pages.find((page) => isStart(page) && page.summary !== '');
  const pages = known.pages
    .filter((page) => !isStart(page) && page.summary !== '')
    .map((page) => ({ page, score: fits(`${page.title} ${page.summary}`) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_PAGES)
    .map(({ page }) => page);
  const own = [...(start ? [{ ...start, title: 'Start page', url: '/' }] : []), ...pages].map(
    ({ url, title, summary }) => `- [${formatLabel(title)}](${url}): ${escapeWhole(summary)}`,
  );
  const head = fill('## {brand}: {topic}', names.markdown);
  const templates = kind.pages.map(({ label, address, note }) => `- [${label}]({address: ${address}}): ${note}`);
  const introduction =
    '- [Start page](/): {brand} ({niche}) is {description: what it offers and to whom, in a short sentence}.';
  const open = [...(start ? [] : [introduction]), ...templates].map((line) => ({
    text: fill(line, names.markdown, findValue(known, escapeInline)),
    plain: fill(line, names.plain, findValue(known)),
    sources: listPartialSources(line, known),
  }));
  const kept = own.length === 0 ? open : selectOpen(open, [head, ...own].join('\n'));
  return {
    text: [head, '', ...own, ...kept.map(({ text }) => text)].join('\n'),
    partial: listPartial(kept, 'llms_txt_section'),
    sentences: [...(start ? [start] : []), ...pages].map(({ url, summary }) =>
      toSentence(summary, 'llms_txt_section', [url]),
    ),
  };
}

/** A bracket in a label would end it for the readers of llms.txt that know no escapes. */
const formatLabel = (title: string): string => escapeWhole(title.replaceAll('[', '(').replaceAll(']', ')'));
