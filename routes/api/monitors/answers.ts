import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import type { MonitorAnswer, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import { type AppContext, fail, failWith } from '../context.ts';
import { challengeSpending } from './access.ts';

/** Largest body of this interface, in bytes. */
export const MAX_MONITOR_BODY_BYTES = 64 * 1024;

/** What an account has is no one else's, and changes at any time. */
const PRIVATE = { 'cache-control': 'private, no-store' } as const;

type Headers = Readonly<Record<string, string>>;

/** A good answer as JSON. */
export const sendJson = (body: unknown, status = 200, headers: Headers = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...PRIVATE, ...headers },
  });

/** A CSV file to be saved: of the interface, and of the pages of an account. */
export const sendCsv = (text: string, name: string): Response =>
  new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'x-robots-tag': 'noindex',
      ...PRIVATE,
    },
  });

/** The answer of the service, or its refusal as a problem; a scope that is missing is challenged. */
export function answerMonitorRequest<T>(
  c: AppContext,
  caller: MonitorCaller,
  answer: MonitorAnswer<T>,
  send: (value: T) => Response,
): Response {
  if (answer.ok) return send(answer.value);
  const { problem } = answer;
  const challenge = problem.code === 'insufficient_scope' ? challengeSpending(c, caller) : undefined;
  return failWith(c, challenge === undefined ? problem : { ...problem, headers: { 'www-authenticate': challenge } });
}

const JSON_TYPES: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** The body of a request as JSON, or the refusal. */
export async function readJson(
  c: AppContext,
): Promise<{ ok: true; value: unknown } | { ok: false; response: Response }> {
  if (!JSON_TYPES.includes(readMediaType(c.req.raw)))
    return { ok: false, response: fail(c, 'unsupported_media_type', { detail: 'Send the body as application/json' }) };
  const bytes = await readBodyBytes(c.req.raw, MAX_MONITOR_BODY_BYTES);
  if (!bytes)
    return { ok: false, response: fail(c, 'body_too_large', { detail: describeBodyLimit(MAX_MONITOR_BODY_BYTES) }) };
  const json = parseJsonBody(bytes);
  return json.ok ? { ok: true, value: json.value } : { ok: false, response: fail(c, 'invalid_json') };
}

/** Entity tags of one If-Match that are read. */
const MAX_TAGS = 20;
const TAG = /^"(\d{1,15})"$/;

/**
 * The revisions that an If-Match names; `any` for `*`; undefined where the header is missing. A weak tag, and a tag that is
 * not of ours, names none (RFC 9110, section 13.1.1).
 */
export function readIfMatch(header: string | undefined): readonly number[] | 'any' | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  return header.split(',', MAX_TAGS).flatMap((tag) => {
    const [, revision] = TAG.exec(tag.trim()) ?? [];
    return revision === undefined ? [] : [Number(revision)];
  });
}
