import { rememberPerObject } from '../../lib/memo.ts';
import { MULTIPLE_WORDS, NUMBER_WORDS, RATIO_WORDS, SMALL_NUMBER_WORDS } from './number-words-data.ts';
import { STOP_WORDS } from './stop-words-data.ts';
import { isReference } from './words.ts';
import { isMonthName } from './written-dates.ts';
import type { MainText } from '../text/facts/sample-text.ts';

/** Statistics kept of one text; more than these change no verdict. */
export const MAX_STATISTICS = 200;

/** A number that says how much of what, as written, and the line of the text that contains it (from 0). */
export type Statistic = { text: string; line: number };

// Every repeat is bounded and no number starts inside another, so that a search is linear in the text.
// A script without spaces writes a number straight behind a word.
const UNSPACED_BEFORE = String.raw`(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])`;
// `COVID-19` and `F-16` are names.
const BEFORE = String.raw`(?:(?<![\p{L}\p{N}.,#/_©]|\p{L}[-‐‑](?=\d))|${UNSPACED_BEFORE})`;
// Spaces may separate thousands; a page's text has them as plain spaces.
const SPACED_NUMBER = String.raw`\d{1,3}(?:[ \u00A0\u202F]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)`;
const PLAIN_NUMBER = String.raw`\d{1,15}(?:[.,'’\u00A0\u202F]\d{1,12}){0,4}`;
const NUMBER = `(?:${SPACED_NUMBER}|${PLAIN_NUMBER})`;
const SCALE =
  'thousand|million|billion|trillion|bn|mln|mld|mrd\\.?|mio\\.?|tausend|millionen|milliarden?|milliards?|millions|mille|mil|' +
  'millones|milioni|miliardi|milhões|bilhões|miljoen|miljard|тысяч[аи]?|млн|млрд|milion(?:a|ów|y|u|ů)?|miliard(?:a|ów|y)?|tysi(?:ąc|ące|ęcy)|миллион(?:ов|а)?|миллиард(?:ов|а)?|مليون|مليار';
const CURRENCY_SIGN = String.raw`[$€£¥₹₩₽₺₴]`;
const CURRENCY_WORD =
  'usd|eur|gbp|chf|jpy|cny|inr|cad|aud|dollars?|euros?|pounds|yen|yuan|рубл(?:ей|я|ь)|円|元|원|dólares|livres|доллар(?:ов|а)?|دولار';
const PERCENT =
  '%|％|٪|‰|per ?cent|percentage points?|prozent|pour cent|por ciento|per cento|por cento|procent|процент(?:ов|а)?|パーセント|퍼센트';
const UNITS =
  'km/h|m/s|km²|m²|m2|km|kilomet(?:er|re)s?|m|met(?:er|re)s?|cm|mm|µm|nm|mi|miles?|ft|feet|foot|inch(?:es)?|yards?|hectares?|acres?|ha|' +
  'kg|kilograms?|g|grams?|mg|µg|lbs?|oz|ounces?|tonnes?|tons?|l|lit(?:er|re)s?|ml|gallons?|°c|°f|°|kwh|mwh|gwh|twh|kw|mw|gw|watts?|w|volts?|v|' +
  'kb|mb|gb|tb|pb|kib|mib|gib|kbit/s|mbit/s|gbit/s|mbps|gbps|hz|khz|mhz|ghz|ms|µs|ns|seconds?|minutes?|hours?|days?|weeks?|months?|years?|' +
  'sekunden?|minuten?|stunden?|tagen?|wochen|monaten?|jahren?|heures?|jours?|semaines?|mois|années|ans|horas?|días?|semanas?|meses|años|anos|dias|ore|giorni|mesi|anni|uur|dagen|weken|maanden|jaar|' +
  'секунд|минут|часов|дней|недель|месяцев|лет|км|кг|' +
  'mph|ppm|ppb|db|kcal|calories|kj|px|rpm|bar|psi|tokens?|people|users|customers|participants|respondents';
/** Scripts without spaces write units straight before the next word. */
const UNSPACED =
  '[万億亿만억]?(?:公里|千克|公斤|平方米|米|小时|分钟|天|時間|分間|日間|年間|시간|분|일간|人|名|명|倍|배|円|元|원|％)|[万億亿만억]';
const YEAR = String.raw`(?:1[5-9]|20)\d\d`;
const END = String.raw`(?![\p{L}\p{N}])`;

/** What follows a number, in the order in which it is looked for. */
const AFTER_NUMBER = [
  `\\s?(?:${UNSPACED})`,
  `\\s?(?:${PERCENT})`,
  `(?:\\s?(?:${SCALE}))?\\s?(?:${CURRENCY_SIGN}|(?:${CURRENCY_WORD})${END})`,
  `(?:${[
    `\\s(?:out\\sof|of|von|sur|de\\scada|su|van\\sde|из)\\s(?:the\\s|every\\s|all\\s)?${NUMBER}`,
    '(?:\\s?[x×]|-?\\s?fold|\\stimes|-?mal|\\sfois|\\sveces|\\svolte|\\svezes|\\skeer|\\sраз|-?\\s?faltig|-(?:köpfig|teilig|prozentig|stündig|tägig|wöchig|minütig)e[mnrs]?)',
    `[\\s-]?(?:(?:${SCALE})${END}\\s?)?(?:${UNITS})`,
    `\\s?(?:${SCALE})`,
  ].join('|')})${END}`,
];
const OTHER_FORMS = [
  `${CURRENCY_SIGN}\\s?${NUMBER}(?:\\s?(?:${SCALE}|[kmb])${END})?`,
  `\\d{1,3}\\sin\\s(?!${YEAR})\\d{1,6}${END}`,
];
const NOT_AGO = String.raw`(?!\s(?:ago|read|vor)(?![\p{L}]))`;
// Split into parts that are tried one after the other in place (`y`): as one expression they take four times as long to
// compile, and no number that is followed by one of these could be read shorter.
const CAN_START = new RegExp(BEFORE, 'iuy');
const NUMBERS = [new RegExp(SPACED_NUMBER, 'iuy'), new RegExp(PLAIN_NUMBER, 'iuy')];
const AFTER = new RegExp(`(?:${AFTER_NUMBER.join('|')})${NOT_AGO}`, 'iuy');
const OTHER = new RegExp(`(?:${OTHER_FORMS.join('|')})${NOT_AGO}`, 'iuy');
/** What every statistic starts with; looked for first, since the expression above is dear. */
const START = new RegExp(`[\\d${CURRENCY_SIGN.slice(1)}`, 'g');
const WORD_NUMBER = new RegExp(`(?:${NUMBER_WORDS.join('|')})(?!\\p{L})`, 'iuy');
const RATIO = new RegExp(`(?:${RATIO_WORDS.join('|')})(?!\\p{L})`, 'iuy');
const SMALL_SHARE = new RegExp(
  `(?:${SMALL_NUMBER_WORDS})(?:\\s(?:${PERCENT}|(?:(?:${SCALE})\\s)?(?:${CURRENCY_WORD}))${END}|${MULTIPLE_WORDS})`,
  'iuy',
);
const WORD_START = new RegExp(
  `(?<![\\p{L}\\p{N}’'-])(?:${[...NUMBER_WORDS, ...RATIO_WORDS].join('|')}|(?:${SMALL_NUMBER_WORDS})(?:mal)?)(?!\\p{L})`,
  'giu',
);
/** What is counted: a word of three letters or more behind a number, whatever its form. */
const NOUN = /\s(\p{L}{3,40})(?![\p{L}\p{N}]|['’]t(?!\p{L})|\.\p{L})/uy;
/** A number of four digits that may be a year counts nothing, nor does a date or a version of three parts. */
const NO_COUNT = /^(?:(?:1[0-9]|20)\d\d|\d{1,2}([.,])\d{1,2}\1\d{1,4})$/;
/** Words behind a number that are no thing that it counts. */
const NO_THINGS = new Set(
  (
    'uhr edition ausgabe ago vor old alt años-old comments comment kommentare replies likes shares views reads ' +
    'est pst gmt cet cest utc edt bst noon midnight hrs rue avenue boulevard chemin quai'
  ).split(' '),
);
/** What makes a number of years an age, a time that has passed or a time to read, in front of it and behind it. */
const BEFORE_AGE =
  /(?:\b(?:aged?|edad|age of|im alter von|à l['’]âge de|vor|seit|hace|il y a|fa|przed|for the past|ago|reading time:?|lesezeit:?|lesedauer:?|isbn|tel\.?|phone|fax|nr\.?|no\.?|art\.?|§|seite|page|p\.|kapitel|platz|rang)|[#№])\s{0,2}$/iu;
const AFTER_AGE =
  /^(?:[\s-]{0,2}(?:old|olds|alt|jährig\p{L}{0,2}|de edad|d['’]âge|read(?:ing)?\b|lesezeit|lesedauer|ago|lat(?:ek)?\b\s?temu|später|later|plus tard|después)|(?:-|\s)year-old)/iu;
/** `de 79 años`, `di 40 anni`: the age of a person. */
const OF_YEARS = /\b(?:de|di)\s\d{1,3}\s(?:años|anos|ans|anni)[,.)\s]/iu;
const CONTEXT_CHARS = 24;
/** `12 Mill Lane`: the number of a house. */
const STREET =
  /^(?:\s\p{Lu}[\p{L}.'’-]{0,20}){1,3}\s(?:Street|St|Road|Rd|Lane|Avenue|Ave|Boulevard|Blvd|Drive|Way|Square|Place|Court|Terrace|Close|Row|Highway)(?!\p{L})/u;
const STREET_CHARS = 80;
/** A capital inside of a sentence before: `iPhone 11 Pro`, `Python 3.8 support`, `the July 25 call`, `Python 3.5, 3.6 and 3.7 builds` are names and days. */
const BARE_NUMBER = /^\d{1,4}(?:\.\d{1,2})?$/;
const NAME_BEFORE =
  /(?<!\p{L})(\p{L}{1,20})\s(?:\d{1,4}(?:\.\d{1,2})?,?\s(?:(?:and|or|und|oder|et|ou|y|o|e)\s)?){0,4}$/u;
const NAME_CHARS = 60;
/** What may come before the first word of a sentence. */
const SENTENCE_START = /(?:^|[.!?:…]["”’)]?\s|["“„«(‘•·|–—-]\s?)$/u;

/** Words before a number that make it a place in a sequence, a version or a clock, not a measure. */
const ORDINAL = /(?:page|step|slide|part|figure|table|chapter|version|lesson|seite|schritt|página|étape)\s$/iu;
const ORDINAL_REACH = 12;

/**
 * Numbers that measure or count, in order: percentages, money, measures, ratios, multiples, and numbers of
 * things; at most `MAX_STATISTICS`. Dates, spans of years, ages, times that have passed, phone numbers, versions and list numbers are none.
 */
export function findStatistics(text: string): readonly Statistic[] {
  const found: Statistic[] = [];
  for (const [line, content] of text.split('\n').entries()) {
    if (isReference(content)) continue;
    for (const { from, to } of listLineStatistics(content)) {
      if (ORDINAL.test(content.slice(Math.max(0, from - ORDINAL_REACH), from))) continue;
      if (isAge(content, from, to)) continue;
      found.push({ text: content.slice(from, to).trim(), line });
      if (found.length === MAX_STATISTICS) return found;
    }
  }
  return found;
}

/** `findStatistics` of a page's main text, found once: several checks and every User-Agent's page ask for them. */
export const getStatistics = rememberPerObject((main: Pick<MainText, 'text'>) => findStatistics(main.text));

/** Numbers looked at in one line: a few of them may be ages or places in a sequence. */
const MAX_SPANS = 4 * MAX_STATISTICS;

type Span = { from: number; to: number };

/** The positions of statistics, from left to right: numbers in digits do not overlap, nor do those in words. */
function listLineStatistics(line: string): readonly Span[] {
  const digits = listSpans(line, START, endOfStatistic);
  const words = listSpans(line, WORD_START, endOfWordStatistic);
  return words.length === 0 ? digits : [...digits, ...words].toSorted((a, b) => a.from - b.from);
}

function listSpans(
  line: string,
  start: RegExp,
  findEnd: (line: string, from: number) => number | undefined,
): readonly Span[] {
  const spans: Span[] = [];
  start.lastIndex = 0;
  for (let next = start.exec(line); next; next = start.exec(line)) {
    const from = next.index;
    const to = findEnd(line, from);
    if (to === undefined) continue;
    start.lastIndex = to;
    spans.push({ from, to });
    if (spans.length === MAX_SPANS) break;
  }
  return spans;
}

/** Where a number in words with what it counts ends. A capital inside of a sentence is a name: `Ocean’s Twelve`. */
function endOfWordStatistic(line: string, from: number): number | undefined {
  if (/\p{Lu}/u.test(line.charAt(from)) && !SENTENCE_START.test(line.slice(Math.max(0, from - 4), from)))
    return undefined;
  const ratio = findMatchEnd(RATIO, line, from) ?? findMatchEnd(SMALL_SHARE, line, from);
  if (ratio !== undefined) return ratio;
  const end = findMatchEnd(WORD_NUMBER, line, from);
  return end === undefined ? undefined : (findMatchEnd(AFTER, line, end) ?? endOfCount(line, from, end));
}

function isAge(line: string, from: number, to: number): boolean {
  return (
    OF_YEARS.test(line.slice(Math.max(0, from - 4), to + 1)) ||
    BEFORE_AGE.test(line.slice(Math.max(0, from - CONTEXT_CHARS), from)) ||
    AFTER_AGE.test(line.slice(to, to + CONTEXT_CHARS))
  );
}

/** Where a number with the word for what it counts ends; undefined where the word is no such thing. */
function endOfCount(line: string, from: number, numberEnd: number): number | undefined {
  const number = line.slice(from, numberEnd);
  if (NO_COUNT.test(number) || /[:/]/.test(line.charAt(numberEnd))) return undefined;
  NOUN.lastIndex = numberEnd;
  const noun = NOUN.exec(line)?.[1];
  if (noun === undefined) return undefined;
  const word = noun.toLowerCase();
  if (STOP_WORDS.has(word) || NO_THINGS.has(word) || isMonthName(word)) return undefined;
  if (STREET.test(line.slice(numberEnd, numberEnd + STREET_CHARS))) return undefined;
  return BARE_NUMBER.test(number) && hasNameBefore(line, from, noun !== word) ? undefined : NOUN.lastIndex;
}

/** Whether the word before a number has a capital that is not only the first of its sentence; with a capital behind, any. */
function hasNameBefore(line: string, from: number, capitalBehind: boolean): boolean {
  const before = line.slice(Math.max(0, from - NAME_CHARS), from);
  const name = NAME_BEFORE.exec(before);
  const word = name?.[1] ?? '';
  if (BEFORE_MONEY.test(before)) return false;
  return word !== word.toLowerCase() && (capitalBehind || !SENTENCE_START.test(before.slice(0, name?.index)));
}

function endOfStatistic(line: string, from: number): number | undefined {
  if (findMatchEnd(CAN_START, line, from) === undefined) return undefined;
  for (const number of NUMBERS) {
    const numberEnd = findMatchEnd(number, line, from);
    const end = numberEnd === undefined ? undefined : findMatchEnd(AFTER, line, numberEnd);
    if (end !== undefined) return end;
  }
  const other = findMatchEnd(OTHER, line, from);
  if (other !== undefined) return other;
  for (const number of NUMBERS) {
    const numberEnd = findMatchEnd(number, line, from);
    const end = numberEnd === undefined ? undefined : endOfCount(line, from, numberEnd);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Where the match of a sticky expression that starts at `from` ends; undefined when there is none. */
function findMatchEnd(sticky: RegExp, line: string, from: number): number | undefined {
  sticky.lastIndex = from;
  return sticky.test(line) ? sticky.lastIndex : undefined;
}

/** Longest currency before a number, with its space. */
const CURRENCY_CHARS = 5;
// Codes of ISO 4217 in capitals only: in small letters some of them are words.
const CURRENCY_CODE =
  'USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SGD|HKD|TWD|KRW|THB|VND|IDR|MYR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RUB|UAH|TRY|ILS|AED|SAR|QAR|KWD|EGP|MAD|ZAR|NGN|KES|BRL|MXN|ARS|CLP|COP|PEN';
const CODE_BEFORE = new RegExp(`(?<!\\p{L})(?:${CURRENCY_CODE})\\s?$`, 'u');
const CODE_AFTER = new RegExp(`\\s?(?:${CURRENCY_CODE})${END}`, 'uy');
const BEFORE_MONEY = new RegExp(
  String.raw`(?:\p{Sc}|(?<!\p{L})(?:usd|eur|gbp|chf|cad|aud|kr|kč|zł|fr|rs|rp|rm|tl|lei|د\.إ|ر\.س)\.?)\s?$`,
  'iu',
);
// Unlike a statistic, an amount may follow a stroke: `12,50 €/15,00 €`.
const CAN_START_MONEY = new RegExp(`(?<![\\p{L}\\p{N}.,])|${UNSPACED_BEFORE}`, 'iuy');
/** `21,– €`: a dash for no cents. */
const NO_CENTS = /[,.]?[-–—]{1,2}/uy;
const AFTER_MONEY = new RegExp(
  String.raw`:-|\s?(?:\p{Sc}|(?:${CURRENCY_WORD}|руб|р\.|грн|лв|kr|zł|kč|ft|tl|fr\.|rs|lei|dhs?|บาท|đ|د\.إ|ر\.س|ريال|درهم|ש["״]ח)${END})`,
  'iuy',
);
const DIGIT = /\d/g;
const MAX_AMOUNTS = 500;
const MAX_AMOUNT_CHARS = 500_000;

/** An amount of money in a text: its number as written, and every value that it can mean. */
export type MoneyAmount = { text: string; values: readonly number[] };

/** The amounts of money of a text in order, at most `MAX_AMOUNTS`. */
export function listMoney(text: string): readonly MoneyAmount[] {
  const amounts: MoneyAmount[] = [];
  const searched = text.slice(0, MAX_AMOUNT_CHARS);
  DIGIT.lastIndex = 0;
  let taken = 0;
  for (let next = DIGIT.exec(searched); next && amounts.length < MAX_AMOUNTS; next = DIGIT.exec(searched)) {
    const from = next.index;
    const ends = NUMBERS.flatMap((number) => findMatchEnd(number, searched, from) ?? []);
    const money = ends.map((to) => ({ to, end: endOfMoney(searched, { from, to, taken }) }));
    const found = money.find(({ end }) => end !== undefined);
    if (found) {
      const number = searched.slice(from, found.to);
      amounts.push({ text: number, values: listNumberReadings(number) });
    }
    taken = found?.end ?? taken;
    // A plain number always ends somewhere; a second one in a row of digits and spaces is looked at by itself.
    DIGIT.lastIndex = found?.end ?? ends.at(-1) ?? from + 1;
  }
  return amounts;
}

/** Every value that a visible amount of money can mean: `1.299` is 1.299 in one country and 1299 in another. */
export const listMoneyAmounts = (text: string): ReadonlySet<number> =>
  new Set(listMoney(text).flatMap(({ values }) => values));

/** Where the amount whose number is from `from` to `to` ends. A currency before `taken` is another amount's. */
function endOfMoney(text: string, { from, to, taken }: Record<'from' | 'to' | 'taken', number>): number | undefined {
  const before = text.slice(Math.max(taken, from - CURRENCY_CHARS), from);
  if (BEFORE_MONEY.test(before) || CODE_BEFORE.test(before)) return to;
  if (findMatchEnd(CAN_START_MONEY, text, from) === undefined) return undefined;
  const number = findMatchEnd(NO_CENTS, text, to) ?? to;
  return findMatchEnd(AFTER_MONEY, text, number) ?? findMatchEnd(CODE_AFTER, text, number);
}

/**
 * Reads a number as written: the last separator divides the fraction, unless exactly three digits follow it, which may
 * be thousands (`1.299` has two readings, `1.299,00` and `169.00` have one).
 */
export function listNumberReadings(number: string): readonly number[] {
  const plain = number.replaceAll(/['’\s]/g, '');
  const last = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'));
  const separators = plain.replaceAll(/[^.,]/g, '');
  const whole = Number(plain.replaceAll(/[.,]/g, ''));
  const divided = Number(`${plain.slice(0, Math.max(0, last)).replaceAll(/[.,]/g, '')}.${plain.slice(last + 1)}`);
  const readings =
    separators === '' || (separators.length > 1 && new Set(separators).size === 1)
      ? [whole]
      : separators.length === 1 && plain.length - last === 4
        ? [divided, whole]
        : [divided];
  return [...new Set(readings)].filter((value) => Number.isFinite(value));
}

/** Words of each text that are compared. */
const MAX_WORDS = 20_000;
const GRAM = 5;

/** Jaccard similarity of the word 5-grams of two texts, 0 to 1; texts shorter than five words count as one gram each. */
export function computeSimilarity(one: string, other: string): number {
  const a = listWordGrams(one);
  const b = listWordGrams(other);
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const gram of a) if (b.has(gram)) common += 1;
  return common / (a.size + b.size - common);
}

function listWordGrams(text: string): ReadonlySet<string> {
  const words = text
    .toLowerCase()
    .split(/\s+/, MAX_WORDS)
    .filter((word) => word !== '');
  if (words.length === 0) return new Set();
  if (words.length < GRAM) return new Set([words.join(' ')]);
  return new Set(words.slice(GRAM - 1).map((_, index) => words.slice(index, index + GRAM).join(' ')));
}
