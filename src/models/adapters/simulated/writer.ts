import { ordinarySentences, words } from './words-data.ts';

/** Numbers from 0 to under 1 that decide the form. */
export type Draws = () => number;

/** The part each brand plays in an answer, by name, in the order of appearance. */
export type Cast = {
  recommended: readonly string[];
  /** Named beside another option and not recommended. */
  compared: readonly string[];
  /** Named and advised against. */
  avoided: readonly string[];
  /** Never named; may occur in a URL or inside a longer word. */
  absent: readonly string[];
};

/**
 * An answer in Markdown that gives each brand its part, in a form and with traps that `draws` decide. From 1,200 to 3,500
 * characters; longer only when the names take the room.
 */
export function writeAnswer(cast: Cast, draws: Draws): string {
  const pen = createPen(draws);
  const pending = [...cast.compared];
  const front = [writeOpening(pen), ...writeChoices(pen, cast.recommended, pending)];
  const middle = [
    ...writeComparisons(pen, pending, cast.recommended),
    ...writeExtras(pen, cast),
    ...writeTraps(pen, cast.absent),
  ];
  const end = [...writeWarnings(pen, cast.avoided), writeClosing(pen, cast.recommended)];
  const length = [...front, ...middle, ...end].join('\n\n').length;
  return [...front, ...middle, ...writeFillers(pen, length), ...end].join('\n\n');
}

type List = keyof typeof words;
type Slots = Readonly<Record<string, string | (() => string)>>;

/** `say` fills the next sentence of a list, `fill` one sentence; both read slots from `slots`, then from the lists. */
type Pen = {
  draws: Draws;
  say: (list: List, slots?: Slots) => string;
  fill: (template: string, slots: Slots) => string;
};

/** Brands that get an entry of their own; the rest share a short list. */
const MAX_ENTRIES = 8;
/** Characters that entries may take together, and what an entry of each level of detail takes without its name. */
const ENTRIES_CHARS = 1900;
const LEVEL_CHARS = [110, 190, 230, 330] as const;
const MAX_PROSE_BRANDS = 5;
/** Brands of a table that a sentence below it speaks of. */
const MAX_TABLE_DETAILS = 2;
/** Comparisons and warnings with a sentence of their own, and names in each sentence for the rest. */
const MAX_OWN_SENTENCES = 3;
const NAMES_PER_SENTENCE = 6;

const MIN_ANSWER_CHARS = 1200;
/** Fillers go on up to a length between the minimum and this one. */
const MAX_FILLED_CHARS = 2800;

const isList = (slot: string): slot is List => Object.hasOwn(words, slot);

/** Primes to go round a list by; those that do not divide its length come to every place. */
const STRIDES = [1, 5, 7, 11] as const;

/** Each list starts at a drawn place and goes round, so that no sentence comes twice before all have come. */
function createPen(draws: Draws): Pen {
  const places = new Map<List, number>();
  const drawn = draws();
  const strideOf = (length: number): number => {
    const strides = STRIDES.filter((stride) => stride === 1 || length % stride !== 0);
    return strides[Math.floor(drawn * strides.length)] ?? 1;
  };
  const fill = (template: string, slots: Slots): string =>
    template.replaceAll(/\{(\w{1,20})\}/gu, (_, slot: string) => {
      const value = slots[slot];
      if (value !== undefined) return typeof value === 'string' ? value : value();
      if (!isList(slot)) throw new Error(`The slot ${slot} has no words.`);
      return say(slot, slots);
    });
  const say = (list: List, slots: Slots = {}): string => {
    const sentences = words[list];
    const place = places.get(list) ?? Math.floor(draws() * sentences.length);
    places.set(list, (place + strideOf(sentences.length)) % sentences.length);
    return fill(sentences[place] ?? '', slots);
  };
  return { draws, say, fill };
}

function writeOpening({ draws, say }: Pen): string {
  const introduction = say('introduction');
  const ordinary = ordinarySentences[Math.floor((draws() / ORDINARY_SHARE) * ordinarySentences.length)];
  return ordinary === undefined ? introduction : `${introduction} ${ordinary}`;
}

/** Shares of the answers that have a thing. */
const ORDINARY_SHARE = 0.3;
const SOURCE_SHARE = 0.4;
const INSIDE_SHARE = 0.06;
const DETAIL_SHARE = 0.4;
const CRITERIA_SHARE = 0.2;
const RESPELLED_SHARE = 0.12;

/** What is recommended, in one of six forms. Takes names from `pending` that an entry compares its brand with. */
function writeChoices(pen: Pen, names: readonly string[], pending: string[]): readonly string[] {
  if (names.length === 0) return [pen.say('guidance')];
  const text = (): string => {
    const other = pen.draws() < 0.5 ? pending.shift() : undefined;
    const sentence = pen.say('text');
    return other === undefined ? sentence : `${sentence} ${pen.say('comparedInEntry', { name: other })}`;
  };
  const own = names.slice(0, MAX_ENTRIES);
  const rest = names.slice(MAX_ENTRIES);
  const form = forms[Math.floor(pen.draws() * forms.length)] ?? writeBulletList;
  const body = form(pen, own, text);
  return rest.length === 0 ? body : [...body, ...writeShortList(pen, rest)];
}

type Form = (pen: Pen, names: readonly string[], text: () => string) => readonly string[];

const writeNumberedList: Form = (pen, names, text) => [
  pen.say('listLead'),
  writeEntries(pen, words.numberedEntry, names, text).join('\n'),
];

const writeBulletList: Form = (pen, names, text) => [
  pen.say('listLead'),
  writeEntries(pen, words.bulletEntry, names, text).join('\n'),
];

const writeHeadings: Form = (pen, names, text) => writeEntries(pen, words.headingEntry, names, text);

const writeTable: Form = (pen, names, text) => {
  const row = words.tableRow[Math.floor(pen.draws() * words.tableRow.length)] ?? words.tableRow[0];
  const rows = names.map((name) => pen.fill(row, { name }));
  const details = names.slice(0, MAX_TABLE_DETAILS).map((name) => pen.say('recommending', { name, text }));
  return [[pen.say('tableLead'), ...rows].join('\n'), details.join(' ')];
};

const writeProse: Form = (pen, names, text) => {
  if (names.length > MAX_PROSE_BRANDS) return writeBulletList(pen, names, text);
  return names.map((name) => pen.say('recommending', { name, text }));
};

const writeMixed: Form = (pen, names, text) => {
  const [first = '', ...others] = names;
  const start = pen.say('recommending', { name: first, text });
  return others.length === 0 ? [start] : [start, ...writeNumberedList(pen, others, text)];
};

const forms: readonly Form[] = [writeNumberedList, writeBulletList, writeHeadings, writeTable, writeProse, writeMixed];

/** One entry a name, all at the same level of detail: drawn, and no higher than the room allows. */
function writeEntries(
  pen: Pen,
  levels: readonly string[],
  names: readonly string[],
  text: () => string,
): readonly string[] {
  const room = LEVEL_CHARS.filter((chars) => chars * names.length <= ENTRIES_CHARS).length;
  // Real answers are rather detailed: a square root makes the higher levels more frequent.
  const level = Math.floor(Math.sqrt(pen.draws()) * Math.max(1, room));
  const template = levels[level] ?? '';
  return names.map((name, at) => pen.fill(template, { name, n: String(at + 1), text }));
}

const writeShortList = (pen: Pen, names: readonly string[]): readonly string[] => [
  pen.say('moreLead'),
  names.map((name) => pen.say('tinyEntry', { name })).join('\n'),
];

/** A paragraph that compares each name with another option. */
function writeComparisons(pen: Pen, names: readonly string[], recommended: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const other = recommended[0] ?? 'a newer tool';
  const own = names.slice(0, MAX_OWN_SENTENCES).map((name) => pen.say('compared', { name, other }));
  return [[...own, ...writeGroups(pen, 'manyCompared', names)].join(' ')];
}

/** Advice against brands: a section with a heading of its own, or sentences. */
function writeWarnings(pen: Pen, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const own = names.slice(0, MAX_OWN_SENTENCES);
  const shared = writeGroups(pen, 'manyAvoided', names);
  if (pen.draws() < 0.5) return [[...own.map((name) => pen.say('avoided', { name })), ...shared].join(' ')];
  const list = own.map((name) => pen.say('avoidedEntry', { name })).join('\n');
  // What follows does not belong under this heading.
  return [pen.say('avoidedLead'), list, ...shared, pen.say('closingLead')];
}

function writeGroups(pen: Pen, list: 'manyCompared' | 'manyAvoided', names: readonly string[]): readonly string[] {
  const rest = names.slice(MAX_OWN_SENTENCES);
  const groups = Array.from({ length: Math.ceil(rest.length / NAMES_PER_SENTENCE) }, (_, at) =>
    rest.slice(at * NAMES_PER_SENTENCE, (at + 1) * NAMES_PER_SENTENCE),
  );
  return groups.map((group) => pen.say(list, { names: formatEnumeration(group) }));
}

const formatEnumeration = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

/** More about a recommended brand: possessives, a table of criteria, another spelling of its name. */
function writeExtras({ draws, say }: Pen, { recommended }: Cast): readonly string[] {
  const name = recommended.at(-1);
  if (name === undefined) return [];
  const some = [
    { list: 'detail', share: DETAIL_SHARE },
    { list: 'criteria', share: CRITERIA_SHARE },
    { list: 'respelled', share: RESPELLED_SHARE },
  ] as const;
  const slots = { name, respelled: () => respellName(name, draws), capitals: () => name.toUpperCase() };
  return some.filter(({ share }) => draws() < share).map(({ list }) => say(list, slots));
}

/** Another spelling that people use for a name: in capitals when there is no other. */
function respellName(name: string, draws: Draws): string {
  const spellings = [
    name.replaceAll(' ', ''),
    name.replaceAll(' ', '-'),
    name.replaceAll('-', ' '),
    name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    name.replaceAll('&', '&amp;'),
  ].filter((spelling) => spelling !== name);
  return spellings[Math.floor(draws() * spellings.length)] ?? name.toUpperCase();
}

/** Letters of names that are not named: in a URL, and inside a longer word. */
function writeTraps({ draws, say }: Pen, absent: readonly string[]): readonly string[] {
  const slugs = absent.map(formatSlug).filter((slug) => slug.length >= MIN_TRAP_CHARS);
  const [slug] = slugs;
  const word = absent.find((name) => /^[A-Za-z]{4,20}$/u.test(name));
  const source = slug !== undefined && draws() < SOURCE_SHARE ? [say('source', { slug })] : [];
  const inside =
    word !== undefined && draws() < INSIDE_SHARE ? [say('inside', { inside: `${word.toLowerCase()}ologists` })] : [];
  return [...source, ...inside];
}

const MIN_TRAP_CHARS = 3;

/** Words for a URL; of names in other scripts nothing remains, and they are in none. */
const formatSlug = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');

/** General advice up to a drawn length. Each piece comes at most once. */
function writeFillers({ draws, say }: Pen, length: number): readonly string[] {
  const target = MIN_ANSWER_CHARS + draws() * (MAX_FILLED_CHARS - MIN_ANSWER_CHARS);
  const pieces: string[] = [];
  let filled = length;
  for (let at = 0; at < words.filler.length && filled < target; at += 1) {
    const piece = say('filler');
    pieces.push(piece);
    filled += piece.length + 2;
  }
  return pieces;
}

function writeClosing({ say }: Pen, recommended: readonly string[]): string {
  const [name] = recommended;
  return name === undefined ? say('openClosing') : say('closing', { name });
}
