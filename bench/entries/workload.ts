import type { JsonObject } from '../../src/lib/json.ts';

/** What entries say: a line of text, or a request as a service logs it, with labels and a trace. */
export type Kind = 'lines' | 'requests';

/** What a list came to: entries and rows that SQLite read for it, and whether there is a next page. */
export type Listed = { entries: number; rowsRead: number; hasNext: boolean };

export const BATCH = 1_000;
export const BUCKET = 'projects/p/locations/global/buckets/_Default';
/** The first entry of all; each later one comes a tenth of a second after the one before. */
export const FIRST_MS = Date.UTC(2026, 10, 1);
const STEP_MS = 100;
const LOGS = 20;
const SEVERITIES = ['DEBUG', 'INFO', 'INFO', 'INFO', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'INFO', 'CRITICAL'];
const ENTRIES_PER_TRACE = 10;
const ID_DIGITS = 12;

export const timeOf = (n: number): string => new Date(FIRST_MS + n * STEP_MS).toISOString();
export const logOf = (n: number): string => `projects/p/logs/service-${n % LOGS}`;
export const traceOf = (n: number): string => `projects/p/traces/${hexOf(Math.floor(n / ENTRIES_PER_TRACE), 32)}`;
export const idOf = (n: number): string => `e${n.toString(36).padStart(ID_DIGITS, '0')}`;

/** The body of a call of `entries:write` with the entries from `from` on, as clients send it. */
export function batchOf(from: number, kind: Kind): JsonObject {
  const entries = Array.from({ length: BATCH }, (_, offset) => entryOf(from + offset, kind));
  return { resource: { type: 'global', labels: { project_id: 'p' } }, entries };
}

/** So many entries in batches. */
export const batchesOf = (from: number, count: number, kind: Kind): readonly JsonObject[] =>
  Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) => {
    const { entries, ...body } = batchOf(from + batch * BATCH, kind);
    return { ...body, entries: Array.isArray(entries) ? entries.slice(0, count - batch * BATCH) : [] };
  });

function entryOf(n: number, kind: Kind): JsonObject {
  const severity = SEVERITIES[Math.floor(n / LOGS) % SEVERITIES.length] ?? 'DEFAULT';
  const placed = { logName: logOf(n), severity, timestamp: timeOf(n), insertId: idOf(n) };
  if (kind === 'lines') return { ...placed, textPayload: `worker ${n % 7} took job ${n} off the queue` };
  return {
    ...placed,
    trace: traceOf(n),
    spanId: hexOf(n, 16),
    labels: { region: 'europe-west1', version: '1.2.3' },
    jsonPayload: { message: 'request served', route: '/v1/things', userId: hexOf(n, 8), durationMs: n % 997 },
    httpRequest: { requestMethod: 'GET', requestUrl: `https://example.com/v1/things/${n}`, status: 200 },
  };
}

/** Digits that look random, the same for the same number. */
function hexOf(n: number, digits: number): string {
  let text = '';
  for (let part = 1; text.length < digits; part += 1)
    text += (Math.imul(n + part, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}
