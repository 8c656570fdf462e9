import { isObject } from '../../lib/json.ts';
import { copyText } from '../byte-string.ts';
import { createRecentMap } from '../recent-map.ts';
import type { LineOutcome, LogRecord, ReadLine } from '../record.ts';
import { readIsoTime } from './dates.ts';
import { parseJsonLine, readAnyTime, readLogText } from './json-values.ts';
import { cutHostPort } from './quoted.ts';

/** The fields of standard logs from 2014 on, in their order, for a file whose header is missing. */
const STANDARD_FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header'.split(
    ' ',
  );
/**
 * The fields of real-time logs as far as they are read here, in the order in which they come where all are chosen; their
 * records have no header. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html
 */
const REAL_TIME_FIELDS =
  'timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query'.split(
    ' ',
  );
const MAX_FIELDS = 200;
const FIELDS = '#Fields:';
const MAX_DECODED_AGENTS = 5_000;
/** Longer texts are decoded each time: a log full of them must not fill the memory. */
const MAX_REMEMBERED_CHARS = 512;

type Fields = ReadonlyMap<string, number>;
const indexFields = (names: readonly string[]): Fields =>
  new Map(names.slice(0, MAX_FIELDS).map((name, at) => [name, at]));

/**
 * Logs of CloudFront: fields as the header of the file names them, those of real-time logs, or objects of JSON with the same
 * names.
 * User-Agent and referrer are URL-encoded, some twice.
 */
export function createCloudFrontReader(): ReadLine {
  let fields = indexFields(STANDARD_FIELDS);
  let hasHeader = false;
  const agents = createRecentMap<string>(MAX_DECODED_AGENTS);
  const decode = (text: string): string => {
    if (text.length > MAX_REMEMBERED_CHARS) return decodeField(text);
    const known = agents.get(text);
    if (known !== undefined) return known;
    const decoded = decodeField(copyText(text));
    agents.set(text, decoded);
    return decoded;
  };
  return (line, into) => {
    if (line.startsWith('#')) {
      if (line.startsWith(FIELDS)) {
        hasHeader = true;
        fields = indexFields(
          line
            .slice(FIELDS.length)
            .trim()
            .split(/[ \t]+/),
        );
      }
      return /^#(?:Version|Fields|Software|Date|Start-Date|End-Date)\b/.test(line) ? 'other' : 'shape';
    }
    if (line.startsWith('{')) {
      const json = parseJsonLine(line);
      if (json === undefined) return line.endsWith('}') ? 'shape' : 'incomplete';
      if (!isObject(json) || json['c-ip'] === undefined) return 'shape';
      return readFields((name) => readLogText(json[name]) ?? '-', decode, into);
    }
    const cells = line.split('\t', MAX_FIELDS);
    const isRealTime = !hasHeader && UNIX_TIME.test(cells[0] ?? '');
    const places = isRealTime ? realTimeFields : fields;
    if (cells.length < places.size)
      return isRealTime || readIsoTime(`${cells[0]}T00:00:00`, 0) >= 0 ? 'incomplete' : 'shape';
    return readFields((name) => cells[places.get(name) ?? -1] ?? '-', decode, into);
  };
}

const realTimeFields = indexFields(REAL_TIME_FIELDS);
const UNIX_TIME = /^\d{10}(?:\.\d{1,6})?$/;

type Pick = (name: string) => string;

/** Real-time logs, and standard ones that have fields of those, call some by other names. */
const pickEither = (pick: Pick, name: string, other: string): string => {
  const found = pick(name);
  return found === '-' ? pick(other) : found;
};

function readFields(pick: Pick, decode: (text: string) => string, into: LogRecord): LineOutcome {
  const method = pick('cs-method');
  const address = pick('c-ip');
  if (method === '-' || address === '-') return 'shape';
  const [status, bytes] = [Number(pick('sc-status')), Number(pick('sc-bytes'))];
  const [stem, query] = [pick('cs-uri-stem'), pick('cs-uri-query')];
  const [host, asked] = [pickEither(pick, 'cs(Host)', 'cs-host'), pick('x-host-header')];
  into.atMs = readTime(pick);
  into.address = address;
  into.method = method;
  into.status = status >= 100 ? status : undefined;
  into.bytes = bytes >= 0 ? bytes : undefined;
  into.path = query === '-' || stem.includes('?') ? stem : `${stem}?${query}`;
  into.host = asked === '-' ? (host === '-' ? undefined : host) : cutHostPort(asked);
  into.referrer = decode(pickEither(pick, 'cs(Referer)', 'cs-referer'));
  into.userAgent = decode(pickEither(pick, 'cs(User-Agent)', 'cs-user-agent'));
  return 'request';
}

function readTime(pick: Pick): number | undefined {
  const date = pick('date');
  const atMs =
    date === '-'
      ? readAnyTime(pickEither(pick, 'timestamp', 'timestamp(ms)'))
      : readIsoTime(`${date}T${pick('time')}`, 0);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** A field without its encoding, and without the second one that older logs have; empty for a hyphen. */
function decodeField(text: string): string {
  if (text === '-') return '';
  const once = decodePercent(text);
  return /%(?:20|25|2[0-9A-F]|3B)/i.test(once) && !once.includes(' ') ? decodePercent(once) : once;
}

/** Percent-escapes as bytes; what is no escape stays. */
const decodePercent = (text: string): string =>
  text.replaceAll(/%([\da-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
