import { isLower, type Piece, splitPieces } from './pieces.ts';

/** Names to look for: `spellings[i]` are the spellings of the name with the number i. */
export type NameDictionary = {
  /** By first word, the longest first. */
  entries: ReadonlyMap<string, readonly Entry[]>;
  /** Names of scripts without spaces, which are found inside longer runs. */
  packed: readonly { text: string; name: number }[];
  /** Names of one word in Latin letters, for texts whose words run on. */
  plain: readonly { text: string; name: number }[];
};
type Entry = { keys: readonly string[]; name: number; literals: ReadonlySet<string> };

/** A name found in a text. */
export type Hit = { name: number; start: number; end: number };

const PACKED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Everything behind the letters of Europe but its marks: quicker to look for. */
const MAY_BE_PACKED = /[\u0E00-\u1FFF\u2E80-\u{10FFFF}]/u;
const IS_WORD = /^[A-Za-z0-9]{2,30}$/u;
/** Names of one word that are looked for in such texts. */
const MAX_PLAIN = 500;
const GAP = /^(?: |-|‑|\.| ?& ?|['’+])?$/u;

/** One lookup for all names: a text is read once, however many names there are. */
export function createDictionary(spellings: readonly (readonly string[])[]): NameDictionary {
  const entries = new Map<string, Entry[]>();
  const packed: { text: string; name: number }[] = [];
  const plain: { text: string; name: number }[] = [];
  const add = (name: number, keys: readonly string[], spelling: string): void => {
    const [first] = keys;
    if (first === undefined) return;
    const same = entries.get(first) ?? [];
    entries.set(first, same);
    same.push({ keys, name, literals: new Set([spelling]) });
  };
  for (const [name, forms] of spellings.entries())
    for (const form of forms) {
      if (PACKED.test(form)) packed.push({ text: form, name });
      else if (IS_WORD.test(form) && plain.length < MAX_PLAIN) plain.push({ text: form, name });
      const keys = splitPieces(form).map(({ key }) => key);
      add(name, keys, form);
      if (keys.length > 1) add(name, [keys.join('')], form);
      const camel = form.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
      if (camel !== form)
        add(
          name,
          splitPieces(camel).map(({ key }) => key),
          form,
        );
    }
  for (const same of entries.values()) same.sort((a, b) => b.keys.length - a.keys.length);
  packed.sort((a, b) => b.text.length - a.text.length);
  return { entries, packed, plain };
}

/** The names in a text in order, the longest at each place. Only an exact spelling may begin with a small letter. */
export function findDictionaryHits(
  text: string,
  pieces: readonly Piece[],
  { entries, packed, plain }: NameDictionary,
): readonly Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const entry = entries.get(pieces[index]?.key ?? '')?.find((one) => isEntryAt(text, pieces, index, one));
    const [first, last] = [pieces[index], pieces[index + (entry?.keys.length ?? 1) - 1]];
    if (entry === undefined || first === undefined || last === undefined) continue;
    hits.push({ name: entry.name, start: first.start, end: last.end });
    index += entry.keys.length - 1;
  }
  const isPacked = MAY_BE_PACKED.test(text) && PACKED.test(text);
  if (isPacked && packed.length > 0) hits.push(...findPackedNames(text, packed));
  if (isPacked) hits.push(...plain.flatMap((one) => findInRun(text, one)));
  return hits.toSorted((a, b) => a.start - b.start);
}

/** The first place of each name (the longest first) that is inside no place of a longer one: not "ニチレイ" in "ニチレイフーズ", where that is one, too. */
function findPackedNames(text: string, packed: NameDictionary['packed']): readonly Hit[] {
  const taken: Hit[] = [];
  const found: Hit[] = [];
  for (const { text: name, name: number } of packed) {
    const places: Hit[] = [];
    for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + name.length)) {
      const end = start + name.length;
      if (!taken.some((one) => one.start <= start && end <= one.end)) places.push({ name: number, start, end });
    }
    taken.push(...places);
    found.push(...places.slice(0, 1));
  }
  return found;
}

/** "freee" of "まずはfreeeを": the letters around it are of another script. */
function findInRun(text: string, { text: word, name }: { text: string; name: number }): readonly Hit[] {
  for (let start = text.indexOf(word); start !== -1; start = text.indexOf(word, start + word.length)) {
    const end = start + word.length;
    const [before, after] = [text.charAt(start - 1), text.charAt(end)];
    if (/[A-Za-z0-9]/u.test(before) || /[A-Za-z0-9]/u.test(after)) continue;
    if (PACKED.test(before) || PACKED.test(after)) return [{ name, start, end }];
  }
  return [];
}

function isEntryAt(text: string, pieces: readonly Piece[], at: number, { keys, literals }: Entry): boolean {
  for (const [offset, key] of keys.entries()) {
    const piece = pieces[at + offset];
    if (piece?.key !== key) return false;
    const before = pieces[at + offset - 1];
    if (offset > 0 && before !== undefined && !isGap(text.slice(before.end, piece.start), before.key)) return false;
  }
  const [first, last] = [pieces[at], pieces[at + keys.length - 1]];
  if (first === undefined || last === undefined) return false;
  return !isLower(first.text) || literals.has(text.slice(first.start, last.end));
}

/** "Dr. Martens": a full stop and a space part no short first word from the rest. */
const isGap = (gap: string, before: string): boolean => GAP.test(gap) || (gap === '. ' && before.length <= 2);
