/** Names of months as dates have them, by their number: whole, and cut to three letters or more where a point may follow. */
const MONTHS: readonly string[] = [
  'january|januar|jänner|janvier|enero|gennaio|janeiro|januari|stycznia|styczeń|января|ledna|ocak|jan|يناير|בינואר',
  'february|februar|feber|février|febrero|febbraio|fevereiro|februari|lutego|luty|февраля|února|şubat|feb|févr|fev|فبراير|בפברואר',
  'march|märz|maerz|mars|marzo|março|maart|marca|marzec|марта|března|mart|mar|mär|mrz|مارس|במרץ',
  'april|avril|abril|aprile|kwietnia|kwiecień|апреля|dubna|nisan|apr|avr|abr|أبريل|באפריל',
  'may|mai|mayo|maggio|maio|mei|maja|maj|мая|května|mayıs|mag|مايو|במאי',
  'june|juni|juin|junio|giugno|junho|czerwca|czerwiec|июня|června|haziran|jun|giu|يونيو|ביוני',
  'july|juli|juillet|julio|luglio|julho|lipca|lipiec|июля|července|temmuz|jul|juil|lug|يوليو|ביולי',
  'august|août|aout|agosto|augustus|augusti|sierpnia|sierpień|августа|srpna|ağustos|aug|ago|أغسطس|באוגוסט',
  'september|septembre|septiembre|setiembre|settembre|setembro|września|wrzesień|сентября|září|eylül|sept|sep|set|سبتمبر|בספטמבר',
  'october|oktober|octobre|octubre|ottobre|outubro|października|październik|октября|října|ekim|oct|okt|ott|out|أكتوبر|באוקטובר',
  'november|novembre|noviembre|novembro|listopada|listopad|ноября|listopadu|kasım|nov|نوفمبر|בנובמבר',
  'december|dezember|décembre|diciembre|dicembre|dezembro|grudnia|grudzień|декабря|prosince|aralık|dec|dez|déc|dic|ديسمبر|בדצמבר',
];
const MONTH_OF: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, index) => names.split('|').map((name): [string, number] => [name, index])),
);

/** Whether a word names a month, in any of the languages that dates are read in. */
export const isMonthName = (word: string): boolean => MONTH_OF.has(word.toLowerCase());

const YEAR = String.raw`((?:19|20)\d\d)`;
const MONTH = String.raw`(\p{L}{3,12})`;
const START = String.raw`(?<![\p{L}\p{N}/.-])`;
const END = String.raw`(?![\p{L}\p{N}/-]|\.\d)`;

/** As in `1st`; the third letter is the old form of an s, which counts as one. */
const ORDINAL = String.raw`[sS\u017F][tT]|[nN][dD]|[rR][dD]|[tT][hH]`;

/**
 * Ways in which people write a day; groups in the order that `read` takes. Letters of both cases are written out: without
 * regard to case, the first run of an expression with classes of letters takes tens of milliseconds.
 */
const FORMS: readonly { pattern: RegExp; read: (parts: readonly string[]) => number | undefined }[] = [
  {
    pattern: new RegExp(
      `${START}(\\d{1,2})(?:\\.|${ORDINAL}|[eE][rR]|º)?(?:\\s[dD][eE]|\\s[oO][fF])?\\s${MONTH}\\.?,?(?:\\s[dD][eE])?\\s${YEAR}${END}`,
      'u',
    ),
    read: ([day, month, year]) => toDay(year, MONTH_OF.get(lower(month)), day),
  },
  {
    pattern: new RegExp(`${START}${MONTH}\\.?\\s(\\d{1,2})(?:${ORDINAL})?,?\\s${YEAR}${END}`, 'u'),
    read: ([month, day, year]) => toDay(year, MONTH_OF.get(lower(month)), day),
  },
  {
    // As Java writes it: `Mon Oct 11 14:57:21 CEST 2021`.
    pattern: new RegExp(
      `${START}${MONTH}\\s(\\d{1,2})\\s\\d\\d:\\d\\d:\\d\\d\\s[a-zA-Z\\u017F\\u212A]{3,5}\\s${YEAR}${END}`,
      'u',
    ),
    read: ([month, day, year]) => toDay(year, MONTH_OF.get(lower(month)), day),
  },
  {
    pattern: new RegExp(`${START}${YEAR}([-/.])(\\d{1,2})\\2(\\d{1,2})(?!\\d)`, 'u'),
    read: ([year, , month, day]) => toDay(year, Number(month) - 1, day),
  },
  {
    pattern: new RegExp(`${START}(\\d{1,2})([-/.])(\\d{1,2})\\2${YEAR}${END}`, 'u'),
    read: ([first, , second, year]) => toDay(year, Number(second) - 1, first) ?? toDay(year, Number(first) - 1, second),
  },
  {
    pattern: new RegExp(`${START}${YEAR}\\s?[年년]\\s?(\\d{1,2})\\s?[月월]\\s?(\\d{1,2})\\s?[日일]`, 'u'),
    read: ([year, month, day]) => toDay(year, Number(month) - 1, day),
  },
];

const lower = (text: string | undefined): string => (text ?? '').toLowerCase();

function toDay(year: string | undefined, month: number | undefined, day: string | undefined): number | undefined {
  if (month === undefined) return undefined;
  const ms = Date.UTC(Number(year), month, Number(day));
  const date = new Date(ms);
  return date.getUTCMonth() === month && date.getUTCDate() === Number(day) ? ms : undefined;
}

/** A longer text is prose, in which a day is not the date of the page. */
const MAX_CHARS = 300;

/**
 * The first day that a short text writes out, as people do in the languages that we know: `March 3, 2015`, `3. März 2015`,
 * `05.10.2018`. Where only one order of day and month makes a date, that is taken, else the day comes first.
 * @returns start of the day in UTC, and the text; undefined where there is none.
 */
export function findWrittenDate(text: string): { ms: number; text: string } | undefined {
  const searched = text.slice(0, MAX_CHARS);
  for (const { pattern, read } of FORMS) {
    const match = pattern.exec(searched);
    const ms = match ? read(match.slice(1)) : undefined;
    if (match && ms !== undefined) return { ms, text: match[0] };
  }
  return undefined;
}

/** A month of a year that is all of a short text, a word for what it dates aside: `04/2021`, `Published: April 2021`. */
const MONTH_ONLY = new RegExp(
  `^(?:\\p{L}{3,20}:?\\s)?(?:(\\d{1,2})\\s?/\\s?${YEAR}|${MONTH}\\.?,?(?:\\s(?:de|of))?\\s${YEAR})$`,
  'iu',
);

/** The month that a short text names. @returns start of the month in UTC, and the text; undefined where it is none. */
export function findWrittenMonth(text: string): { ms: number; text: string } | undefined {
  const match = MONTH_ONLY.exec(text.trim().slice(0, MAX_CHARS));
  if (!match) return undefined;
  const [, number, year, name, yearOfName] = match;
  const month = number === undefined ? MONTH_OF.get(lower(name)) : Number(number) - 1;
  const ms = toDay(year ?? yearOfName, month, '1');
  return ms === undefined ? undefined : { ms, text: match[0] };
}

/** A day with a year of two digits, as some mark it up: `3/09/15 8:00am`. Where both orders are a day, the day comes first. */
const SHORT_DAY = /^(\d{1,2})([-/.])(\d{1,2})\2(\d\d)(?!\d)/;

/** Start of the day in UTC that a marked date with a short year means; undefined where the text begins with none. */
export function parseShortDay(text: string): number | undefined {
  const match = SHORT_DAY.exec(text.trim());
  if (!match) return undefined;
  const [, first = '', , second = '', year = ''] = match;
  const full = `${Number(year) < 70 ? '20' : '19'}${year}`;
  return toDay(full, Number(second) - 1, first) ?? toDay(full, Number(first) - 1, second);
}
