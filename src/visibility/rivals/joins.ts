import type { BlockWords, CapitalisedRun, Piece } from './pieces.ts';
import { articles } from './words-data.ts';

/** What joins the parts of a name in small letters: "Serrana do Bule", "Boulangerie du Palais", "Cup of Excellence". */
const CONNECTION = /^ (?:(?:d[aeiou]|del|della|dos|das|des|dei|de la|de los|of|of the|van de[nr]?) |d['’]|dell['’])$/u;
const FIRST_LETTERS = 'dov';
const [MIN_GAP, MAX_GAP] = [3, 9];

/**
 * The runs, with those that small words join made one. What the run of answers knows by itself is no tail of a name but its
 * maker: "la Conga de Cecotec". `joining` are small words that join for sure.
 */
export function joinRuns(
  text: string,
  { pieces, runs }: BlockWords,
  isKnown: (key: string) => boolean,
  joining: ReadonlySet<string>,
): readonly CapitalisedRun[] {
  if (!runs.some((run, index) => isJoined(text, run, runs[index + 1], joining))) return runs;
  // A capital at the start of a sentence may be a verb's: "Fuja do Acme".
  const isFront = ({ first, last, start }: CapitalisedRun): boolean =>
    last > first ||
    isKnown(pieces[first]?.key ?? '') ||
    (start > 0 && /[\p{L},] ?$/u.test(text.slice(start - 2, start)));
  const joined: CapitalisedRun[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      isJoined(text, before, run, joining) &&
      (joining.has(text.slice(before.end + 1, run.start - 1)) ||
        (isFront(before) && !isKnown(pieces[run.first]?.key ?? '')))
    )
      joined[joined.length - 1] = { ...before, last: run.last, end: run.end, isJoined: true };
    else joined.push(run);
  }
  return joined;
}

/** Whether small words join a run to the one behind it: then the second is the tail of a name, or its maker. */
function isJoined(
  text: string,
  run: CapitalisedRun,
  next: CapitalisedRun | undefined,
  joining: ReadonlySet<string>,
): boolean {
  if (next === undefined || next.start - run.end > MAX_GAP || next.start - run.end < MIN_GAP) return false;
  if (text.charAt(run.end) !== ' ') return false;
  if (joining.size > 0 && text.charAt(next.start - 1) === ' ' && joining.has(text.slice(run.end + 1, next.start - 1)))
    return true;
  return FIRST_LETTERS.includes(text.charAt(run.end + 1)) && CONNECTION.test(text.slice(run.end, next.start));
}

/** Words right before a place, by language: what is inside a sentence behind one of them says where, not who. */
const locatives: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('near around across throughout outside'.split(' ')),
  de: new Set('in nach'.split(' ')),
  fr: new Set('en vers'.split(' ')),
  es: new Set('en hacia'.split(' ')),
  it: new Set('a ad in'.split(' ')),
  nl: new Set('in te langs rond rondom'.split(' ')),
  pt: new Set('em'.split(' ')),
};

/** Nouns of what has a place's name, in lower case: "rue Saint-Jean", "provincia di Brescia". */
const placeNouns: ReadonlySet<string> = new Set(
  `praia plage playa spiaggia strand beach vale valle vallée valley lago lac lake monte mont mount île isla isola ilha eiland insel island rio fiume fleuve río river porto puerto port vila paese rue avenue boulevard place quai gare quartier ville région arrondissement piazza viale corso provincia zona quartiere città regione calle plaza avenida barrio ciudad provincia región distrito rua praça bairro cidade região estado estação straat plein wijk gemeente provincie stad stadtteil stadt bezirk region street road square district county city region town village`.split(
    ' ',
  ),
);

const linkWords: ReadonlySet<string> = new Set('de du del di da do della dos of van la le les l'.split(' '));

/** Whether the words before a run say that it is a place. */
export function isPlaced(pieces: readonly Piece[], { first, start }: CapitalisedRun, language: string): boolean {
  const before = pieces[first - 1];
  if (before === undefined || start - before.end !== 1) return false;
  const where = locatives[language];
  const further = pieces[first - 2];
  if (where?.has(before.text) === true || placeNouns.has(before.text)) return true;
  if (further === undefined) return false;
  if (articles.has(before.text) && (where?.has(further.text) === true || further.text === 'à')) return true;
  if (!linkWords.has(before.text)) return false;
  const noun = linkWords.has(further.text) ? pieces[first - 3] : further;
  return noun !== undefined && placeNouns.has(noun.text);
}

/** What joins the last of a list, by language; where none is known, that of any. */
export const isConjunction = (word: string, language: string): boolean =>
  language === ''
    ? Object.values(conjunctions).some((words) => words.has(word))
    : conjunctions[language]?.has(word) === true;

const conjunctions: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set(['and', 'or']),
  de: new Set(['und', 'oder', 'sowie']),
  fr: new Set(['et', 'ou']),
  es: new Set(['y', 'e', 'o', 'u']),
  it: new Set(['e', 'ed', 'o']),
  nl: new Set(['en', 'of']),
  pt: new Set(['e', 'ou']),
};

/** Function words that one of the languages has and the others hardly have. */
const functionWords: Readonly<Record<string, readonly string[]>> = {
  en: ['the', 'and', 'with', 'is', 'for', 'of'],
  de: ['der', 'und', 'mit', 'ist', 'für', 'nicht'],
  fr: ['le', 'et', 'est', 'les', 'pour', 'une'],
  es: ['el', 'y', 'con', 'los', 'que', 'una'],
  it: ['il', 'che', 'è', 'di', 'per', 'una'],
  nl: ['het', 'een', 'van', 'voor', 'niet', 'zijn'],
  pt: ['o', 'e', 'com', 'não', 'uma', 'do'],
};

/** Fewer function words show no language. */
const MIN_SHOWN = 5;

/** The language of texts in Latin letters, by their function words; '' where they have hardly any. */
export function findLanguage(lower: ReadonlyMap<string, number>): string {
  const scores = Object.entries(functionWords).map(
    ([language, words]) => [language, words.reduce((sum, word) => sum + (lower.get(word) ?? 0), 0)] as const,
  );
  const [language, shown] = scores.toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
  return shown < MIN_SHOWN ? '' : language;
}
