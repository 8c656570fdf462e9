import { rememberPerKey, rememberPerObject } from '../../lib/memo.ts';
import { type AnswerStructure, type AnswerBlock, CELL_SEPARATOR } from '../structure/structure.ts';
import { type Corpus, count } from './corpus.ts';
import type { BlockWords } from './pieces.ts';
import { judgeName, isWrittenAsName, splitNames } from './names.ts';
import { isPlaceWord } from './more-words.ts';
import { type AboutProse, findNamesInProse, type PassingNames } from './prose.ts';
import { countNaming, isSupported } from './support.ts';
import { findHolder, isCriteriaTitle, isCriterion, isSectionTitle, isUnderWarning, isWarningAbove } from './titles.ts';
import { nameVerbs, optionHeaders, properWords } from './words-data.ts';

/**
 * What a row of a table means: a header that compares names, or the column of its option. `table` is the
 * index of the header's block.
 */
type RowRole = { compares: boolean; column: number; table: number };

/** The meaning of each block that is a row, by its index. */
function assignRowRoles(blocks: readonly AnswerBlock[], corpus: Corpus): ReadonlyMap<number, RowRole> {
  const roles = new Map<number, RowRole>();
  let role: RowRole | undefined;
  for (const [index, block] of blocks.entries()) {
    // Only the header of a table has a text in its first cell and no head.
    const isHeader = block.head === undefined && !block.text.startsWith(CELL_SEPARATOR.trim());
    if (block.kind !== 'row') role = undefined;
    else if (role === undefined || isHeader) {
      role = { ...readHeaderRole(block.text.split(CELL_SEPARATOR), listRowHeads(blocks, index), corpus), table: index };
      roles.set(index, { compares: role.column < 0, column: -1, table: index });
    } else roles.set(index, { compares: false, column: role.column, table: role.table });
  }
  return roles;
}

/** The first cells of the rows below a header. */
function listRowHeads(blocks: readonly AnswerBlock[], header: number): readonly string[] {
  const heads: string[] = [];
  for (let index = header + 1; heads.length < MAX_ROW_HEADS; index += 1) {
    const block = blocks[index];
    if (block?.kind !== 'row' || block.head === undefined) break;
    heads.push(block.head);
  }
  return heads;
}

const MAX_ROW_HEADS = 20;

/** Reads the header of a table: `column` is -1 when the options are side by side in the header itself. */
function readHeaderRole(
  header: readonly string[],
  rowHeads: readonly string[],
  corpus: Corpus,
): Pick<RowRole, 'compares' | 'column'> {
  const isOption = (cell: string): boolean =>
    cell
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => optionHeaders.has(word));
  const [, ...rest] = header;
  const named = rest.filter((cell) => isWrittenAsName(cell, corpus)).length;
  const column = header.findIndex(isOption);
  const compares = column === -1 && named >= 2 && named * 2 >= rest.length;
  if (compares && getKnownShare(rest, corpus) >= getKnownShare(rowHeads, corpus)) return { compares, column };
  return { compares: false, column: Math.max(0, column) };
}

/** How many of the texts other answers have as names: those of a header, or the first cells of its rows. */
const getKnownShare = (texts: readonly string[], { support }: Corpus): number =>
  texts.filter((text) => isSupported(text, support)).length / Math.max(1, texts.length);

/** The heads of a block: names joined in one text are not parted yet. */
function listHeads({ kind, head, text }: AnswerBlock, role: RowRole | undefined): readonly string[] {
  if (kind !== 'row') return head === undefined ? [] : [head];
  if (role === undefined || role.column < 0) return [];
  if (role.column === 0) return head === undefined ? [] : [head];
  return [text.split(CELL_SEPARATOR)[role.column] ?? ''];
}

/** The cells that name what a table compares, if the block is the header of one. */
const listComparedNames = ({ text }: AnswerBlock, role: RowRole | undefined): readonly string[] =>
  role?.compares === true ? text.split(CELL_SEPARATOR).slice(1) : [];

/** What the heads around a head are: nearly all names, hardly any, both, or texts of which other answers know hardly one. */
type Company = 'names' | 'features' | 'mixed' | 'strangers';

/** Fewer heads say nothing about each other. */
const MIN_HEADS = 3;
const NAMES_SHARE = 0.5;
const FEATURES_SHARE = 0.35;
/** Fewer answers, or fewer heads of a list, do not vote. Lists of options end with rare names; labels come in twos. */
const MIN_VOTERS = 3;
const MIN_STRANGERS = { item: 3, row: 3, heading: 2, paragraph: 2, quote: 3 } as const;
/** With less than a third of their heads in other answers, lists are of labels. */
const KNOWN_SHARE = 1 / 3;
/** "Edifier W820NB Plus", "AirPods Max", "Bose QuietComfort": no label is written so, whether others know it or not. */
const STRONG_NAME = /^\p{Lu}[\p{L}\p{N}&’']* \p{Lu}[^ ]*(?: [\p{Lu}\p{N}][^ ]*)*$|\p{Ll}\p{Lu}/u;

/** Japanese writes labels in characters, and most names that are not Japanese words in katakana. */
const KANA_FRONT = /^[\p{Script=Katakana}ー]{3}/u;

/**
 * For each block with a head its company: the items of its list, the rows of its table, the headings of its
 * level, the bold entries under its heading.
 */
function groupByCompany(
  blocks: readonly AnswerBlock[],
  roles: ReadonlyMap<number, RowRole>,
  corpus: Corpus,
): ReadonlyMap<number, Company> {
  const groups = new Map<string, HeadGroup>();
  let list = 0;
  for (const [index, block] of blocks.entries()) {
    // Text between two items that belongs to neither separates two lists.
    if (block.kind !== 'item' && (block.parent === undefined || blocks[block.parent]?.kind !== 'item')) list = index;
    const heads = listHeads(block, roles.get(index)).flatMap((text) => splitNames(text, corpus));
    if (heads.length === 0) continue;
    const key = `${block.kind} ${block.depth} ${roles.get(index)?.table ?? block.parent ?? ''} ${block.kind === 'item' ? list : ''}`;
    const group = groups.get(key) ?? { kind: block.kind, members: [], names: 0, known: 0, strong: 0 };
    groups.set(key, group);
    group.members.push(index);
    const most = Math.max(...heads.map((head) => countNaming(head, corpus.support)));
    if (most > 1) group.known += 1;
    // What half the answers name heads no list of labels.
    if (most > 1 && most * 2 >= corpus.blocks.length) group.strong = Infinity;
    const names = heads.filter((head) => judgeName(head, corpus) === 'name');
    if (heads.some((head) => STRONG_NAME.test(head)) || names.some((name) => KANA_FRONT.test(name))) group.strong += 1;
    if (names.length > 0) group.names += 1;
  }
  return new Map(
    [...groups.values()].flatMap((group) =>
      group.members.map((index) => [index, classifyCompany(group, corpus.blocks.length)] as const),
    ),
  );
}

/** Heads that are side by side: how many are written as names, how many beyond doubt, how many other answers have as names. */
type HeadGroup = { kind: AnswerBlock['kind']; members: number[]; names: number; known: number; strong: number };

function classifyCompany({ kind, members, names, known, strong }: HeadGroup, answers: number): Company {
  const isKnown = known / members.length >= KNOWN_SHARE || strong / members.length >= NAMES_SHARE;
  if (answers >= MIN_VOTERS && members.length >= MIN_STRANGERS[kind] && !isKnown) return 'strangers';
  if (members.length < MIN_HEADS) return 'mixed';
  const share = names / members.length;
  if (share >= NAMES_SHARE) return 'names';
  return share <= FEATURES_SHARE ? 'features' : 'mixed';
}

/**
 * A text that may be a brand's name, and where it is. `option`: at the head of a heading, item, bold entry or row of
 * options; `bold`: set in bold or a column of a comparison; `prose`: in a
 * list of a sentence; `passing`: elsewhere inside a sentence.
 */
export type Candidate = {
  name: string;
  answer: number;
  block: number;
  place: 'option' | 'bold' | 'prose' | 'passing';
  /** To be believed when another answer has the name too. */
  isDoubtful: boolean;
  /** The answer advises against this place. */
  isWarning: boolean;
  /** An article precedes, or a word that says whose a thing is or from where. */
  isBound?: boolean | undefined;
  /** It is in the title of a section. */
  isTitle?: boolean;
  /** The block that this one is a detail of, if that names a product; undefined when it is separate. */
  under: number | undefined;
  /** The label of such a detail, in lower case: "area". */
  label?: string;
};

/** A head that returns so often in one answer is a label ("Pros", "Preis"). */
const LABEL_REPEATS = 4;
/** Two letters inside a sentence are a unit more often than a name. */
const MIN_PASSING_CHARS = 3;
const MAX_CANDIDATES = 20_000;

/** Every text of the run's answers that is written as a name in a place where names occur. */
export function listCandidates(answers: readonly AnswerStructure[], corpus: Corpus): readonly Candidate[] {
  const all: Candidate[] = [];
  const about = {
    language: corpus.language,
    isKnown: rememberPerKey((name: string) => isSupported(name, corpus.support)),
  };
  for (const [answer, { blocks }] of answers.entries()) {
    const labels = listRepeatedHeads(blocks);
    const isWarning = rememberPerKey((index: number) => isWarningAbove(blocks[index]));
    const isCriteria = rememberPerKey((index: number) => isCriteriaTitle(blocks[index]));
    const roles = assignRowRoles(blocks, corpus);
    const companies = groupByCompany(blocks, roles, corpus);
    for (const [block, one] of blocks.entries()) {
      if (all.length >= MAX_CANDIDATES) break;
      const words = corpus.blocks[answer]?.[block] ?? { pieces: [], runs: [] };
      const company = companies.get(block) ?? 'mixed';
      const texts = listCandidateTexts(one, roles.get(block), labels, words, about).filter(
        (each) => each.texts.length > 0 && (each.place !== 'option' || !isCriterion(blocks, block, isCriteria)),
      );
      const isTitle = isSectionTitle(one) && answers.length >= MIN_VOTERS;
      const isWarned = isUnderWarning(blocks, block, isWarning);
      const at = { answer, block, isWarning: isWarned, under: findHolder(blocks, block), isTitle };
      const label = at.under === undefined || one.depth === 0 ? undefined : DETAIL.exec(one.text)?.[1]?.toLowerCase();
      const isSure = ({ isOffered }: Placed, found: JudgedCandidate): boolean =>
        company !== 'strangers' || isOffered || isHeadPlace(found) || isSureSpelling(found);
      const isBelieved = (placed: Placed, found: JudgedCandidate): boolean =>
        (!isTitle && isSure(placed, found)) || isSupported(found.name, corpus.support);
      const found = texts.flatMap((placed) =>
        judgeCandidate(placed, one, company, corpus).filter((each) => isBelieved(placed, each)),
      );
      all.push(...found.map((each) => ({ ...at, ...each, ...(label === undefined ? {} : { label }) })));
    }
  }
  return withoutUnknownDetails(all, corpus);
}

const isHeadPlace = ({ place }: Pick<Candidate, 'place'>): boolean => place === 'option' || place === 'bold';

/** "PayPal", "acme.com". */
const SURE_SPELLING = /\p{Ll}\p{Lu}|\p{L}\.\p{Ll}{2,4}$/u;

/** Two capitals in a row inside a sentence are no label's. */
const isSureSpelling = ({ name, place }: JudgedCandidate): boolean =>
  SURE_SPELLING.test(name) || (place === 'passing' && / \p{Lu}/u.test(name));

/** "Area: Otley, Adel", below an option. */
const DETAIL = /^([^:：\n]{2,30}?) ?[:：]/u;
/** So many names behind one label, and no other answer knows one of them: places, standards, materials. */
const MIN_VALUES = 2;

/** Without the names behind labels of details of which other answers know none. */
function withoutUnknownDetails(candidates: readonly Candidate[], { support, blocks }: Corpus): readonly Candidate[] {
  if (blocks.length < MIN_VOTERS) return candidates;
  const values = new Map<string, { names: number; known: number }>();
  const keyOf = ({ answer, label, place, name }: Candidate): string | undefined =>
    label === undefined || isHeadPlace({ place }) || SURE_SPELLING.test(name) ? undefined : `${answer} ${label}`;
  for (const one of candidates) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const { names, known } = values.get(key) ?? { names: 0, known: 0 };
    values.set(key, { names: names + 1, known: known + Number(isSupported(one.name, support)) });
  }
  return candidates.filter((one) => {
    const value = values.get(keyOf(one) ?? '');
    return value === undefined || value.names < MIN_VALUES || value.known / value.names >= KNOWN_SHARE;
  });
}

/** Texts of one place: a head, or the names of a list. */
type Placed = { texts: readonly string[]; place: Candidate['place']; isOffered: boolean } & Partial<
  Pick<PassingNames, 'isDefinite' | 'isBound'>
>;

function listCandidateTexts(
  block: AnswerBlock,
  role: RowRole | undefined,
  labels: ReadonlySet<string>,
  words: BlockWords,
  about: AboutProse,
): readonly Placed[] {
  const bold = [
    ...block.bold.filter((text) => !text.endsWith(':') && text !== block.head),
    ...listComparedNames(block, role),
  ];
  const isOpen = (text: string): boolean => !labels.has(text.toLowerCase());
  const option = { texts: listHeads(block, role).filter(isOpen), place: 'option', isOffered: false } as const;
  const marked = { texts: bold.filter(isOpen), place: 'bold', isOffered: false } as const;
  // The cells of a table are values: a name inside them heads its row or column, too.
  if (block.kind === 'row') return [option, marked];
  const { listed, passing } = findNamesInProse(block.text, words, about);
  const lists = listed.map(({ names, isOffered }) => ({ texts: names, place: 'prose' as const, isOffered }));
  const inside = passing.map(({ names, ...before }) => ({
    ...before,
    texts: names,
    place: 'passing' as const,
    isOffered: false,
  }));
  return [option, marked, ...lists, ...inside];
}

type JudgedCandidate = Pick<Candidate, 'name' | 'place' | 'isDoubtful' | 'isBound'>;

function judgeCandidate(
  { texts, place, isOffered, isDefinite, isBound }: Placed,
  block: AnswerBlock,
  company: Company,
  corpus: Corpus,
): readonly JudgedCandidate[] {
  const all = texts.flatMap((text) => splitNames(text, corpus));
  const names = all.filter((name) => !corpus.shared.has(name.toLowerCase()));
  if (place === 'option') return names.flatMap((name) => judgeOption(name, block, company, corpus));
  const isFlat = place === 'passing' && names.length > 0 && isFlatText(block);
  const towns = place === 'prose' ? names.filter((name) => isPlaceWord(name.toLowerCase())) : [];
  const found = names.flatMap((name) => judgeText(name, place, corpus, isFlat));
  const sure = found.filter(({ isDoubtful }) => !isDoubtful).length;
  const doVote = corpus.blocks.length >= MIN_VOTERS;
  const isUnknown = (name: string): boolean => doVote && isDefinite === true && !isSupported(name, corpus.support);
  // In a list of names the doubtful ones are names too.
  const isList = place === 'prose' && sure > 0 && sure * 2 >= names.length;
  // A town among at least two sure names and nothing else is one: "Mapfre, Bilbao y Axa".
  if (towns.length > 0 && sure >= MIN_NAMES_BESIDE_TOWN && sure + towns.length === names.length)
    found.push(...towns.map((name) => ({ name, place, isDoubtful: false })));
  return isList
    ? found.map((one) => ({ ...one, isDoubtful: one.isDoubtful && !isOffered && isAbbreviation(one.name) }))
    : found.map((one) => ({ ...one, isDoubtful: one.isDoubtful || isUnknown(one.name), isBound: doVote && isBound }));
}

const MIN_NAMES_BESIDE_TOWN = 2;

/** A head is judged by the heads beside it as well: "Close" among names is one, "Breadcrumbs" among features is none. */
function judgeOption(name: string, block: AnswerBlock, company: Company, corpus: Corpus): readonly JudgedCandidate[] {
  const verdict = judgeName(name, corpus);
  const isSpokenOf = isSubject(block, name);
  if (company === 'strangers' && !isSpokenOf && !isSupported(name, corpus.support)) return [];
  const isNamed = isSpokenOf || company === 'names';
  if (verdict === 'other' || (verdict === 'ordinary' && !isNamed)) return [];
  const isDoubtful = !isNamed && (verdict === 'doubtful' || company === 'features');
  return [{ name, place: 'option', isDoubtful }];
}

function judgeText(
  name: string,
  place: Candidate['place'],
  corpus: Corpus,
  isFlat: boolean,
): readonly JudgedCandidate[] {
  const verdict = judgeName(name, corpus);
  if (verdict === 'other' || verdict === 'ordinary') return [];
  if (place === 'bold') return [{ name, place, isDoubtful: verdict === 'doubtful' }];
  const words = name.toLowerCase().split(/[ -]/u);
  // "ISO 27001" is a standard and "New York" a town; "Boston Dynamics" is a company.
  const isPlaceLike = (word: string, index: number): boolean =>
    isPlaceWord(word) || (index > 0 && /\d|^[ivx]{1,4}$/u.test(word));
  if (properWords.has(words[0] ?? '') || isPlaceWord(name.toLowerCase()) || words.every(isPlaceLike)) return [];
  // "Cup of Excellence": what small words join is a name more surely where another answer has it.
  if (place === 'passing' && / \p{Ll}/u.test(name) && !isSupported(name, corpus.support))
    return [{ name, place, isDoubtful: true }];
  const isPlain = corpus.isGerman && !/\p{Ll}\p{Lu}|[\d&]/u.test(name);
  if (place === 'passing' && isFlat && !/\p{Ll}\p{Lu}|[\d&]| /u.test(name)) return [{ name, place, isDoubtful: true }];
  const isWeak = verdict === 'doubtful' || isPlain || isAbbreviation(name);
  if (isWeak && (place === 'passing' || (isPlain && verdict === 'doubtful'))) return [];
  return place === 'passing' && name.length < MIN_PASSING_CHARS ? [] : [{ name, place, isDoubtful: isWeak }];
}

/** A page whose lines were lost: long, with hardly a sentence. There a capital shows a label as often as a name. */
export const isFlatText = (block: AnswerBlock): boolean =>
  block.kind === 'paragraph' && block.text.length >= MIN_FLAT_CHARS && hasFewSentences(block);

const hasFewSentences = rememberPerObject(({ text }: AnswerBlock): boolean => {
  const start = text.slice(0, MAX_FLAT_CHARS);
  return (start.match(/\p{Ll}{2}[.!?] \p{Lu}/gu)?.length ?? 0) * CHARS_PER_SENTENCE < start.length;
});

const MIN_FLAT_CHARS = 500;
const MAX_FLAT_CHARS = 3000;
const CHARS_PER_SENTENCE = 180;

const isAbbreviation = (name: string): boolean => /^\p{Lu}{2,5}s?$/u.test(name);

/** "Acme is ...": a feature has a colon or a dash behind it. */
function isSubject({ text, head }: AnswerBlock, name: string): boolean {
  if (head !== name) return false;
  const at = text.indexOf(name);
  return nameVerbs.has(/^ ([\p{L}’']{1,12})/u.exec(text.slice(at + name.length, at + name.length + 14))?.[1] ?? '');
}

/** Heads of list items and bold entries that are repeated in one answer, in lower case. */
function listRepeatedHeads(blocks: readonly AnswerBlock[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { kind, head } of blocks)
    if (head !== undefined && (kind === 'item' || kind === 'paragraph')) count(counts, head.toLowerCase());
  return new Set([...counts].filter(([, times]) => times >= LABEL_REPEATS).map(([head]) => head));
}
