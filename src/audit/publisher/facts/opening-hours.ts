import {
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from '../../structured-data/facts/schema-nodes.ts';
import { CLOSED_WORDS, DAY_WORDS, OPENING_WORDS, UNTIL_WORDS } from './day-words-data.ts';

/** Opening hours: by day of the week (Monday is 0) the spans of time, as `09:00-17:00` in order; none when closed. */
export type OpeningHours = ReadonlyMap<number, readonly string[]>;

const DAYS = 7;
/** Nodes and specifications that are read; characters of a page that are searched; mentions of days in them. */
const MAX_NODES = 50;
const MAX_SPECIFICATIONS = 50;
const MAX_TEXT = 200_000;
const MAX_MENTIONS = 500;
/** What follows a day, as far as its hours go. */
const MAX_AFTER = 80;

const DAY_OF_WORD: ReadonlyMap<string, number> = new Map(
  DAY_WORDS.flatMap((words, day) => words.map((word) => [word, day] as const)),
);
const SCHEMA_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const SCHEMA_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The hours that structured data states of a place; undefined when it states none. */
export function readStatedHours(graph: SchemaGraph): { hours: OpeningHours; line: number } | undefined {
  for (const node of listNodesOfType(graph, 'Place')
    .concat(listNodesOfType(graph, 'Organization'))
    .slice(0, MAX_NODES)) {
    const hours = readNodeHours(graph, node);
    if (hours.size > 0) return { hours, line: node.line };
  }
  return undefined;
}

function readNodeHours(graph: SchemaGraph, node: SchemaNode): OpeningHours {
  const hours = new Map<number, string[]>();
  const add = (days: readonly number[], span: string | undefined): void => {
    for (const day of days)
      hours.set(day, [...(hours.get(day) ?? []), ...(span === undefined ? [] : [span])].toSorted());
  };
  for (const part of listPropertyNodes(graph, node, 'openingHoursSpecification').slice(0, MAX_SPECIFICATIONS)) {
    // A part with dates is of one season or holiday.
    if (part.props.has('validFrom') || part.props.has('validThrough')) continue;
    const days = listPropertyTexts(graph, part, 'dayOfWeek').flatMap((text) => findSchemaDay(text) ?? []);
    const [opens, closes] = ['opens', 'closes'].map((name) => parseTime(listPropertyTexts(graph, part, name)[0] ?? ''));
    add(days, opens === undefined || closes === undefined || opens === closes ? undefined : `${opens}-${closes}`);
  }
  for (const text of listPropertyTexts(graph, node, 'openingHours').slice(0, MAX_SPECIFICATIONS)) {
    const [, days = '', opens = '', closes = ''] =
      /^([A-Z][a-z](?:\s?[-,]\s?[A-Z][a-z]){0,6})\s{1,3}(\d{1,2}:\d{2})\s?[-–]\s?(\d{1,2}:\d{2})$/.exec(text.trim()) ??
      [];
    const span = [parseTime(opens), parseTime(closes)];
    if (span[0] !== undefined && span[1] !== undefined) add(listSchemaDays(days), span.join('-'));
  }
  return hours;
}

const findSchemaDay = (text: string): number | undefined => {
  const name = text.split('/').at(-1) ?? '';
  const day = SCHEMA_NAMES.findIndex((each) => each.toLowerCase() === name.toLowerCase());
  return day === -1 ? undefined : day;
};

/** `Mo-Fr`, `Mo,We` or both. */
const listSchemaDays = (text: string): readonly number[] =>
  text.split(',').flatMap((part) => {
    const [from = '', to] = part.split('-').map((each) => SCHEMA_DAYS.indexOf(each.trim()));
    return typeof from !== 'number' || from === -1 || to === -1 ? [] : listDays(from, to ?? from);
  });

const listDays = (from: number, to: number): readonly number[] =>
  Array.from({ length: ((to - from + DAYS) % DAYS) + 1 }, (_, step) => (from + step) % DAYS);

/** `9:00`, `09.00`, `9h30`, `9 am` as `09:00`; midnight at the end of a day is `24:00`. Undefined when it is no time. */
function parseTime(text: string): string | undefined {
  const [, hour, minute = '00', half = ''] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s?(am|pm|a\.m\.|p\.m\.)?/i.exec(text.trim()) ?? [];
  if (hour === undefined) return undefined;
  const isLate = /^p/i.test(half);
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0);
  if (hours > 24 || Number(minute) > 59) return undefined;
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

const escaped = [...DAY_OF_WORD.keys()].toSorted((a, b) => b.length - a.length).join('|');
const DAY = new RegExp(
  `(?<![\\p{L}\\d])(${escaped})s?\\.?(?:\\s{0,3}(?:[-–—]|${UNTIL_WORDS})\\s{0,3}(${escaped})\\.?)?(?![\\p{L}])`,
  'giu',
);
const TIME = String.raw`\d{1,2}(?:[:.h]\d{2})?\s?(?:uhr|hrs?|h|am|pm|a\.m\.|p\.m\.)?`;
const SPAN = String.raw`(${TIME})\s{0,3}(?:[-–—]|${UNTIL_WORDS}|and)\s{0,3}(${TIME})`;
const FIRST_SPAN = new RegExp(String.raw`^[\s:,.|–—-]{0,6}(?:from\s|von\s|de\s|dalle\s)?${SPAN}`, 'iu');
const NEXT_SPAN = new RegExp(
  String.raw`^\s{0,3}(?:,|;|/|&|\+|and|und|et|y|e|en)\s{0,3}(?:from\s|von\s|de\s|dalle\s)?${SPAN}`,
  'iu',
);
const CLOSED = new RegExp(`^[\\s:,.|–—-]{0,6}(?:${CLOSED_WORDS})(?![\\p{L}])`, 'iu');
/** Hours have a colon, a point or a word to them: `Mon 3-5` may be anything. */
const CLOCK = /[:.h]\d{2}|uhr|hrs?|am|pm|a\.m\.|p\.m\.|\d\s?h/iu;

const OPENING = new RegExp(`(?<![\\p{L}])(?:${OPENING_WORDS})(?![\\p{L}])`, 'iu');
/** How far before a day the words are that say whose hours they are. */
const MAX_BEFORE = 400;

/** The hours that a text shows: for each day every variant in it, since a page may show those of a season too. */
export function readShownHours(text: string): ReadonlyMap<number, readonly (readonly string[])[]> {
  const shown = new Map<number, string[][]>();
  const searched = text.slice(0, MAX_TEXT).replaceAll(/\s{1,20}/g, ' ');
  let mentions = 0;
  for (const match of searched.matchAll(DAY)) {
    mentions += 1;
    if (mentions > MAX_MENTIONS) break;
    if (!OPENING.test(searched.slice(Math.max(0, match.index - MAX_BEFORE), match.index))) continue;
    const spans = readSpans(searched.slice(match.index + match[0].length).slice(0, MAX_AFTER));
    const from = DAY_OF_WORD.get((match[1] ?? '').toLowerCase());
    const to = DAY_OF_WORD.get((match[2] ?? match[1] ?? '').toLowerCase());
    if (spans === undefined || from === undefined || to === undefined) continue;
    for (const day of listDays(from, to)) shown.set(day, [...(shown.get(day) ?? []), [...spans]]);
  }
  return shown;
}

function readSpans(after: string): readonly string[] | undefined {
  if (CLOSED.test(after)) return [];
  const spans: string[] = [];
  let rest = after;
  for (let pattern = FIRST_SPAN; ; pattern = NEXT_SPAN) {
    const found = pattern.exec(rest);
    if (!found || !CLOCK.test(found[0])) break;
    const closes = parseTime(found[2] ?? '');
    const opens = parseTime(completeTime(found[1] ?? '', found[2] ?? ''));
    if (opens === undefined || closes === undefined) break;
    spans.push(`${opens}-${closes}`);
    rest = rest.slice(found[0].length);
  }
  return spans.length === 0 ? undefined : spans.toSorted();
}

/** `9 to 11 am` begins in the morning as well; `9 to 5 pm` does too. */
function completeTime(opens: string, closes: string): string {
  const half = /(?:am|pm|a\.m\.|p\.m\.)/i.exec(closes)?.[0];
  if (half === undefined || /m/i.test(opens)) return opens;
  const [from, to] = [Number.parseInt(opens, 10), Number.parseInt(closes, 10)];
  return /^p/i.test(half) && from > to ? `${opens.trim()} am` : `${opens.trim()} ${half}`;
}

/** Days on which the hours that are shown are not those that are stated; days of which only one side speaks are left out. */
export function compareHours(
  stated: OpeningHours,
  shown: ReadonlyMap<number, readonly (readonly string[])[]>,
): { compared: readonly number[]; differ: readonly number[] } {
  const compared = [...stated.keys()].filter((day) => shown.has(day)).toSorted((a, b) => a - b);
  const differ = compared.filter((day) => {
    const hours = (stated.get(day) ?? []).map(normaliseMidnight).join();
    return (shown.get(day) ?? []).every((variant) => variant.map(normaliseMidnight).join() !== hours);
  });
  return { compared, differ };
}

const normaliseMidnight = (span: string): string => span.replace(/-(?:00:00|23:59)$/, '-24:00');

/** The name of a day in English, for notes. */
export const formatDayName = (day: number): string => SCHEMA_NAMES[day] ?? '';
