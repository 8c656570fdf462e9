/**
 * What assistants say where they do not answer, in one language. A line is one rule: alternatives between `|`, and `&`
 * between what must all be there. An alternative is words in lower case without accents; `*` ends a stem. Written by hand
 * for this service, from how assistants, search boxes and error pages usually word it; no text was copied.
 */
export type PhraseTable = {
  /** Declines, by ability, rule or wish. */
  refuses: string;
  /** Says that it cannot look things up or does not know. */
  limits: string;
  /** Stems, between spaces, of warnings and of "it depends": alone they answer nothing. A hyphen is a space. */
  caution: string;
  /** Offers other help, or sends the reader to someone else. */
  offers: string;
  /** Greets, thanks, apologises, says what it is. */
  courtesy: string;
  /** Announces what then does not come. */
  announces: string;
  /** Says what is true of any market. */
  fills: string;
  /** Errors, limits, disclaimers, instructions, placeholders. */
  fails: string;
  /** Asks the reader back. */
  asks: string;
};

export const phraseKinds = ['refuses', 'limits', 'offers', 'courtesy', 'announces', 'fills', 'fails', 'asks'] as const;
export type PhraseKind = (typeof phraseKinds)[number];

/** Rules of a kind: each needs one of each of its groups. */
type Rule = readonly (readonly string[])[];

export type Phrases = {
  rules: Readonly<Record<PhraseKind, readonly Rule[]>>;
  caution: readonly string[];
  /** Every alternative, of any rule. */
  alternatives: readonly string[];
};

/** @param isSpaced words are between spaces; else an alternative is any part of the text. */
export function compilePhrases(table: PhraseTable, isSpaced: boolean): Phrases {
  const compile = (text: string): string => compileAlternative(text, isSpaced);
  const rulesOf = (kind: PhraseKind): readonly Rule[] =>
    splitLines(table[kind]).map((line) =>
      line.split('&').map((group) => group.split('|').map(compile).filter(Boolean)),
    );
  const rules = Object.fromEntries(phraseKinds.map((kind) => [kind, rulesOf(kind)])) as Record<
    PhraseKind,
    readonly Rule[]
  >;
  const stems = table.caution.trim().split(/\s+/);
  const caution = stems.map((stem) => compile(stem.replaceAll('-', ' ')));
  return { rules, caution, alternatives: [...Object.values(rules).flat(3), ...caution] };
}

const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function compileAlternative(text: string, isSpaced: boolean): string {
  const plain = text.trim();
  if (plain === '' || !isSpaced) return plain;
  return plain.endsWith('*') ? ` ${plain.slice(0, -1)}` : ` ${plain} `;
}

/** Whether one of the rules holds for a normalised part of a text. */
export const isAnyRuleMet = (rules: readonly Rule[], part: string): boolean =>
  rules.some((groups) => groups.every((group) => group.some((alternative) => part.includes(alternative))));

/** Alternatives of one-group rules that a part holds, each once: one that another holds too counts with it. */
export function listPhrases(rules: readonly Rule[], part: string): readonly string[] {
  const found = rules.flat(2).filter((alternative) => part.includes(alternative));
  return found.filter((phrase) => !found.some((other) => other !== phrase && other.includes(phrase)));
}

/** The longest alternative that a part begins with, in characters; 0 for none. */
export const measureOpening = (rules: readonly Rule[], part: string): number =>
  Math.max(0, ...rules.flat(2).map((alternative) => (part.startsWith(alternative) ? alternative.length : 0)));

export const countStems = (stems: readonly string[], part: string): number =>
  stems.filter((stem) => part.includes(stem)).length;
