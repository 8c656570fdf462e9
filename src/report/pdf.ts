import * as z from 'zod';
import type { DevToolsSession, OpenBrowser, OpenedBrowser } from '../audit/rendered/gather/devtools.ts';
import { callWithTimeout } from '../lib/concurrency.ts';

/** A file that the printed page consists of. */
export type PrintedFile = { type: string; body: Uint8Array };

/** The files of a page by path; `/` is the page itself. Undefined: there is no such file. */
export type PrintedFiles = (path: string) => Promise<PrintedFile | undefined>;

export type PdfOutcome =
  | { ok: true; pdf: Uint8Array<ArrayBuffer> }
  | { ok: false; reason: 'browser_unavailable' | 'print_failed'; detail: string };

/** How long it may take, in milliseconds: until a browser is there, and from then to the last byte. */
const PDF_LIMITS = { openMs: 15_000, printMs: 20_000 } as const;
/** Largest PDF, and how much of it a message of the browser brings. */
const MAX_PDF_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** Files that a page may ask for. */
const MAX_FILES = 20;

/** An address that exists nowhere (RFC 6761): all that the browser gets of it is what we hand it. */
const ORIGIN = 'https://report.invalid';
/** A4, in inches. */
const PAPER = { paperWidth: 8.27, paperHeight: 11.69 };

/**
 * Prints a page of ours to a PDF. What a site wrote into the page cannot reach the network: the browser has no way out, each
 * request is answered with one of these files or refused, and no script runs. The browser is closed in every case.
 */
export async function printToPdf(files: PrintedFiles, openBrowser: OpenBrowser): Promise<PdfOutcome> {
  const opening = openBrowser(ORIGIN);
  const opened = await callWithTimeout(() => opening, PDF_LIMITS.openMs);
  if (!opened.ok) {
    // A browser that comes after all is closed at once.
    opening.then((late) => (late.ok ? late.opened.close() : undefined)).catch(() => undefined);
    return { ok: false, reason: 'browser_unavailable', detail: `The browser did not start (${opened.name})` };
  }
  if (!opened.value.ok) return { ok: false, reason: 'browser_unavailable', detail: opened.value.detail };
  const browser = opened.value.opened;
  try {
    const printed = await callWithTimeout(() => printIn(browser, files), PDF_LIMITS.printMs);
    return printed.ok
      ? printed.value
      : { ok: false, reason: 'print_failed', detail: `The browser did not print the page (${printed.name})` };
  } finally {
    await browser.close();
  }
}

async function printIn({ browser, openPage }: OpenedBrowser, files: PrintedFiles): Promise<PdfOutcome> {
  const page = await openPage();
  await answerRequests(browser, files);
  const loaded = Promise.withResolvers<undefined>();
  page.on('Page.loadEventFired', () => loaded.resolve(undefined));
  await page.send('Page.enable');
  await page.send('Emulation.setScriptExecutionDisabled', { value: true });
  const { errorText } = navigated.parse(await page.send('Page.navigate', { url: `${ORIGIN}/` }));
  if (errorText !== undefined)
    return { ok: false, reason: 'print_failed', detail: `The browser shows no page (${errorText})` };
  await loaded.promise;
  const { stream } = started.parse(
    await page.send('Page.printToPDF', {
      ...PAPER,
      preferCSSPageSize: true,
      printBackground: false,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
      transferMode: 'ReturnAsStream',
    }),
  );
  return readPdf(page, stream);
}

const navigated = z.object({ errorText: z.string().optional() });
const started = z.object({ stream: z.string() });
const paused = z.object({ requestId: z.string(), request: z.object({ url: z.string(), method: z.string() }) });

/** At the session of the browser: it sees the requests of frames and workers too. */
async function answerRequests(browser: DevToolsSession, files: PrintedFiles): Promise<void> {
  let asked = 0;
  browser.on('Fetch.requestPaused', (params) => {
    const parsed = paused.safeParse(params);
    if (!parsed.success) return;
    const { requestId, request } = parsed.data;
    asked += 1;
    const path = asked <= MAX_FILES && request.method === 'GET' ? readOwnPath(request.url) : undefined;
    const file = path === undefined ? Promise.resolve(undefined) : files(path);
    file.then((found) => browser.send(...replyTo(requestId, found))).catch(() => undefined); // The page is gone, and its request with it.
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}

function readOwnPath(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.origin === ORIGIN ? url.pathname : undefined;
}

function replyTo(requestId: string, file: PrintedFile | undefined): Parameters<DevToolsSession['send']> {
  if (file === undefined) return ['Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }];
  return [
    'Fetch.fulfillRequest',
    {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: file.type }],
      body: encodeBytes(file.body),
    },
  ];
}

const CHUNK = 0x8000;

function encodeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}

const piece = z.object({ data: z.string(), base64Encoded: z.boolean().optional(), eof: z.boolean() });

/** Piece by piece: a message over a WebSocket has an upper bound. */
async function readPdf(page: DevToolsSession, handle: string): Promise<PdfOutcome> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let turn = 0; turn <= MAX_PDF_BYTES / PIECE_BYTES; turn += 1) {
    const { data, base64Encoded, eof } = piece.parse(await page.send('IO.read', { handle, size: PIECE_BYTES }));
    const binary = base64Encoded === true ? atob(data) : data;
    pieces.push(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
    bytes += binary.length;
    if (eof) return { ok: true, pdf: joinPieces(pieces, bytes) };
  }
  return { ok: false, reason: 'print_failed', detail: `The PDF is larger than ${MAX_PDF_BYTES} bytes` };
}

function joinPieces(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const one of pieces) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
