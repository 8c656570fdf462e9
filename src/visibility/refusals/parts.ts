/** A sentence, a clause behind "but", a list item or a row of a table. */
export type AnswerPart = {
  text: string;
  /** ` lower case words without accents `, with a space at either end. */
  words: string;
  wordCount: number;
  /** An entry of a list or a row of a table. */
  isEntry: boolean;
  isQuestion: boolean;
};

/** Characters that are read of the beginning and the end of a longer text: an answer has shown itself by then. */
const HEAD_CHARS = 6000;
const TAIL_CHARS = 1500;
/** Parts that are read. */
const MAX_PARTS = 120;

/** What is read of a text: all of an answer of usual length, the two ends of a longer one. */
export const readEnds = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n\n${text.slice(-TAIL_CHARS)}`;

const ENTRY = /^\s{0,12}(?:[-*+•·・‣◦–—]\s{0,4}|\(?\d{1,2}[.)、]\s{0,4}|\|)/u;
const RULE_ROW = /^[\s|:=_-]+$/u;
/** Ends of sentences, and of clauses that another one opposes. */
const ENDS =
  /(?<=[.!?…][)"'”»*]{0,3})\s+(?=\S)|(?<=[。！？])|(?<=;)\s+|(?<=[ぁ-ん]が、)|(?<=のの、)|,\s+(?=(?:but|however|yet|aber|doch|mais|cependant|pero|mas|porém|ma|però|maar|toch)\s)|\s(?=(?:aber|pero|maar)\s)/u;
const IS_QUESTION = /[?？][\s)"'”»*」]*$/u;

/** The parts of a text in order, without headings' marks and emphasis. */
export function splitParts(text: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  for (const line of text.split(/\r?\n/u)) {
    if (parts.length >= MAX_PARTS) break;
    if (line.trim() === '' || RULE_ROW.test(line)) continue;
    const isEntry = ENTRY.test(line);
    const plain = line.replace(ENTRY, '').replace(/^\s*#{1,6}\s/u, '');
    const sentences = isEntry ? [plain] : plain.split(ENDS);
    for (const sentence of sentences) {
      if (sentence.trim() !== '' || isEntry) parts.push(readPart(sentence.trim(), isEntry));
    }
  }
  return parts.slice(0, MAX_PARTS);
}

/** Clauses of a part: a verb and what belongs to it are in one. */
export const splitClauses = (text: string): readonly string[] =>
  text.split(/[,;:–—()]|\s(?:und|oder|denn|weil|en|of|want|omdat)\s/u).filter((clause) => clause.trim() !== '');

function readPart(text: string, isEntry: boolean): AnswerPart {
  const words = normaliseWords(text);
  return {
    text,
    words,
    wordCount: words === ' ' ? 0 : words.split(' ').length - 2,
    isEntry,
    isQuestion: IS_QUESTION.test(text),
  };
}

/** Lower case, no accents, one space between words and at either end. Japanese keeps its signs. */
export const normaliseWords = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036F]+/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `.replace(/^ {2}$/u, ' ');

/** As the Japanese phrases are written: no spaces, one width of letters. */
export const normaliseSigns = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, '');
