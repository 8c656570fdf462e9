import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.ts';

/** Parts of an Accept-Encoding that are read. */
const MAX_CODINGS = 20;
/** Media types of text; pictures of ours are small, and streams of events are not held back. */
const TEXT = /^(?:text\/(?:html|markdown)|application\/(?:json|[a-z]{1,20}\+json))(?:;|$)/;

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
