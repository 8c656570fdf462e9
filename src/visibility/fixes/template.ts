import { escapeMarkdownText } from '../../lib/safe-text.ts';
import { formatFactSlot } from '../../lib/slots.ts';
import { MAX_CALLER_NAME_CHARS } from './caller-text.ts';

/** A link of a section: `label` names the page, `note` says what it answers. Its address is a slot. */
export type PageLine = { label: string; address: string; note: string };

/**
 * The texts of one kind of topic, as templates. `{brand}`, `{niche}` and `{topic}` represent the caller's names; any
 * other `{type: what}` is a slot for a fact of that type. No template states a fact, a number or a judgement.
 */
export type TopicKind = {
  /** The topic as a page may show it: in place of a label of ours, and of a caller's own that is unusable. */
  title: string;
  /** The row of `intents` in a visibility_check response that is about it; '' when there is none. */
  intent: string;
  /** A question: the heading of the passage. */
  heading: string;
  /** Paragraphs. The first sentence answers the heading and names brand and niche. */
  passage: readonly string[];
  questions: readonly { question: string; answer: string }[];
  pages: readonly PageLine[];
};

/** What a template is filled with. */
export type Names = { brand: string; niche: string; topic: string };

/** Cleaned names (see `cleanCallerName`) for plain text and for Markdown. A brand or niche that is '' becomes a slot. */
export function escapeNames({ brand, niche, topic }: Names): { plain: Names; markdown: Names } {
  return {
    plain: { brand: brand || NO_BRAND, niche: niche || NO_NICHE, topic },
    markdown: { brand: escapeName(brand) || NO_BRAND, niche: escapeName(niche) || NO_NICHE, topic: escapeName(topic) },
  };
}

const NO_BRAND = formatFactSlot('name: the brand');
const NO_NICHE = formatFactSlot('name: the niche, as a bare noun phrase');

const escapeName = (name: string): string => escapeMarkdownText(name, MAX_CALLER_NAME_CHARS);

const PLACE = /\{([^{}]{1,150})\}/gu;
const NAMES: ReadonlySet<string> = new Set(['brand', 'niche', 'topic']);

/** What a template asks for beside the names, each once. */
export const listSlotKeys = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(PLACE)].map(([, key = '']) => key).filter((key) => !NAMES.has(key))),
];

/**
 * Fills a template in one pass: what a name holds is never read as a template.
 * @param known what is known of a slot; the others stay open
 */
export const fill = (
  template: string,
  { brand, niche, topic }: Names,
  known: (slot: string) => string | undefined = () => undefined,
): string =>
  template.replaceAll(PLACE, (_, key: string) => {
    if (key === 'brand') return brand;
    if (key === 'niche') return niche;
    return key === 'topic' ? topic : (known(key) ?? formatFactSlot(key));
  });

/** Words of a brand that a passage can repeat in every sentence and still be of its length. */
const MAX_REPEATED_WORDS = 3;
/** Times that a passage writes a longer brand out, its heading included. */
const MAX_LONG_USES = 2;

/**
 * `fill` for a whole passage: a brand of many words is "this brand" after its first uses, so that 120 to 220 words hold for
 * brands of up to 8 words and niches of up to 12.
 */
export const fillPassage = (template: string, names: Names): string =>
  fill(names.brand.split(' ').length > MAX_REPEATED_WORDS ? withShortForm(template) : template, names);

const withShortForm = (template: string): string =>
  template.split('{brand}').reduce((text, piece, uses) => {
    if (uses <= MAX_LONG_USES) return `${text}{brand}${piece}`;
    return `${text}${/(?:\n|\. )$/u.test(text) ? 'This' : 'this'} brand${piece}`;
  });
