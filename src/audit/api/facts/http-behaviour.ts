import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot, type SnapshotAnswer } from '../../core/snapshot.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { type ExchangeWithAnswer, readStart } from '../../reach/facts/site-files.ts';

/** Roles of the two requests that try how the start page is served. */
export const HTTP_ROLES = { head: 'page-head', replay: 'page-replay' } as const;

/** How the start page is served. `head` and `replay` are undefined when they were not asked for. */
export type HttpBehaviour = {
  start: ExchangeWithAnswer;
  validators: Validators;
  head: Exchange | undefined;
  replay: Exchange | undefined;
};

/** The headers that make a request conditional on what the first answer said of itself; empty when it said nothing. */
export type Validators = Readonly<Partial<Record<'if-none-match' | 'if-modified-since', string>>>;

/** Artifact `httpBehaviour`: the answers to HEAD and to a conditional GET; failed when the start page gave no answer. */
export function readHttpBehaviour(snapshot: Snapshot): Artifact<HttpBehaviour> {
  const start = readStart(snapshot);
  if (start.state === 'failed') return start;
  const find = getExchangeLookup(snapshot);
  const validators = extractValidators(start.value.answer);
  const asked = { head: find(HTTP_ROLES.head), replay: find(HTTP_ROLES.replay) };
  return { state: 'ready', value: { start: start.value, validators, ...asked } };
}

/** A value goes back into a header only as printable ASCII: anything else is no validator that HTTP can carry. */
export function extractValidators({ headers }: SnapshotAnswer): Validators {
  const etag = headers['etag']?.trim() ?? '';
  const modified = headers['last-modified']?.trim() ?? '';
  return {
    ...(/^[\x21-\x7E]{1,512}$/u.test(etag) ? { 'if-none-match': etag } : {}),
    ...(/^[\x20-\x7E]{1,64}$/u.test(modified) ? { 'if-modified-since': modified } : {}),
  };
}

/** Artifact `rateLimits`: every answer of the site's own hosts that asked us to wait, each request once. */
export function readRateLimits(snapshot: Snapshot): Artifact<readonly ExchangeWithAnswer[]> {
  const start = new URL(snapshot.url);
  const value = snapshot.exchanges.flatMap((exchange) => {
    const { answer, sameAs } = exchange;
    if (!answer.ok || sameAs !== undefined || (answer.status !== 429 && answer.status !== 503)) return [];
    return isSameOwner(new URL(answer.url), start) ? [{ exchange, answer }] : [];
  });
  return { state: 'ready', value };
}

/** Whether a Retry-After value is valid: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export const isRetryAfter = (value: string): boolean =>
  /^\d{1,9}$/u.test(value.trim()) || (value.trim().endsWith(' GMT') && !Number.isNaN(Date.parse(value)));

/** What a Cache-Control header says, as far as it is judged. `maxAge` in seconds. */
export type Caching = { header: string | undefined; maxAge: number | undefined; uncached: boolean };

/** `uncached`: no-store, no-cache or private. A max-age that is no number is none (RFC 9111, 4.2.1: stale at once). */
export function extractCaching({ headers }: SnapshotAnswer): Caching {
  const header = headers['cache-control'];
  const directives = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  const age = directives.map((directive) => /^max-age="?(\d{1,12})"?$/u.exec(directive)?.[1]).find(Boolean);
  const uncached = directives.some((directive) => /^(?:no-store|no-cache|private)(?:$|=)/u.test(directive));
  return { header, maxAge: age === undefined ? undefined : Number(age), uncached };
}

/** Characters of an answer that are searched. */
const MAX_CHARS = 100_000;

/**
 * Whether an answer shows where a program failed: frames of JavaScript, Python, Java, Go, Ruby, PHP or .NET, plain
 * or inside a JSON string. Such text reveals file names and libraries to strangers.
 */
export function hasStackTrace(body: string): boolean {
  const text = body.slice(0, MAX_CHARS);
  return FRAMES.some((frame) => frame.test(text));
}

const FRAMES: readonly RegExp[] = [
  /Traceback \(most recent call last\)/,
  /\bFile \\?"[^"\n]{1,200}", line \d{1,6}/,
  /\bat (?:async |new )?[^\s()]{1,100} \([^\s()]{1,200}:\d{1,6}:\d{1,6}\)/,
  /\bat (?:file|node|webpack-internal):[^\s()]{1,200}:\d{1,6}:\d{1,6}/,
  /\bat [\w.$]{3,100}\([\w$]{1,60}\.java:\d{1,6}\)/,
  /\bgoroutine \d{1,6} \[running\]/,
  /\.rb:\d{1,6}:in [`']/,
  /#\d{1,3} \/[^\s()]{1,200}\.php\(\d{1,6}\)/,
  /\.cs:line \d{1,6}/,
];
