import { readFileSync, statSync } from 'node:fs';
import { isObject, parseJson } from '../../lib/json.ts';
import { readTypedAddress } from '../../net/typed-address.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { fileFaults } from '../core/file-faults-data.ts';
import { EXIT } from '../core/usage.ts';

/** One call of `/api/monitors`. */
export type MonitorCallOrder = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Behind `/api/monitors`. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  body?: Readonly<Record<string, unknown>>;
  /** The body was a file: no option made its members. */
  isOfFile?: boolean;
};

/** The words and options of an action. */
export type MonitorWords = {
  words: readonly string[];
  option: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
};

const ID = /^mon_[0-9a-f]{24}$/;
const WHOLE = /^\d{1,3}$/;
const DAILY = 'daily';
/** Largest body of a monitor, in bytes: what the interface takes. */
const MAX_BODY_BYTES = 65_536;

const readText = ({ option }: MonitorWords, name: string): string | undefined => {
  const value = option[name];
  return typeof value === 'string' ? value : undefined;
};

const readTexts = ({ option }: MonitorWords, name: string): readonly string[] => {
  const value = option[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

type Build = (given: MonitorWords) => MonitorCallOrder | CommandFailure;

/** The call of each action, or what is wrong with what was given. */
export const monitorCalls: Readonly<Record<string, Build>> = {
  create: buildCreation,
  list: (given) => {
    const limit = readText(given, 'limit');
    if (limit !== undefined && !WHOLE.test(limit)) return refuseUsage('--limit takes a number.');
    return { method: 'GET', path: '', query: { limit, cursor: readText(given, 'page') } };
  },
  show: (given) => buildOne(given, 'GET', ''),
  pause: (given) => buildOne(given, 'POST', '/pause'),
  resume: (given) => buildOne(given, 'POST', '/resume'),
  run: (given) => buildOne(given, 'POST', '/run'),
  delete: (given) => buildOne(given, 'DELETE', ''),
};

function buildOne({ words: [id = ''] }: MonitorWords, method: MonitorCallOrder['method'], act: string) {
  return ID.test(id)
    ? { method, path: `/${id}${act}` }
    : refuseUsage('<id> is mon_ and 24 hex digits: see sightline monitor list.');
}

function buildCreation(given: MonitorWords): MonitorCallOrder | CommandFailure {
  const file = readText(given, 'body');
  if (file !== undefined) {
    const others = Object.entries(given.option).some(([name, value]) => name !== 'body' && value !== undefined);
    if (others || given.words.length > 0)
      return refuseUsage('--body has the whole monitor: leave out what else there is.');
    const body = readBodyFile(file);
    return isFailure(body) ? body : { method: 'POST', path: '', body, isOfFile: true };
  }
  const subject = buildSubject(given);
  if (isFailure(subject)) return subject;
  const [cron, every] = [readText(given, 'cron'), readText(given, 'every')];
  if (cron !== undefined && every !== undefined) return refuseUsage('--every and --cron exclude each other.');
  const at = readText(given, 'at');
  if (cron !== undefined && at !== undefined) return refuseUsage('--at goes with --every.');
  const zone = readText(given, 'time-zone');
  const interval = {
    ...(cron === undefined ? { every: every ?? DAILY } : { cron }),
    ...(at === undefined ? {} : { at }),
    ...(zone === undefined ? {} : { time_zone: zone }),
  };
  const name = readText(given, 'name');
  const body = { ...(name === undefined ? {} : { name }), subject, interval, receivers: buildReceivers(given) };
  return { method: 'POST', path: '', body };
}

/** The body of a monitor as a file has it. What is in it, the service judges. */
function readBodyFile(path: string): Readonly<Record<string, unknown>> | CommandFailure {
  const refuse = (why: string): CommandFailure =>
    refuseCommand('unreadable_file', `--body: ${path}: ${why}.`, EXIT.usage);
  try {
    if (statSync(path).size > MAX_BODY_BYTES) return refuse(`it is larger than ${MAX_BODY_BYTES} bytes`);
    const body = parseJson(readFileSync(path, 'utf8'));
    return isObject(body) ? body : refuse('it is no JSON object');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = String(error.code);
    return refuse(fileFaults[code] ?? `it cannot be read (${code})`);
  }
}

function buildSubject(given: MonitorWords): Readonly<Record<string, unknown>> | CommandFailure {
  const [url] = given.words;
  const [brand, niche] = [readText(given, 'brand'), readText(given, 'niche')];
  const competitors = readTexts(given, 'competitor').map((one) => readTypedAddress(one).url);
  if (url !== undefined) {
    if (brand !== undefined || niche !== undefined) return refuseUsage('Name a site or a brand, not both.');
    return { kind: 'site', url: readTypedAddress(url).url, ...(competitors.length === 0 ? {} : { competitors }) };
  }
  if (brand === undefined || niche === undefined)
    return refuseUsage('<url> is missing: the site to watch. For a brand give --brand and --niche.');
  if (competitors.length > 0) return refuseUsage('--competitor goes with a site.');
  return { kind: 'brand', capability: 'visibility_check', body: { brand, niche } };
}

const buildReceivers = (given: MonitorWords): readonly Readonly<Record<string, string>>[] => [
  ...(['webhook', 'slack', 'teams'] as const).flatMap((kind) => readTexts(given, kind).map((url) => ({ kind, url }))),
  ...readTexts(given, 'email').map((address) => ({ kind: 'email', address })),
  ...(given.option['feed'] === true ? [{ kind: 'feed' }] : []),
];
