import type { SnapshotAnswer, Exchange } from '../../core/snapshot.ts';

/** What the bytes of a file should look like, whatever its media type says. */
export type SniffKind = 'html' | 'json' | 'markdown' | 'text' | 'xml' | 'yaml' | 'any';

/**
 * Whether a file is really there. `absent` has the reason: `status` (not 2xx), `empty`, `same_as_control` (the site
 * answers so for any path), `looks_like_html` or `wrong_type`. `unknown` when the fetch failed: that is no absence.
 */
export type Existence =
  | { state: 'exists'; answer: SnapshotAnswer }
  | {
      state: 'absent';
      reason: 'status' | 'empty' | 'same_as_control' | 'looks_like_html' | 'wrong_type';
      answer: SnapshotAnswer;
    }
  | { state: 'unknown'; reason: string };

/** `readExistence` as yes or no, for what was fetched: true only when the file is there beyond doubt. */
export const hasFileBeyondControl = (
  exchange: Exchange,
  control: Exchange | undefined,
  kind: SniffKind = 'any',
): boolean => readExistence(exchange, control, kind).state === 'exists';

/**
 * Judges the existence of what `exchange` asked for against the control probe (a path that cannot exist): 2xx, a body
 * that differs from the control's apart from white space and the path itself, and bytes that fit `kind`.
 * Without an answer of the control only the bytes tell, which cannot tell HTML from a soft 404: then `unknown`.
 */
export function readExistence(
  exchange: Exchange | undefined,
  control: Exchange | undefined,
  kind: SniffKind,
): Existence {
  if (!exchange) return { state: 'unknown', reason: 'not_fetched' };
  const { answer } = exchange;
  if (!answer.ok) return { state: 'unknown', reason: answer.reason };
  if (answer.status < 200 || answer.status > 299) return { state: 'absent', reason: 'status', answer };
  const body = answer.body.trimStart();
  if (body === '') return { state: 'absent', reason: 'empty', answer };
  if (control?.answer.ok === true && isSameAsControl(exchange, answer, control, control.answer)) {
    return { state: 'absent', reason: 'same_as_control', answer };
  }
  const isHtml = isHtmlText(body);
  if (control?.answer.ok !== true && isHtml && (kind === 'html' || kind === 'any'))
    return { state: 'unknown', reason: 'no_control' };
  if (isHtml && kind !== 'html' && kind !== 'any') return { state: 'absent', reason: 'looks_like_html', answer };
  return SNIFF[kind](body) ? { state: 'exists', answer } : { state: 'absent', reason: 'wrong_type', answer };
}

/** Bytes of a document head that decide its kind. */
const SNIFF_CHARS = 4096;

/** Whether text begins as an HTML document, after comments and an XML declaration. */
export function isHtmlText(body: string): boolean {
  let head = body.slice(0, SNIFF_CHARS).trimStart().toLowerCase();
  for (let skipped = 0; skipped < 20 && (head.startsWith('<!--') || head.startsWith('<?xml')); skipped += 1) {
    const end = head.indexOf('>');
    const comment = head.startsWith('<!--') ? head.indexOf('-->') + 2 : end;
    if (end === -1 || comment === 1) return false;
    head = head.slice(comment + 1).trimStart();
  }
  return /^(?:<!doctype html|<(?:html|head|body|title|meta|script|div|h1|p|br|table|a|iframe|style|link)[\s/>])/.test(
    head,
  );
}

const createPrefixTest =
  (...starts: readonly string[]) =>
  (body: string): boolean =>
    starts.some((start) => body.startsWith(start));
const isText = (body: string): boolean => !body.slice(0, SNIFF_CHARS).includes('\u0000');

const SNIFF: Readonly<Record<SniffKind, (body: string) => boolean>> = {
  html: (body) => body.startsWith('<'),
  json: createPrefixTest('{', '['),
  markdown: isText,
  text: isText,
  xml: createPrefixTest('<'),
  yaml: (body) => isText(body) && /^[^\s<{[\n:][^\s:]{0,80}:(?:\s|$)/m.test(body.slice(0, SNIFF_CHARS)),
  any: () => true,
};

function isSameAsControl(
  exchange: Exchange,
  answer: SnapshotAnswer,
  control: Exchange,
  other: SnapshotAnswer,
): boolean {
  if (other.status < 200 || other.status > 299) return false;
  if (answer.sha256 === other.sha256) return true;
  if (Math.abs(answer.body.length - other.body.length) > MAX_PATH_ECHO) return false;
  return normaliseBody(answer.body, exchange.url) === normaliseBody(other.body, control.url);
}

/** A page that echoes the path a few times differs from the control by no more than this. */
const MAX_PATH_ECHO = 20_000;

/** The body without white space runs and without what a catch-all page repeats from its own address or draws anew. */
function normaliseBody(body: string, url: string): string {
  const { pathname } = new URL(url);
  const echoes = [url, pathname, pathname.replace(/^\//, '')].filter((echo) => echo.length > 1);
  const plain = echoes.reduce((text, echo) => text.replaceAll(echo, ''), body);
  return plain
    .replace(/\b[\da-f]{16,64}\b|\b\d{6,20}\b/gi, '')
    .replace(/nonce="[^"]{0,200}"/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
