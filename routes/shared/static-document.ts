import { computeSha256Hex } from '../../src/lib/digest.ts';
import type { AppContext, AppEnv } from '../api/context.ts';
import type { MiddlewareHandler } from 'hono';
import { formatEntityTag, isKnownTag } from '../../src/net/entity-tag.ts';

/** Seconds that caches may keep a document: a deployment changes it, nothing else does. */
const MAX_AGE_S = 3_600;

export type StaticDocument = { type: string; body: string; headers?: Readonly<Record<string, string>> };

type Rendered = StaticDocument & { etag: string; zipped: { body: ArrayBuffer; etag: string } | undefined };

/** What this isolate has rendered: one entry for each variant of each document, the one used last at the end. */
const rendered = new Map<string, Rendered>();
const MAX_RENDERED = 100;

/** Smaller bodies fit into the first packet anyway. */
const MIN_ZIPPED_BYTES = 1_400;

/**
 * Answers with a document that depends on the settings alone (rule X10): rendered once for each `variant`, cacheable, with
 * a strong ETag, and 304 when the client has it. HEAD comes here too; the framework drops the body.
 */
export async function serveStaticDocument(
  c: AppContext,
  variant: string,
  make: () => StaticDocument | Promise<StaticDocument>,
): Promise<Response> {
  const asked = { ifNoneMatch: c.req.header('if-none-match'), acceptEncoding: c.req.header('accept-encoding') };
  return answerWith(await renderOnce(`${c.get('settings').BASE_URL} ${variant}`, make), asked);
}

/** The same for any Worker, as it is: `key` says whose document it is and which variant. */
export async function answerDocument(
  key: string,
  ifNoneMatch: string | undefined,
  make: () => StaticDocument | Promise<StaticDocument>,
): Promise<Response> {
  return answerWith({ ...(await renderOnce(key, make)), zipped: undefined }, { ifNoneMatch });
}

type DocumentConditions = { ifNoneMatch: string | undefined; acceptEncoding?: string | undefined };

/** Zipped where that is worth it and the client takes it: each coding is a representation with a tag of its own. */
function answerWith(
  { type, body, etag, headers, zipped }: Rendered,
  { ifNoneMatch, acceptEncoding }: DocumentConditions,
): Response {
  const isZipped = zipped !== undefined && isGzipAccepted(acceptEncoding);
  const tag = isZipped ? zipped.etag : etag;
  const shared = new Headers({ 'cache-control': `public, max-age=${MAX_AGE_S}`, etag: tag, ...headers });
  if (zipped !== undefined) shared.append('vary', 'Accept-Encoding');
  if (isKnownTag(ifNoneMatch, tag)) return new Response(null, { status: 304, headers: shared });
  shared.set('content-type', type);
  if (!isZipped) return new Response(body, { headers: shared });
  shared.set('content-encoding', 'gzip');
  return new Response(zipped.body, { headers: shared, encodeBody: 'manual' });
}

// Values are kept and not promises: a promise of one request must not be awaited by another.
async function renderOnce(key: string, make: () => StaticDocument | Promise<StaticDocument>): Promise<Rendered> {
  const known = rendered.get(key);
  if (known) {
    rendered.delete(key);
    rendered.set(key, known);
    return known;
  }
  const document = await make();
  const hash = await computeSha256Hex(`${document.type}\n${document.body}`);
  const made = { ...document, etag: formatEntityTag(hash), zipped: await zip(document, hash) };
  rendered.set(key, made);
  for (const oldest of rendered.keys()) {
    if (rendered.size <= MAX_RENDERED) break;
    rendered.delete(oldest);
  }
  return made;
}

async function zip({ body }: StaticDocument, hash: string): Promise<Rendered['zipped']> {
  if (body.length < MIN_ZIPPED_BYTES) return undefined;
  const zipped = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return {
    body: await new Response(zipped).arrayBuffer(),
    etag: formatEntityTag(await computeSha256Hex(`gzip ${hash}`)),
  };
}

/** Parts of an Accept-Encoding that are read. */
const MAX_CODINGS = 20;
/** Media types of text; pictures of ours are small, and streams of events are not held back. */
const TEXT = /^(?:text\/(?:css|html|javascript|markdown)|application\/(?:json|[a-z]{1,20}\+json))(?:;|$)/;

/** Whether a client takes gzip, by its Accept-Encoding (RFC 9110, section 12.5.3). */
export const isGzipAccepted = (acceptEncoding = ''): boolean =>
  acceptEncoding
    .toLowerCase()
    .split(',', MAX_CODINGS)
    .map((part) => part.replaceAll(/\s/g, ''))
    .some((part) => part === 'gzip' || (part.startsWith('gzip;q=') && Number(part.slice('gzip;q='.length)) > 0));

/**
 * Compresses texts for clients that accept it: the runtime encodes what the header says. Only for pages without
 * secrets: the length of a compressed page that mixes a secret with a stranger's words would reveal the secret.
 */
export const compressResponse: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers, status, body } = c.res;
  if (status !== 200 || body === null || headers.has('content-encoding')) return;
  if (!TEXT.test(headers.get('content-type') ?? '')) return;
  c.header('vary', 'Accept-Encoding', { append: true });
  if (isGzipAccepted(c.req.header('accept-encoding'))) c.header('content-encoding', 'gzip');
};
