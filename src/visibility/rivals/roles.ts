import type { AnswerBlock, AnswerStructure } from '../structure/structure.ts';
import { isPlaced } from './joins.ts';
import { type BlockWords, type CapitalisedRun, isLower, type Piece } from './pieces.ts';

/**
 * What a word does in the heads and capitalised runs of the answers. `behind`: the first word of a name that it is inside of;
 * `isShared`: of several. `alone` counts the runs of this word only, `placed` and `remarked` those that say where.
 */
type WordRole = {
  isFront: boolean;
  isHead: boolean;
  behind: string | undefined;
  isShared: boolean;
  alone: number;
  placed: number;
  remarked: number;
};

/** So often a word is where something is, even if it is the head of an entry, too. */
const MIN_PLACED = 2;

/**
 * Words of names that are no one's, in lower case: a word that names with other first words share ("Acme Rivertown", "Rivertown
 * Surf Club"), or that is behind words that say where. A brand is at the front of its products.
 */
export function findSharedWords(
  answers: readonly AnswerStructure[],
  blocks: readonly (readonly BlockWords[])[],
  language: string,
): ReadonlySet<string> {
  const roles = new Map<string, WordRole>();
  for (const [answer, { blocks: read }] of answers.entries())
    for (const [index, block] of read.entries()) {
      if (block.head !== undefined) readHead(block.head, roles);
      block.bold.forEach((text) => readHead(text, roles));
      const words = blocks[answer]?.[index];
      if (words !== undefined) readRuns(block, words, language, roles);
    }
  const shared = new Set<string>();
  for (const [key, role] of roles) if (isNoOnes(role)) shared.add(key);
  return shared;
}

function isNoOnes({ isFront, isHead, behind, isShared, placed, remarked, alone }: WordRole): boolean {
  // "Roomba (Acme)": a maker is the front of other names.
  const where = isFront ? placed : placed + remarked;
  if (placed >= MIN_PLACED && where * 2 > alone) return true;
  return !isHead && (isShared || (isFront && behind !== undefined) || (where > 0 && where * 2 >= alone));
}

function getRole(roles: Map<string, WordRole>, key: string): WordRole {
  const known = roles.get(key);
  if (known !== undefined) return known;
  const role = {
    isFront: false,
    isHead: false,
    behind: undefined,
    isShared: false,
    alone: 0,
    placed: 0,
    remarked: 0,
  };
  roles.set(key, role);
  return role;
}

const ONE_WORD = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;
const MAX_WORD_CHARS = 40;

function readHead(text: string, roles: Map<string, WordRole>): void {
  if (text.length <= MAX_WORD_CHARS && !text.includes(' ') && ONE_WORD.test(text))
    getRole(roles, text.toLowerCase()).isHead = true;
}

function readRuns(
  { text, head }: AnswerBlock,
  { pieces, runs }: BlockWords,
  language: string,
  roles: Map<string, WordRole>,
): void {
  for (const run of runs)
    if (run.last > run.first) readName(pieces, run, roles);
    else if (!isBehindName(text, pieces, run)) {
      const role = getRole(roles, pieces[run.first]?.key ?? '');
      role.alone += 1;
      if (isPlaced(pieces, run, language)) role.placed += 1;
      else if (isRemark(text, head, run)) role.remarked += 1;
    }
}

function readName(pieces: readonly Piece[], { first, last }: CapitalisedRun, roles: Map<string, WordRole>): void {
  const front = pieces[first]?.key ?? '';
  getRole(roles, front).isFront = true;
  for (let at = first + 1; at <= last; at += 1) {
    const key = pieces[at]?.key ?? '';
    if (key === front) continue;
    const role = getRole(roles, key);
    role.isShared ||= role.behind !== undefined && role.behind !== front;
    role.behind = front;
  }
}

const LINK = /^ (?:d[aeiou]s?|del|della|van|of|von) $/u;

/** "Acme di Rivertown": where it is, or whose it is. */
function isBehindName(text: string, pieces: readonly Piece[], { first, start }: CapitalisedRun): boolean {
  const further = pieces[first - 2];
  return further !== undefined && !isLower(further.text) && LINK.test(text.slice(further.end, start));
}

/** A bracket and the marks around it. */
const MAX_BEFORE_REMARK = 3;

/** "**Acme** (Rivertown)": in brackets behind the head of an entry. */
const isRemark = (text: string, head: string | undefined, { start, end }: CapitalisedRun): boolean =>
  head !== undefined &&
  start <= head.length + MAX_BEFORE_REMARK &&
  text.startsWith(head) &&
  text.charAt(start - 1) === '(' &&
  /^[),]/u.test(text.slice(end, end + 1));
