import { sha256Hex } from '../src/net/digest.ts';
import type { AppContext } from './context.ts';

/** Seconds that caches may keep a document: a deployment changes it, nothing else does. */
const MAX_AGE_S = 3_600;
/** Tags of an If-None-Match that are compared. */
const MAX_TAGS = 20;

export type StaticDocument = { type: string; body: string; headers?: Readonly<Record<string, string>> };

type Rendered = StaticDocument & { etag: string };

/** What this isolate has rendered: one entry for each variant of each document. */
const rendered = new Map<string, Rendered>();
const MAX_RENDERED = 100;

/**
 * Answers with a document that depends on the settings alone (rule X10): rendered once for each `variant`, cacheable, with
 * a strong ETag, and 304 when the client has it. HEAD comes here too; the framework drops the body.
 */
export async function staticDocument(
  c: AppContext,
  variant: string,
  make: () => StaticDocument | Promise<StaticDocument>,
): Promise<Response> {
  return documentAnswer(`${c.get('settings').BASE_URL} ${variant}`, c.req.header('if-none-match'), make);
}

/** The same for any Worker: `key` says whose document it is and which variant. */
export async function documentAnswer(
  key: string,
  ifNoneMatch: string | undefined,
  make: () => StaticDocument | Promise<StaticDocument>,
): Promise<Response> {
  const { type, body, etag, headers } = await renderOnce(key, make);
  const shared = { 'cache-control': `public, max-age=${MAX_AGE_S}`, etag, ...headers };
  if (isKept(ifNoneMatch, etag)) return new Response(null, { status: 304, headers: shared });
  return new Response(body, { headers: { 'content-type': type, ...shared } });
}

// Values are kept and not promises: a promise of one request must not be awaited by another.
async function renderOnce(key: string, make: () => StaticDocument | Promise<StaticDocument>): Promise<Rendered> {
  const known = rendered.get(key);
  if (known) return known;
  const document = await make();
  const hash = await sha256Hex(`${document.type}\n${document.body}`);
  const made = { ...document, etag: `"${hash.slice(0, 32)}"` };
  if (rendered.size >= MAX_RENDERED) rendered.clear();
  rendered.set(key, made);
  return made;
}

const isKept = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',', MAX_TAGS)
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
