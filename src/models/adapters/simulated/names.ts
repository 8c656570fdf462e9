import { words } from './words-data.ts';

/** Brands that one engine can simulate. */
export const MAX_BRANDS = 30;
/** UTF-16 units of a brand's name. */
export const MAX_BRAND_NAME_CHARS = 120;

/**
 * Says what keeps these names from being simulated, in our words and without quoting one; undefined when nothing does.
 * The truth of an answer must be known, so a name may not be markup, part of another name, or words that every answer has.
 */
export function findNamesFault(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'there is no brand';
  if (names.length > MAX_BRANDS) return `there are more than ${MAX_BRANDS} brands`;
  const folded = names.map(foldWords);
  for (const [at, name] of names.entries()) {
    const fault = findNameFault(name) ?? findSimilarName(folded, at);
    if (fault !== undefined) return `brand ${at + 1} ${fault}`;
  }
  return undefined;
}

/** What Markdown, a URL or a table would read as its own, what no one sees, and what parts a list of brands. */
const UNUSABLE = /[\\`*_[\]<>|~/=,;\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|^[^\p{L}\p{N}.]|^\d{1,9}[.)] /u;

/** Scripts that are written without spaces, so that a name has no boundary. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

function findNameFault(name: string): string | undefined {
  if (name.trim() !== name || name === '') return 'has no name, or spaces around it';
  if (name.length > MAX_BRAND_NAME_CHARS) return `has a name of more than ${MAX_BRAND_NAME_CHARS} characters`;
  if (UNUSABLE.test(name) || !/[\p{L}\p{N}]/u.test(name)) return 'has characters in its name that cannot be in text';
  return undefined;
}

function findSimilarName(folded: readonly string[], at: number): string | undefined {
  const name = folded[at] ?? '';
  if (folded.some((other, index) => index !== at && canFindName(other, name)))
    return 'has a name that is part of the name of another brand';
  if (OWN_WORDS.some((text) => hasName(text, name) || hasName(text, joinWords(name))))
    return 'has words as its name that the answers use with their ordinary meaning';
  return undefined;
}

/** Words in lower case without accents and signs, parted and enclosed by single spaces. */
const foldWords = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const hasName = (text: string, name: string): boolean => text.includes(UNSPACED.test(name) ? name.trim() : name);

/** Without the spaces inside, as a name in CamelCase is written. */
const joinWords = (text: string): string => ` ${text.replaceAll(' ', '')} `;

/** Every two neighbouring words as one: "live chat tool" gives "livechat" and "chattool". */
function joinNeighbours(text: string): string {
  const list = text.trim().split(' ');
  return list
    .slice(1)
    .map((word, at) => ` ${list[at] ?? ''}${word} `)
    .join('');
}

/** Whether somebody who looks for `name` finds it in `text`, in either spelling. */
const canFindName = (text: string, name: string): boolean =>
  [text, joinNeighbours(text)].some((spelling) => hasName(spelling, name) || hasName(spelling, joinWords(name)));

const pieces = Object.values(words)
  .flat()
  .flatMap((template) => template.split(/\{\w{1,20}\}/u))
  .map(foldWords);
const OWN_WORDS = [pieces.join('\n'), pieces.map(joinNeighbours).join('\n')];
