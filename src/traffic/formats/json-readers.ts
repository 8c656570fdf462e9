import { isObject } from '../../lib/json.ts';
import { createRecentMap } from '../recent-map.ts';
import type { LineOutcome, LogRecord, ReadLine } from '../record.ts';
import { cutHostPort, cutPort } from './quoted.ts';
import { parseJsonLine, readAnyTime, readLogCount, readStatus, readLogText } from './json-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A reader of one object a line. */
const createJsonReader =
  (read: (fields: Fields, into: LogRecord) => LineOutcome): ReadLine =>
  (line, into) => {
    const json = parseJsonLine(line);
    if (isObject(json)) return read(json, into);
    return line.startsWith('{') && !line.endsWith('}') ? 'incomplete' : 'shape';
  };

/** Hosts as visitors wrote them, which may have a port. */
const readHost = (value: unknown): string | undefined => {
  const host = readLogText(value);
  return host === undefined ? undefined : cutHostPort(host);
};

/** A time that does not exist is none. */
const setTime = (value: unknown, into: LogRecord): LineOutcome => {
  const atMs = readAnyTime(value);
  into.atMs = Number.isNaN(atMs) ? undefined : atMs;
  return 'request';
};

/** Access logs of Caddy: `http.log.access`. Entries about anything else are no requests. */
export const createCaddyReader = (): ReadLine =>
  createJsonReader((fields, into) => {
    const { request, ts, status } = fields;
    if (!isObject(request)) return fields['logger'] === undefined && ts === undefined ? 'shape' : 'other';
    const headers = isObject(request['headers']) ? request['headers'] : {};
    if (typeof request['method'] !== 'string' || status === undefined) return ts === undefined ? 'shape' : 'other';
    const remote = readLogText(request['remote_addr']) ?? '';
    into.address = readLogText(request['client_ip']) ?? readLogText(request['remote_ip']) ?? cutPort(remote);
    into.method = request['method'];
    into.path = readLogText(request['uri']) ?? '';
    into.host = readHost(request['host']);
    into.status = readStatus(status);
    into.bytes = readLogCount(fields['size']);
    into.referrer = readLogText(headers['Referer']) ?? '';
    into.userAgent = readLogText(headers['User-Agent']) ?? '';
    return setTime(ts, into);
  });

/** Logpush of Cloudflare, data set `http_requests`. What a Worker asked for by itself is no request of a visitor. */
export const createCloudflareReader = (): ReadLine =>
  createJsonReader((fields, into) => {
    const { ClientRequestSource: source } = fields;
    const method = readLogText(fields['ClientRequestMethod']);
    const path = readLogText(fields['ClientRequestURI']) ?? readLogText(fields['ClientRequestPath']);
    const time = fields['EdgeStartTimestamp'] ?? fields['EdgeEndTimestamp'];
    if (path === undefined && fields['ClientRequestUserAgent'] === undefined) return 'shape';
    if (typeof source === 'string' && source !== '' && source !== 'eyeball' && source !== 'unknown') return 'other';
    into.address = readLogText(fields['ClientIP']) ?? '';
    into.method = method ?? '';
    into.path = path ?? '';
    into.host = readHost(fields['ClientRequestHost']);
    into.status = readStatus(fields['EdgeResponseStatus']) ?? readStatus(fields['OriginResponseStatus']);
    into.bytes = readLogCount(fields['EdgeResponseBytes']) ?? readLogCount(fields['EdgeResponseBodyBytes']);
    into.referrer = readLogText(fields['ClientRequestReferer']) ?? '';
    into.userAgent = readLogText(fields['ClientRequestUserAgent']) ?? '';
    return setTime(time, into);
  });

/** Requests of Vercel that were counted lately: one of them has an entry for each line that its function writes. */
const MAX_RECENT_REQUESTS = 10_000;
/** Ids of Vercel have about 50 characters. */
const MAX_REQUEST_ID_CHARS = 200;

/** Log drains of Vercel. Entries of builds are no requests, and one request is counted once. */
export function createVercelReader(): ReadLine {
  const seen = createRecentMap<true>(MAX_RECENT_REQUESTS);
  return createJsonReader((fields, into) => {
    const { proxy, requestId } = fields;
    if (!isObject(proxy)) return typeof fields['deploymentId'] === 'string' ? 'other' : 'shape';
    if (typeof requestId === 'string' && requestId !== '' && requestId.length <= MAX_REQUEST_ID_CHARS) {
      if (seen.get(requestId) === true) return 'other';
      seen.set(requestId, true);
    }
    into.address = readLogText(proxy['clientIp']) ?? '';
    into.method = readLogText(proxy['method']) ?? '';
    into.path = readLogText(proxy['path']) ?? readLogText(fields['path']) ?? '';
    into.host = readHost(proxy['host']) ?? readHost(fields['host']);
    into.status = readStatus(proxy['statusCode']) ?? readStatus(fields['statusCode']);
    into.bytes = readLogCount(proxy['responseByteSize']);
    into.referrer = readLogText(proxy['referer']) ?? '';
    into.userAgent = readLogText(proxy['userAgent']) ?? '';
    return setTime(proxy['timestamp'] ?? fields['timestamp'], into);
  });
}

/** Names that people give to fields of nginx, the exact ones first. */
const names = {
  address: ['remote_addr', 'client_ip', 'clientip', 'remote_ip', 'remoteip', 'ip', 'realip_remote_addr', 'client'],
  time: [
    'time_iso8601',
    'time_local',
    'msec',
    '@timestamp',
    'timestamp',
    'time',
    'ts',
    'date',
    'datetime',
    'event_datetime',
  ],
  method: ['request_method', 'method', 'verb'],
  path: ['request_uri', 'uri', 'path', 'url', 'request_url', 'request_path'],
  query: ['args', 'query_string', 'query'],
  status: ['status', 'status_code', 'response', 'response_status'],
  bytes: ['body_bytes_sent', 'bytes_sent', 'bytes', 'size', 'response_size'],
  referrer: ['http_referer', 'http_referrer', 'referer', 'referrer'],
  userAgent: ['http_user_agent', 'user_agent', 'useragent', 'agent', 'ua'],
  host: ['http_host', 'host', 'server_name', 'vhost', 'virtual_host'],
} as const;

/** JSON that nginx, or a server like it, was set to write: one object a line, under the common names of fields. */
export const createNginxJsonReader = (): ReadLine =>
  createJsonReader((given, into) => {
    const fields = lowerNames(given);
    const pick = (field: keyof typeof names): unknown =>
      fields[names[field].find((name) => readLogText(fields[name]) !== undefined) ?? ''];
    const [method = '', target, ...rest] = (readLogText(fields['request']) ?? '').split(' ');
    const words = rest.at(-1)?.startsWith('HTTP/') === true ? [target, ...rest.slice(0, -1)] : [target, ...rest];
    const path = readLogText(pick('path')) ?? (target === undefined ? undefined : words.join(' '));
    const hasStatus = names.status.some((name) => fields[name] !== undefined);
    const address = readLogText(pick('address'));
    if (!hasStatus || (path === undefined && address === undefined)) return 'shape';
    const query = path?.includes('?') === true ? undefined : readLogText(pick('query'));
    into.address = address ?? '';
    into.method = readLogText(pick('method')) ?? method;
    into.path = query === undefined ? (path ?? '') : `${path ?? ''}?${query.replace(/^\?/, '')}`;
    into.host = readHost(pick('host'));
    into.status = readStatus(pick('status'));
    into.bytes = readLogCount(pick('bytes'));
    into.referrer = readLogText(pick('referrer')) ?? '';
    into.userAgent = readLogText(pick('userAgent')) ?? '';
    return setTime(pick('time'), into);
  });

const lowerNames = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
