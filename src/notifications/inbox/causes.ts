/** Words in one text column, each between line ends: whether one is there can be asked in SQL. */
const MAX_WORD_CHARS = 64;
const MAX_WORDS = 20;
/** Longest text to which SQL adds a word. */
export const MAX_WORDS_CHARS = MAX_WORDS * MAX_WORD_CHARS;

/** One word as the column holds it. */
export const encodeCause = (word: string): string => `\n${word.replaceAll('\n', ' ').slice(0, MAX_WORD_CHARS)}\n`;

/** The words of a column, each once. */
export const decodeCauses = (text: unknown): readonly string[] => [
  ...new Set(
    String(text)
      .split('\n')
      .filter((word) => word !== ''),
  ),
];

/** The words of both, each once, and not too many. */
export const mergeCauses = (one: unknown, other: unknown): string =>
  [...new Set([...decodeCauses(one), ...decodeCauses(other)])].slice(0, MAX_WORDS).map(encodeCause).join('');
