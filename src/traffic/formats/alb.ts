import type { LogRecord, ReadLine } from '../record.ts';
import { readDigits, readIsoTime } from './dates.ts';
import { cutPort, findQuote, readMethod, unescapeLog } from './quoted.ts';

const types: ReadonlySet<string> = new Set(['http', 'https', 'h2', 'grpcs', 'ws', 'wss']);

/** Places of fields before the request: type, time, balancer, client, target, three times, two statuses, two sizes. */
const [TYPE, TIME, CLIENT, STATUS, SENT, FIELDS] = [0, 1, 3, 8, 11, 12];

/** Access logs of an Application Load Balancer, which name no referrer. */
export function createAlbReader(): ReadLine {
  return (line, into) => {
    const starts = [0];
    for (let count = 0; count < FIELDS; count += 1) {
      const space = line.indexOf(' ', starts[count]);
      if (space === -1) return types.has(line.slice(0, starts[1] ?? 0).trim()) ? 'incomplete' : 'shape';
      starts.push(space + 1);
    }
    const cut = (field: number): string => line.slice(starts[field], (starts[field + 1] ?? 0) - 1);
    const request = starts[FIELDS] ?? 0;
    if (!types.has(cut(TYPE)) || line[request] !== '"') return 'shape';
    const atMs = readIsoTime(cut(TIME), 0);
    const escaped = line.includes('\\');
    const end = findQuote(line, request + 1, escaped);
    const agentEnd = end === -1 ? -1 : findQuote(line, end + 3, escaped);
    if (agentEnd === -1 || line[end + 2] !== '"') return 'incomplete';
    const agent = line.slice(end + 3, agentEnd);
    const client = cut(CLIENT);
    into.address = cutPort(client);
    const status = readDigits(cut(STATUS), 0, 3);
    into.status = status >= 100 ? status : undefined;
    const sent = Number(cut(SENT));
    into.bytes = sent >= 0 ? sent : undefined;
    into.referrer = '';
    into.userAgent = agent === '-' ? '' : unescapeLog(agent);
    readTarget(line.slice(request + 1, end), into);
    into.atMs = Number.isNaN(atMs) ? undefined : atMs;
    return 'request';
  };
}

/** `GET https://example.com:443/path HTTP/2.0`; `- http://example.com:80- -` for a request that was none. */
function readTarget(request: string, into: LogRecord): void {
  const space = request.indexOf(' ');
  const last = request.lastIndexOf(' ');
  const method = space > 0 ? readMethod(request, 0, space) : '';
  into.method = method === '-' ? '' : method;
  into.path = '';
  into.host = undefined;
  const scheme = request.indexOf('://', space);
  if (into.method === '' || last <= space || scheme === -1) return;
  const target = unescapeLog(request.slice(scheme + 3, last));
  const slash = target.indexOf('/');
  const authority = slash === -1 ? target : target.slice(0, slash);
  into.path = slash === -1 ? '/' : target.slice(slash);
  into.host = authority.replace(/:\d+$/, '');
}
