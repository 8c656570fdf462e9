import {
  findCovertUnicode,
  findInstructions,
  type InstructionHit,
  type InstructionKind,
} from './instruction-patterns.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';

/** Findings kept of one page; one is enough to fail it. */
const MAX_FINDINGS = 20;
/** Characters of hidden text searched in all: several times what any honest page hides. */
const MAX_HIDDEN_CHARS = 1_000_000;

/** An instruction to AI that readers of the page cannot see. `where` is a selector or the name of the place. */
export type HiddenInstruction = {
  where: string;
  line?: number;
  kind: InstructionKind;
  language: string;
  excerpt: string;
};

type Place = { where: string; line?: number; text: string; label: boolean };

/** Kinds that speak to a model; commands and paths in hidden text are copy buttons and the like. */
const KINDS: ReadonlySet<InstructionKind> = new Set([
  'override',
  'persona',
  'promotion',
  'prompt_probe',
  'tool_priority',
  'secrecy',
  'covert_unicode',
]);

/**
 * Instructions aimed at language models in what people do not see: hidden elements (also zero-size, off-screen and
 * same-colour inline styles), comments, `alt`, `title` and `aria-*` texts, and invisible Unicode anywhere in the text.
 * Visible prose about such attacks is none. Twelve languages; style sheets are not read.
 */
export function findHiddenInstructions(
  page: Pick<PageFacts, 'hiddenTexts' | 'comments' | 'attributeTexts' | 'text'>,
): readonly HiddenInstruction[] {
  const found: HiddenInstruction[] = [];
  let chars = 0;
  for (const place of listTextPlaces(page)) {
    chars += place.text.length;
    if (chars > MAX_HIDDEN_CHARS || found.length >= MAX_FINDINGS) break;
    for (const hit of findInstructions(place.text)) if (isCounted(hit, place)) found.push(toFinding(hit, place));
  }
  const covert = findCovertUnicode(page.text).filter((hit) => hit.excerpt.startsWith('tag characters'));
  for (const hit of covert) found.push(toFinding(hit, { where: 'visible text', text: '', label: false }));
  return found.slice(0, MAX_FINDINGS);
}

function* listTextPlaces(page: Pick<PageFacts, 'hiddenTexts' | 'comments' | 'attributeTexts'>): Generator<Place> {
  for (const { text, how, tag, line } of page.hiddenTexts) {
    if (how !== 'aria-hidden') yield { where: `${tag} (${how})`, line, text, label: false };
  }
  for (const text of page.comments) yield { where: 'comment', text, label: false };
  for (const { attribute, tag, line, text } of page.attributeTexts) {
    yield { where: `${tag}[${attribute}]`, line, text, label: true };
  }
}

/** Words that make a mention of the system prompt in a label an order to do something with it. */
const ORDERS = /(?<!\p{L})(?:your|reveal|print|repeat|output|show|ignore|send|leak)(?!\p{L})/iu;

function isCounted(hit: InstructionHit, place: Place): boolean {
  if (!KINDS.has(hit.kind)) return false;
  // "Would you recommend us to a friend?" in a closed dialog asks a person.
  if (hit.kind === 'promotion' && /[?？]/u.test(hit.excerpt)) return false;
  // An image of a system prompt is an image; an order to reveal it is not.
  if (hit.kind === 'prompt_probe' && place.label) return ORDERS.test(hit.excerpt);
  return true;
}

const toFinding = (hit: InstructionHit, place: Place): HiddenInstruction => ({
  where: place.where,
  ...(place.line === undefined ? {} : { line: place.line }),
  kind: hit.kind,
  language: hit.language,
  excerpt: hit.excerpt,
});
