import type { OwnFact, OwnFactKind } from '../../fixes/files/own-facts.ts';
import type { OwnSite } from '../../fixes/files/own-site.ts';
import { normaliseSafeUrl } from '../../fixes/files/safe-site.ts';
import { cleanCallerName, cleanStatedText } from './caller-text.ts';
import { listSlotKeys } from './template.ts';
import { topicKinds } from './topic-kinds-data.ts';

/** Facts of one call, and characters of each part. */
export const MAX_CALLER_FACTS = 20;
export const MAX_FACT_VALUE_CHARS = 300;

/** Characters of an answer and of a sentence of the site. */
const MAX_ANSWER_CHARS = 600;
const MAX_SENTENCE_CHARS = 320;
const MAX_LABEL_CHARS = 120;

/** What the source of a text is, where it is not the address of a page. */
export const CALLER = 'caller';

/**
 * A fact of the caller. `name` is what a slot asks for (`facts_needed` of an earlier fix pack), a kind of fact such as
 * `founded`, or any name: the fact is a sentence of its own then.
 */
export type CallerFact = { name: string; value: string; source?: string | undefined };

/** A text and where it comes from: the address of a page, or `caller`. */
export type Statement = { text: string; source: string };

export type KnownSentence = Statement & { heading: string; lead: boolean };
export type KnownQuestion = { question: string; answer: string; source: string };
export type KnownPage = { url: string; title: string; summary: string };

/** All that the texts may be filled with, cleaned. `values` is by what a slot asks for. */
export type KnownWords = {
  values: ReadonlyMap<string, Statement>;
  sentences: readonly KnownSentence[];
  questions: readonly KnownQuestion[];
  pages: readonly KnownPage[];
};

/**
 * Reads it from what the site says and what the caller states; the caller knows better. All of it is hostile text.
 * @param brand what the texts are about: only what is sold under this very name gives the brand a price
 */
export function collectKnownWords(own: OwnSite | undefined, facts: readonly CallerFact[], brand: string): KnownWords {
  const values = new Map(own === undefined ? [] : listSiteValues(own, brand));
  const sentences: KnownSentence[] = own === undefined ? [] : [...listSiteSentences(own), ...listPrices(own, brand)];
  for (const fact of facts.slice(0, MAX_CALLER_FACTS)) {
    const text = cleanStatedText(fact.value, MAX_FACT_VALUE_CHARS).replace(/\.$/u, '');
    if (text === '') continue;
    const stated = { text: text + formatFactSource(fact.source), source: CALLER };
    const slots = findSlots(fact.name);
    for (const slot of slots) values.set(slot, stated);
    if (slots.length === 0)
      sentences.push({ ...stated, text: formatFactSentence(fact, stated.text), heading: '', lead: false });
  }
  return { values, sentences, questions: listSiteQuestions(own), pages: listSitePages(own) };
}

/** ` (annual report)`, or nothing. */
function formatFactSource(source: string | undefined): string {
  const text = normaliseSafeUrl(source ?? '') ?? cleanStatedText(source ?? '', MAX_FACT_VALUE_CHARS);
  return text === '' ? '' : ` (${text})`;
}

/** Words of a value that is a sentence by itself. */
const SENTENCE_WORDS = 6;

function formatFactSentence({ name, value }: CallerFact, text: string): string {
  const label = cleanCallerName(name);
  const isSentence = /[.!?]["”]?\s*$/u.test(value) && value.split(/\s+/u).length >= SENTENCE_WORDS;
  return label === '' || isSentence ? `${text}.` : `${label}: ${text}.`;
}

/** The slots that each kind of fact fills; a kind that answers no slot by itself has none. */
const SLOTS_OF_KIND: Readonly<Partial<Record<OwnFactKind, readonly string[]>>> = {
  founded: ['date: year of founding'],
  area: ['description: countries or regions served'],
  contact: ['description: support channels and hours'],
  price: ['price: list price, currency and billing period'],
  price_page: ['source: address of the price page'],
};
const SEAT = 'name: legal name and seat of the company';

/** Prices of what else a site sells that the texts of one brand may name. */
const MAX_OTHER_PRICES = 3;

/** Whether a price is that of the brand: of something by the same name. */
const isPriceOf = ({ kind, about = '' }: OwnFact, brand: string): boolean =>
  kind === 'price' && foldName(about) === foldName(brand);

const foldName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function listSiteValues({ facts }: OwnSite, brand: string): readonly (readonly [string, Statement])[] {
  const usable = facts.filter((fact) => fact.kind !== 'price' || isPriceOf(fact, brand));
  const stated = Object.entries(SLOTS_OF_KIND).flatMap(([kind, slots]) => {
    const fact = usable.find((one) => one.kind === kind);
    const text = kind === 'price_page' ? (fact?.text ?? '') : cleanStatedText(fact?.text ?? '', MAX_LABEL_CHARS);
    return fact === undefined || text === '' ? [] : slots.map((slot) => [slot, { text, source: fact.from }] as const);
  });
  const seat = findSeat(facts);
  return seat === undefined ? stated : [...stated, [SEAT, seat]];
}

/** Legal name and seat as one page states them: two pages may speak of two companies. */
function findSeat(facts: readonly OwnFact[]): Statement | undefined {
  for (const name of facts.filter(({ kind }) => kind === 'legal_name')) {
    const address = facts.find(({ kind, from }) => kind === 'address' && from === name.from);
    const text = address ? cleanStatedText(`${name.text}, ${address.text}`, 2 * MAX_LABEL_CHARS) : '';
    if (text !== '') return { text, source: name.from };
  }
  return undefined;
}

/** What else the site sells: each price with its own name, `Filter paper: 12.00 EUR.` */
const listPrices = ({ facts }: OwnSite, brand: string): readonly KnownSentence[] =>
  facts
    .filter((fact) => fact.kind === 'price' && !isPriceOf(fact, brand))
    .flatMap(({ text: price, about = '', from }) => {
      const text = cleanStatedText(`${about}: ${price}.`, MAX_SENTENCE_CHARS);
      return text === '' ? [] : [{ text, source: from, heading: 'Price', lead: false }];
    })
    .slice(0, MAX_OTHER_PRICES);

/** A sentence that begins so goes on from another one. */
const LEANS =
  /^(?:it|its|this|that|these|those|they|he|she|but|and|so|or|then|also|er|sie|es|dies\w{0,2}|aber|und)\b/iu;

const listSiteSentences = ({ texts }: OwnSite): readonly KnownSentence[] =>
  texts.flatMap(({ heading, sentences, from, lead }) =>
    // Later sentences lean on the first, which is quoted alone.
    sentences.slice(0, lead ? sentences.length : 1).flatMap((sentence) => {
      if (!lead && LEANS.test(sentence)) return [];
      const text = cleanStatedText(sentence, MAX_SENTENCE_CHARS);
      return text === '' ? [] : [{ text, source: from, heading: cleanCallerName(heading), lead }];
    }),
  );

const listSiteQuestions = (own: OwnSite | undefined): readonly KnownQuestion[] =>
  (own?.questions ?? []).flatMap(({ question, answer, from }) => {
    const [asked, said] = [cleanStatedText(question, MAX_LABEL_CHARS), cleanStatedText(answer, MAX_ANSWER_CHARS)];
    return asked === '' || said === '' ? [] : [{ question: asked, answer: said, source: from }];
  });

const listSitePages = (own: OwnSite | undefined): readonly KnownPage[] =>
  (own?.pages ?? []).flatMap(({ url, title, summary }) => {
    const [name, about] = [cleanCallerName(title), cleanStatedText(summary, MAX_SENTENCE_CHARS)];
    return name === '' ? [] : [{ url, title: name, summary: about }];
  });

/** Everything that a template asks for, by itself and by what is behind the colon. */
const slotNames: ReadonlyMap<string, string> = new Map(
  Object.values(topicKinds)
    .flatMap(({ heading, passage, questions, pages }) => [
      heading,
      ...passage,
      ...questions.flatMap(({ question, answer }) => [question, answer]),
      ...pages.flatMap(({ address, note }) => [`{address: ${address}}`, note]),
    ])
    .flatMap(listSlotKeys)
    .flatMap((key): [string, string][] => [
      [key.toLowerCase().replace(/^\w+: /u, ''), key],
      [key.toLowerCase(), key],
    ]),
);

function findSlots(name: string): readonly string[] {
  const asked = name
    .slice(0, 2 * MAX_LABEL_CHARS)
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replace(/^\[fact needed: /u, '')
    .replace(/\]$/u, '')
    .trim();
  const slot = slotNames.get(asked);
  if (slot !== undefined) return [slot];
  if (asked === 'legal_name') return [SEAT];
  return Object.hasOwn(SLOTS_OF_KIND, asked) ? (SLOTS_OF_KIND[asked as OwnFactKind] ?? []) : [];
}
