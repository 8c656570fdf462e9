import { cleanText, type TextLine } from './text.ts';

/** Longest name at the front of a block. */
export const MAX_HEAD_CHARS = 60;
/** Words of a list item that is a name and nothing else. */
const MAX_BARE_WORDS = 6;
/** Numbers and pictures that may be one after the other before a name ("🏆 #1. 🥇"). */
const MAX_FRONTS = 4;

const PICTURES =
  /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{So}\p{M}\p{Cf}\s#>*•·▪–—-]{1,40}/u;
const NUMBERING =
  /^(?:#|no\. ?|nr\. ?|n° ?|option |pick )?\(?\d{1,2}(?:[.):]|\s[-–—])(?=[\s\p{Lu}*]|$)|^#\d{1,2}(?=\s)/iu;
/** The end of a name: a dash between spaces, an em dash, or a colon before a space or the end. */
const SEPARATOR = /\s[-–—―|]\s|\s?—\s?|\s?[:：](?=\s|$)|：/u;
const HAS_SEPARATOR = /[-–—―|:：]/u;
const NAME_END = /[,.;!?]\s|[.;!?]$|\s?\(|\s[-–—|]\s|—|:\s/u;

/**
 * The name at the front of a line, see `Block.head`; undefined when there is none or it is longer than 60 characters.
 * `isNamed` says that the line is of a kind that begins with a name even without bold (list item, heading).
 */
export function readHead(line: TextLine, isNamed: boolean): string | undefined {
  const front = measureFront(line.raw);
  const [first, second] = line.bold.filter(({ start, end }) => end > start);
  const named = (text: string): string | undefined => cleanHead(text);
  if (first !== undefined && first.start <= front) {
    const bold = line.raw.slice(first.start, first.end);
    const rest = line.raw.slice(first.end);
    const within = splitLabel(bold);
    if (within !== undefined) return named(readLeadingName(within));
    const after = rest.replace(/^\s{0,9}(?:[:：–—-]\s{0,9})?/u, '');
    if (!isLabelled(bold, rest) || !isNameLike(after)) return named(getFirstPart(bold));
    if (second !== undefined && line.raw.length - after.length >= second.start - measureFront(after))
      return named(line.raw.slice(second.start, second.end));
    return named(readLeadingName(after)) ?? named(bold);
  }
  if (!isNamed) return undefined;
  const lead = line.raw.slice(front);
  if (first !== undefined && isLabel(line.raw.slice(front, first.start)))
    return named(line.raw.slice(first.start, first.end));
  const labelled = splitLabel(lead);
  if (labelled !== undefined) return named(readLeadingName(labelled));
  if (line.linkEnd !== undefined) return named(line.raw.slice(front, line.linkEnd));
  return readPlainHead(lead);
}

/** Letters with which neither a picture nor a number begins. */
const NAME_STARTS: ReadonlySet<string> = new Set('ABCDEFGHIJKLMQRSTUVWXYZabcdefghijklmqrstuvwxyz');

/** Characters before the name: pictures, numbers, list marks. */
function measureFront(raw: string): number {
  let at = 0;
  for (let round = 0; round < MAX_FRONTS; round += 1) {
    if (NAME_STARTS.has(raw.charAt(at))) break;
    const rest = raw.slice(at, at + 60);
    const length = (NUMBERING.exec(rest) ?? PICTURES.exec(rest))?.[0].length ?? 0;
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** What follows a label inside one text ("Best overall: Acme"); undefined when the text does not begin with a label. */
function splitLabel(text: string): string | undefined {
  if (!HAS_SEPARATOR.test(text)) return undefined;
  const lead = text.slice(measureFront(text), measureFront(text) + 2 * MAX_HEAD_CHARS);
  const separator = SEPARATOR.exec(lead);
  if (separator === null) return undefined;
  const after = lead.slice(separator.index + separator[0].length).trim();
  return after !== '' && isNameLike(after) && isLabel(lead.slice(0, separator.index)) ? after : undefined;
}

/** Whether bold text is a label with its colon inside or after it. */
const isLabelled = (bold: string, rest: string): boolean =>
  isLabel(bold.replace(/\s?[:：]\s{0,9}$/u, '')) && (/[:：]\s{0,9}$/u.test(bold) || /^\s{0,9}[:：–—-]/u.test(rest));

function isLabel(text: string): boolean {
  const [first = '', second = ''] = text
    .slice(measureFront(text))
    .replace(/\s?[:：–—-]\s{0,9}$/u, '')
    .replace(/^the\s/iu, '')
    .replaceAll('’', "'")
    .split(/\s+/u);
  if (!labelStarts.has(first.toLowerCase())) return false;
  return second === '' || !/^\p{Lu}/u.test(second) || labelSeconds.has(second.toLowerCase());
}

/** The first words of a text that goes on after a name ("Acme, because ..."). */
function readLeadingName(text: string): string {
  const lead = text.slice(measureFront(text));
  const end = NAME_END.exec(lead);
  return end === null ? lead : lead.slice(0, end.index);
}

/** What follows a label, when it is written as a name: "Best for: small teams" names none. */
const isNameLike = (text: string): boolean => !/^\p{Ll}+(?:[\s,.;:!?-]|$)/u.test(text.slice(measureFront(text)));

function getFirstPart(text: string): string {
  const lead = text.slice(measureFront(text));
  if (!HAS_SEPARATOR.test(lead)) return lead;
  const separator = SEPARATOR.exec(lead);
  return separator === null || separator.index === 0 ? lead : lead.slice(0, separator.index);
}

/** A head without bold: the part before a dash or colon, or all of a short line that is no sentence. */
function readPlainHead(lead: string): string | undefined {
  const window = lead.slice(0, 2 * MAX_HEAD_CHARS);
  const part = getFirstPart(window);
  if (part.length < window.length) return cleanHead(part);
  if (lead.length > window.length || /[.!?…]\s{0,9}$/u.test(lead)) return undefined;
  return lead.trim().split(/\s+/u).length <= MAX_BARE_WORDS ? cleanHead(lead) : undefined;
}

/** Without markup, outer marks and a remark in parentheses at the end. */
function cleanHead(text: string): string | undefined {
  const clean = cleanText(text.slice(measureFront(text), 8 * MAX_HEAD_CHARS));
  const remark = clean.endsWith(')') ? clean.lastIndexOf(' (') : -1;
  const name = (remark > 0 ? clean.slice(0, remark) : clean)
    .replace(/[\s:：,;–—-]{1,9}$/u, '')
    .replace(/^["“„«'‘]([^"”“»'’]{1,60})["”“»'’]$/u, '$1')
    .trim();
  return name === '' || name.length > MAX_HEAD_CHARS ? undefined : name;
}

/**
 * First words of a label that says what the name after it is good for ("Best overall: Acme", "For small teams: Acme"),
 * in lower case. English, German, French, Spanish.
 */
export const labelStarts: ReadonlySet<string> = new Set(
  `best top overall budget premium cheapest winner runner-up runnerup runners-up editor's editors' honorable honourable
  most our my also good great ideal easiest fastest simplest alternative alternatives option choice pick recommended
  recommendation recommendations verdict value for if when to another bonus try consider use choose pick go
  beste bester bestes testsieger preistipp preis-leistungs-sieger preis-leistungs-tipp empfehlung alternative für wenn günstigste günstigster
  meilleur meilleure meilleurs meilleures pour si gagnant recommandation coup
  mejor mejores ganador recomendado recomendación para`.split(/\s+/u),
);

/** Second words that make a label of a capitalised first word ("Best Overall", but not "Best Buy" or "Top Producer"). */
export const labelSeconds: ReadonlySet<string> = new Set(
  `overall value budget for free choice pick picks option options rated premium cheap affordable alternative alternatives
  enterprise beginner beginners simple lightweight all-round all-rounder all-in-one runner-up open-source local small
  large design performance battery sound support quality price entry-level mid-range high-end luxury upgrade splurge
  gesamt insgesamt gesamtpaket preis-leistung choix rapport qualité opción general calidad`.split(/\s+/u),
);
