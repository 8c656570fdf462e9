import { auditSite } from '../../src/audit/core/report.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { createGuardedFetch, type FetchFunction } from '../../src/net/guarded-fetch.ts';
import { extractPdfText } from '../../src/search/pdf/text.ts';
import { type RawFile, readFileText } from '../../src/search/ingest/text-of.ts';
import { counted, lookOutside } from './counters.ts';
import type { Entry } from './shape.ts';

export const ORIGIN = 'https://hostile.example';
const CLOCK_MS = Date.UTC(2026, 10, 21);
const CHUNK = 64 * 1024;

export type Reply = {
  status?: number;
  headers?: Iterable<readonly [string, string]>;
  /** Text and bytes go out in chunks of 64 KiB; pieces go out as they come, as long as somebody reads. */
  body?: string | Uint8Array | Iterable<Uint8Array>;
};

/** What a hostile site answers to one request; undefined: 404. */
export type Site = (url: URL, method: string) => Reply | undefined;

/** A site that serves the one start page, HTML unless the headers say otherwise. */
export const page =
  (body: Reply['body'], headers: Iterable<readonly [string, string]> = HTML): Site =>
  ({ pathname }) =>
    pathname === '/' && body !== undefined ? { headers, body } : undefined;

export const HTML = [['content-type', 'text/html; charset=utf-8']] as const;
export const USUAL_PAGE: Reply = {
  headers: HTML,
  body: '<!doctype html><html lang="en"><title>A shop of bells</title><main><h1>Bells</h1><p>We cast bells of bronze.</p></main>',
};

/** A good start page, and other paths answered as given. */
export const paths =
  (replies: Readonly<Record<string, Reply>>): Site =>
  ({ pathname }) =>
    replies[pathname] ?? (pathname === '/' ? USUAL_PAGE : undefined);

/** The whole audit, with the guarded fetch and its budget, over a wire that the site speaks on. */
export const audit: Entry<Site> = async (site) => {
  const fetch = createGuardedFetch({ fetch: wireOf(site), policy: allowPublicOnly(), clock: () => CLOCK_MS });
  const result = await auditSite(`${ORIGIN}/`, { fetch, clockMs: CLOCK_MS });
  return { outcome: result.ok ? 'ok' : result.failure, result };
};

/** What AI Search makes of one file that is no PDF. */
export const ingest: Entry<RawFile> = async (file) => {
  const result = await readFileText(file, () => Promise.reject(new Error('this is no PDF')));
  return { outcome: result.ok ? 'ok' : result.reason, result: result.ok ? result.title : result };
};

/** What the reader of PDFs makes of one, in this process: whatever ends it here ends a Worker. */
export const readPdf: Entry<Uint8Array> = async (bytes) => {
  const result = await extractPdfText(bytes);
  if (typeof result === 'string') return { outcome: result, result };
  return { outcome: result.text.trim() === '' ? 'empty' : 'ok', result: result.title };
};

/** A function of the text of strangers, called once. Its outcome is the word that it is judged by. */
export const call: Entry<() => unknown> = async (work) => {
  const result = await work();
  return { outcome: typeof result === 'string' ? result.slice(0, 40) : 'ok', result };
};

/** A wire whose bodies are counted as they are read. */
export function wireOf(site: Site): FetchFunction {
  return (url, { method }) => {
    counted.requests += 1;
    const { status = 200, headers = HTML, body } = site(new URL(url), method) ?? { status: 404, body: 'Not found' };
    const rows = [...headers];
    return Promise.resolve({
      status,
      headers: {
        get: (name: string) =>
          rows
            .filter(([key]) => key === name)
            .map(([, value]) => value)
            .join(', ') || null,
        forEach: (row: (value: string, name: string) => void) => rows.forEach(([name, value]) => row(value, name)),
      },
      body: body === undefined ? null : streamOf(piecesOf(body)),
    });
  };
}

function* piecesOf(body: string | Uint8Array | Iterable<Uint8Array>): Iterable<Uint8Array> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return yield* body;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  for (let at = 0; at < bytes.byteLength; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

export function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.iterator]();
  let looks = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = source.next();
        if (done === true) return controller.close();
        counted.served += value.byteLength;
        controller.enqueue(value.slice());
        looks += 1;
        if (looks % 64 === 0) lookOutside();
      },
      cancel: () => void source.return?.(),
    },
    { highWaterMark: 0 },
  );
}
