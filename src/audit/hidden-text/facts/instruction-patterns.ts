import { type InstructionKind, type InstructionRow, type Language, instructionRows } from './instruction-table.ts';

export type { InstructionKind } from './instruction-table.ts';

/** Text longer than this is searched up to here: four times the largest llms.txt worth reading in one fetch. */
export const MAX_INSTRUCTION_CHARS = 400_000;
/** Hits kept per text; a file with more of them is hostile beyond doubt. */
export const MAX_INSTRUCTION_HITS = 20;

const EXCERPT_CHARS = 160;

/**
 * One suspicious phrase. `hostile` ones have no honest use in a file that agents read; `steering` ones are ordinary in
 * visible prose ("if you are an AI agent, start here") and count only in text that people cannot see.
 * `quoted` means that it is in quotation marks or backticks, as in an article about such attacks.
 */
export type InstructionHit = {
  kind: InstructionKind;
  severity: 'hostile' | 'steering';
  language: Language;
  /** 1-based line of the normalised text, which keeps the line breaks of the original. */
  line: number;
  excerpt: string;
  quoted: boolean;
};

const HOSTILE: ReadonlySet<InstructionKind> = new Set([
  'override',
  'tool_priority',
  'secrecy',
  'shell_pipe',
  'secret_access',
  'covert_unicode',
]);

const ZERO_WIDTH = /[\u200B-\u200D\u2060\uFEFF]/gu;
const QUOTES_BEFORE = /["'`“‘«„「『]\s{0,2}$/u;
const QUOTES_AFTER = /^[\s.!?,…]{0,3}["'`”’»“」』]/u;

/**
 * Finds instructions aimed at a language model in `text`, in order of appearance, at most `MAX_INSTRUCTION_HITS`.
 * Compatibility forms and zero-width characters are folded first, so that "ig<ZWSP>nore" is found. Knows twelve languages
 * for override, persona and promotion; a phrase in another language or reworded goes unseen.
 */
export function findInstructions(text: string): readonly InstructionHit[] {
  const capped = text.slice(0, MAX_INSTRUCTION_CHARS);
  const plain = capped.replaceAll(ZERO_WIDTH, '').normalize('NFKC').slice(0, MAX_INSTRUCTION_CHARS);
  const found: { at: number; hit: Omit<InstructionHit, 'line'> }[] = [];
  for (const row of instructionRows) {
    for (const match of listFirstMatches(plain, row.pattern)) {
      found.push({ at: match.index, hit: toHit(row, plain, match.index, match[0].length) });
    }
  }
  const hits = withLines(plain, found.toSorted((a, b) => a.at - b.at).slice(0, MAX_INSTRUCTION_HITS));
  return [...hits, ...findCovertUnicode(capped)].slice(0, MAX_INSTRUCTION_HITS);
}

function toHit(row: InstructionRow, text: string, at: number, length: number): Omit<InstructionHit, 'line'> {
  const quoted =
    QUOTES_BEFORE.test(text.slice(Math.max(0, at - 3), at)) &&
    QUOTES_AFTER.test(text.slice(at + length, at + length + 4));
  const excerpt = text
    .slice(Math.max(0, at - 20), at + EXCERPT_CHARS - 20)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return {
    kind: row.kind,
    language: row.language,
    severity: HOSTILE.has(row.kind) ? 'hostile' : 'steering',
    excerpt,
    quoted,
  };
}

function listFirstMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  // Nearly always there is nothing: `search` says so without the copy of the expression that `matchAll` makes.
  if (text.search(pattern) === -1) return matches;
  for (const match of text.matchAll(pattern)) {
    matches.push(match);
    if (matches.length === MAX_INSTRUCTION_HITS) break;
  }
  return matches;
}

/** Adds 1-based line numbers in one pass over `text`; `found` is in order of `at`. */
function withLines(
  text: string,
  found: readonly { at: number; hit: Omit<InstructionHit, 'line'> }[],
): InstructionHit[] {
  let line = 1;
  let seen = 0;
  return found.map(({ at, hit }) => {
    for (let next = text.indexOf('\n', seen); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) {
      line += 1;
      seen = next + 1;
    }
    return { ...hit, line };
  });
}

// Tag characters after a black flag spell a regional flag emoji and end in U+E007F; anywhere else they hide ASCII text.
const FLAG_EMOJI = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}/gu;
const COVERT: readonly { what: string; pattern: RegExp }[] = [
  { what: 'tag characters', pattern: /[\u{E0000}-\u{E007F}]{1,2000}/gu },
  {
    what: 'a run of zero-width characters',
    pattern: /(?:[\u200B-\u200D\u2060\uFEFF]|\p{Variation_Selector}){8,2000}/gu,
  },
  { what: 'bidirectional override', pattern: /[\u202D\u202E]/gu },
];

/**
 * Finds text hidden in invisible Unicode: tag characters outside flag emoji, eight or more zero-width characters or
 * variation selectors in a row, and bidirectional overrides. Emoji joiners, ZWNJ inside words and soft hyphens are allowed.
 * The excerpt names the code points and shows the ASCII that tag characters spell.
 */
export function findCovertUnicode(text: string): readonly InstructionHit[] {
  const plain = text.slice(0, MAX_INSTRUCTION_CHARS).replaceAll(FLAG_EMOJI, (flag) => ' '.repeat(flag.length));
  const found: { at: number; hit: Omit<InstructionHit, 'line'> }[] = [];
  for (const { what, pattern } of COVERT) {
    for (const match of listFirstMatches(plain, pattern)) {
      const excerpt = `${what} (${formatCodePoint(match[0])}): ${spellTagRun(match[0])}`.slice(0, EXCERPT_CHARS);
      found.push({
        at: match.index,
        hit: { kind: 'covert_unicode', severity: 'hostile', language: 'any', excerpt, quoted: false },
      });
    }
  }
  return withLines(plain, found.toSorted((a, b) => a.at - b.at).slice(0, MAX_INSTRUCTION_HITS));
}

const formatCodePoint = (run: string): string =>
  `U+${(run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The ASCII that tag characters encode, or the count of characters where they encode none. */
function spellTagRun(run: string): string {
  const points = Array.from(run, (char) => (char.codePointAt(0) ?? 0) - 0xe0000);
  const ascii = points.filter((point) => point >= 0x20 && point < 0x7f).map((point) => String.fromCodePoint(point));
  return ascii.length > 0 ? JSON.stringify(ascii.join('')) : `${points.length} invisible`;
}
