import type { AnswerStructure } from '../structure/structure.ts';
import { isPlaced } from './joins.ts';
import { type BlockWords, type CapitalisedRun, type Piece, isLower, splitPieces } from './pieces.ts';

/**
 * Words of names that belong to no one: one that stands in the names of several ("Acme Rivertown", "Rivertown Surf Club"), or
 * behind words that say where. A brand is at the front of its products.
 */
export type SharedWords = ReadonlySet<string>;

/** What a word does in the capitalised runs and heads of a run of answers. `behind`: the first words of names it is inside of. */
type WordRole = { isFront: boolean; isHead: boolean; behind: Set<string>; placed: number; remarked: number; alone: number };

/** So many names with different first words share a word. */
const MIN_SHARERS = 2;
/** So often a word is where something is, even if it is the head of an entry, too. */
const MIN_PLACED = 2;

export function findSharedWords(
  answers: readonly AnswerStructure[],
  blocks: readonly (readonly BlockWords[])[],
  language: string,
): SharedWords {
  const roles = new Map<string, WordRole>();
  const roleOf = (key: string): WordRole => {
    const role = roles.get(key) ?? { isFront: false, isHead: false, behind: new Set(), placed: 0, remarked: 0, alone: 0 };
    roles.set(key, role);
    return role;
  };
  const readName = (pieces: readonly Piece[], from: number, to: number): void => {
    const first = pieces[from]?.key ?? '';
    roleOf(first).isFront = true;
    for (let at = from + 1; at <= to; at += 1) {
      const key = pieces[at]?.key ?? '';
      if (key !== first) roleOf(key).behind.add(first);
    }
  };
  for (const [answer, { blocks: read }] of answers.entries())
    for (const [block, { head, bold, text }] of read.entries()) {
      for (const text of head === undefined ? bold : [head, ...bold]) {
        const pieces = splitPieces(text);
        if (pieces.length === 1) roleOf(pieces[0]?.key ?? '').isHead = true;
      }
      const words = blocks[answer]?.[block];
      for (const run of words?.runs ?? []) {
        const pieces = words?.pieces ?? [];
        if (run.last > run.first) readName(pieces, run.first, run.last);
        else {
          // "Acme di Rivertown": where it is, or whose it is.
          const [further, before] = [pieces[run.first - 2], pieces[run.first - 1]];
          if (further !== undefined && before !== undefined && !isLower(further.text) && LINK.test(text.slice(further.end, run.start))) continue;
          const role = roleOf(pieces[run.first]?.key ?? '');
          role.alone += 1;
          if (isPlaced(pieces, run, language)) role.placed += 1;
          else if (isRemark(text, head, run)) role.remarked += 1;
        }
      }
    }
  const shared = [...roles].filter(
    ([, { isFront, isHead, behind, placed, remarked, alone }]) => {
      // "Roomba (Acme)": a maker is the front of other names.
      const where = isFront ? placed : placed + remarked;
      if (where * 2 > alone && placed >= MIN_PLACED) return true;
      return !isHead && (behind.size >= MIN_SHARERS || (isFront && behind.size > 0) || (where > 0 && where * 2 >= alone));
    },
  );
  return new Set(shared.map(([key]) => key));
}

/** "**Acme** (Rivertown)": in brackets behind the head of an entry. */
const isRemark = (text: string, head: string | undefined, { start, end }: CapitalisedRun): boolean =>
  head !== undefined && start <= head.length + MAX_BEFORE_REMARK && text.startsWith(head) &&
  text.charAt(start - 1) === '(' && /^[),]/u.test(text.slice(end, end + 1));

const MAX_BEFORE_REMARK = 3;

const LINK = /^ (?:d[aeiou]s?|del|della|van|of|von) $/u;
