import { isObject } from '../../lib/json.ts';
import { copyText } from '../byte-string.ts';
import { createRecentMap } from '../recent-map.ts';
import type { LineOutcome, LogRecord, ReadLine } from '../record.ts';
import { readIsoTime } from './dates.ts';
import { parseJsonLine, readLogText } from './json-values.ts';
import { cutHostPort } from './quoted.ts';

/** The fields of standard logs from 2014 on, in their order, for a file whose header is missing. */
const STANDARD_FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header'.split(
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
 * Standard logs of CloudFront: fields as the header of the file names them, or objects of JSON with the same names.
 * User-Agent and referrer are URL-encoded, some twice.
 */
export function createCloudFrontReader(): ReadLine {
  let fields = indexFields(STANDARD_FIELDS);
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
      if (line.startsWith(FIELDS))
        fields = indexFields(
          line
            .slice(FIELDS.length)
            .trim()
            .split(/[ \t]+/),
        );
      return /^#(?:Version|Fields|Software|Date|Start-Date|End-Date)\b/.test(line) ? 'other' : 'shape';
    }
    if (line.startsWith('{')) {
      const json = parseJsonLine(line);
      if (json === undefined) return line.endsWith('}') ? 'shape' : 'incomplete';
      if (!isObject(json) || json['c-ip'] === undefined) return 'shape';
      return readFields((name) => readLogText(json[name]) ?? '-', decode, into);
    }
    const cells = line.split('\t', MAX_FIELDS);
    if (cells.length < fields.size) return readIsoTime(`${cells[0]}T00:00:00`, 0) >= 0 ? 'incomplete' : 'shape';
    return readFields((name) => cells[fields.get(name) ?? -1] ?? '-', decode, into);
  };
}

function readFields(pick: (name: string) => string, decode: (text: string) => string, into: LogRecord): LineOutcome {
  const method = pick('cs-method');
  const address = pick('c-ip');
  if (method === '-' || address === '-') return 'shape';
  const atMs = readIsoTime(`${pick('date')}T${pick('time')}`, 0);
  const [status, bytes] = [Number(pick('sc-status')), Number(pick('sc-bytes'))];
  const query = pick('cs-uri-query');
  const [host, asked] = [pick('cs(Host)'), pick('x-host-header')];
  into.atMs = Number.isNaN(atMs) ? undefined : atMs;
  into.address = address;
  into.method = method;
  into.status = status >= 100 ? status : undefined;
  into.bytes = bytes >= 0 ? bytes : undefined;
  into.path = query === '-' ? pick('cs-uri-stem') : `${pick('cs-uri-stem')}?${query}`;
  into.host = asked === '-' ? (host === '-' ? undefined : host) : cutHostPort(asked);
  into.referrer = decode(pick('cs(Referer)'));
  into.userAgent = decode(pick('cs(User-Agent)'));
  return 'request';
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
