import { isText, type Json, type JsonObject, toTexts } from '../../../../lib/json.ts';
import { SECOND_MS, DAY_MS } from '../../../../lib/time.ts';
import { refuseQuery } from '../refusals.ts';

/** What a field of a device query looks at, and how. */
export type QueryField = {
  /** Members of the device; several mean any of them. */
  of: readonly string[];
  /** `text`: has it, in any case; `a*`: begins with it. `time`: a date, a time or a range of them. `word`: is one of the values behind it. */
  how: 'text' | 'time' | 'word';
  /** `word`: what each word of the query means. */
  words?: Readonly<Record<string, readonly string[]>>;
};
type QueryFields = Readonly<Record<string, QueryField>>;

/** The vendor's "List query operators" that look at what a device of ours has. */
export const CHROME_QUERY_FIELDS: QueryFields = {
  id: { of: ['serialNumber'], how: 'text' },
  asset_id: { of: ['annotatedAssetId'], how: 'text' },
  user: { of: ['annotatedUser'], how: 'text' },
  location: { of: ['annotatedLocation'], how: 'text' },
  note: { of: ['notes'], how: 'text' },
  public_model_name: { of: ['model'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  wifi_mac: { of: ['macAddress'], how: 'text' },
  ethernet_mac: { of: ['ethernetMacAddress', 'ethernetMacAddress0'], how: 'text' },
  chrome_version: { of: ['osVersion'], how: 'text' },
  register: { of: ['lastEnrollmentTime'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  status: {
    of: ['status'],
    how: 'word',
    words: {
      provisioned: ['ACTIVE'],
      managed: ['ACTIVE', 'DISABLED', 'INACTIVE'],
      disabled: ['DISABLED'],
      deprovisioned: ['DEPROVISIONED'],
    },
  },
};

/** The vendor's "Mobile device search fields" that look at what a device of ours has. */
export const MOBILE_QUERY_FIELDS: QueryFields = {
  serial: { of: ['serialNumber'], how: 'text' },
  email: { of: ['email'], how: 'text' },
  name: { of: ['name'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  brand: { of: ['brand'], how: 'text' },
  manufacturer: { of: ['manufacturer'], how: 'text' },
  os: { of: ['os'], how: 'text' },
  type: { of: ['type'], how: 'text' },
  imei: { of: ['imei'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  hardware: { of: ['hardware'], how: 'text' },
  hardware_id: { of: ['hardwareId'], how: 'text' },
  build_number: { of: ['buildNumber'], how: 'text' },
  bootloader_version: { of: ['bootloaderVersion'], how: 'text' },
  carrier: { of: ['networkOperator'], how: 'text' },
  default_language: { of: ['defaultLanguage'], how: 'text' },
  id: { of: ['resourceId', 'deviceId'], how: 'text' },
  register: { of: ['firstSync'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  status: { of: ['status'], how: 'word' },
};

type Clause = { field: string | undefined; value: string };

/** Longest query and most clauses. */
const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 20;
const FIELD = /^[a-z_]+$/;
/** A date, a date with a time, with or without zone: `2016-03-23`, `2016-04-26T14:23:05`. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z?)?$/;
const DATE_CHARS = 10;

/**
 * The test that a device query says: clauses `field:value` beside each other must all hold, quotes keep blanks, a text
 * without a field is sought in all fields (vendor's "List query operators" and "Search operators").
 * @throws Refusal 400 `Invalid query`
 */
export function createDeviceTest(query: string, fields: QueryFields): (device: JsonObject) => boolean {
  if (query.length > MAX_QUERY_CHARS) throw refuseQuery();
  const clauses = parseClauses(query);
  if (clauses.length > MAX_CLAUSES) throw refuseQuery();
  const tests = clauses.map((clause) => createClauseTest(clause, fields));
  return (device) => tests.every((test) => test(device));
}

function createClauseTest({ field, value }: Clause, fields: QueryFields): (device: JsonObject) => boolean {
  if (field === undefined) return createAnyFieldTest(value, fields);
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (known === undefined || value === '') throw refuseQuery();
  const { of, how, words } = known;
  if (how === 'time') return createTimeTest(value, of);
  if (how === 'text') return createTextTest(value, of);
  const wanted = findWords(value.toLowerCase(), words) ?? [value.toUpperCase()];
  return (device) => of.some((name) => listTexts(device[name]).some((text) => wanted.includes(text)));
}

const findWords = (value: string, words: QueryField['words'] = {}): readonly string[] | undefined =>
  Object.hasOwn(words, value) ? words[value] : undefined;

function createAnyFieldTest(value: string, fields: QueryFields): (device: JsonObject) => boolean {
  const names = Object.values(fields).flatMap(({ of, how }) => (how === 'text' ? of : []));
  return createTextTest(value, names);
}

function createTextTest(value: string, names: readonly string[]): (device: JsonObject) => boolean {
  const isPrefix = value.endsWith('*');
  const wanted = (isPrefix ? value.slice(0, -1) : value).toLowerCase();
  const fits = (text: string): boolean => (isPrefix ? text.startsWith(wanted) : text.includes(wanted));
  return (device) => names.some((name) => listTexts(device[name]).some((text) => fits(text.toLowerCase())));
}

function createTimeTest(value: string, names: readonly string[]): (device: JsonObject) => boolean {
  const [from = '', to] = value.split('..');
  const start = from === '' ? Number.NEGATIVE_INFINITY : parseStart(from);
  const end = to === '' ? Number.POSITIVE_INFINITY : parseEnd(to ?? from);
  if (Number.isNaN(start) || Number.isNaN(end) || value === '..') throw refuseQuery();
  const fits = (text: string): boolean => Date.parse(text) >= start && Date.parse(text) < end;
  return (device) => names.some((name) => listTexts(device[name]).some(fits));
}

const parseStart = (moment: string): number =>
  MOMENT.test(moment) ? Date.parse(moment.length > DATE_CHARS && !moment.endsWith('Z') ? `${moment}Z` : moment) : NaN;

/** A date goes to its end, and so does a second. */
const parseEnd = (moment: string): number => parseStart(moment) + (moment.length === DATE_CHARS ? DAY_MS : SECOND_MS);

/** The texts of a list, or the one text that is no list. */
const listTexts = (value: Json | undefined): string[] => (isText(value) ? [value] : toTexts(value));

/** Splits at blanks outside quotes; the quotes go. */
function parseClauses(query: string): Clause[] {
  const clauses: Clause[] = [];
  let token = '';
  let field: string | undefined;
  let isQuoted = false;
  let wasQuoted = false;
  const close = (): void => {
    if (token !== '' || field !== undefined || wasQuoted) clauses.push({ field, value: token });
    token = '';
    field = undefined;
    wasQuoted = false;
  };
  for (const char of query) {
    if (char === '"') {
      isQuoted = !isQuoted;
      wasQuoted = true;
    } else if (!isQuoted && char === ':' && field === undefined && FIELD.test(token)) {
      field = token;
      token = '';
    } else if (!isQuoted && char.trim() === '') close();
    else token += char;
  }
  if (isQuoted) throw refuseQuery();
  close();
  return clauses.filter(({ value, field: name }) => value !== '' || name !== undefined);
}
