import { utf8Bytes } from './names.ts';

/** The answer of one call, as HTTP would have it. Header names in any case. */
export type PartAnswer = {
  contentId?: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** Of a whole batch answer, in bytes (rule K4). */
export const MAX_BATCH_ANSWER_BYTES = 32 * 1_024 * 1_024;
/** Calls of one batch that are made at once (rule K4). */
export const CALLS_AT_ONCE = 10;
/** What all calls of a batch may take (rule K4). */
export const BATCH_TIMEOUT_MS = 30_000;

const MAX_BOUNDARY_TRIES = 8;

/**
 * A batch answer: one part for each call, in their order, each a whole HTTP response whose Content-ID is that of the call
 * after `response-` (seed 2, "Batch" 3). Parts that would make it longer than 32 MiB are replaced by `tooLarge`.
 * @param random unforeseeable words; the boundary is one that is in no part
 * @throws Error when `random` does not give such a word: it is none
 */
export function batchAnswer(
  answers: readonly PartAnswer[],
  tooLarge: Omit<PartAnswer, 'contentId'>,
  random: () => string,
): { contentType: string; body: string } {
  let left = MAX_BATCH_ANSWER_BYTES;
  const parts = answers.map((answer) => {
    const part = partText(answer);
    const bytes = utf8Bytes(part);
    if (bytes > left)
      return partText({ ...tooLarge, ...(answer.contentId !== undefined && { contentId: answer.contentId }) });
    left -= bytes;
    return part;
  });
  const boundary = freshBoundary(parts, random);
  const body = [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('');
  return { contentType: `multipart/mixed; boundary=${boundary}`, body };
}

function partText({ contentId, status, headers, body }: PartAnswer): string {
  const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()));
  const fields = [...own, ['content-length', String(utf8Bytes(body))] as const];
  return [
    'Content-Type: application/http',
    ...(contentId === undefined ? [] : [`Content-ID: ${responseId(contentId)}`]),
    '',
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? 'Unknown'}`,
    ...fields.map(([name, value]) => `${titled(name)}: ${oneLine(value)}`),
    '',
    body,
  ].join('\r\n');
}

/** Headers that say how the outer answer travels, or that no part may set. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'set-cookie',
  'transfer-encoding',
]);

/** `<a + 1>` becomes `<response-a + 1>`: clients find their calls by what stands within the brackets. */
function responseId(contentId: string): string {
  const id = oneLine(contentId);
  return id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`;
}

/** No text from outside ends a header line. */
const oneLine = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e\u0080-\uffff]/g, ' ');

const titled = (name: string): string =>
  name
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`)
    .join('-');

function freshBoundary(parts: readonly string[], random: () => string): string {
  for (let tries = 0; tries < MAX_BOUNDARY_TRIES; tries += 1) {
    const boundary = `batch_${random()}`;
    if (!parts.some((part) => part.includes(boundary))) return boundary;
  }
  throw new Error('No boundary that is in no part');
}

/**
 * Runs `run` on each item, so many at once, and keeps the order of results. What `isLate` says is asked before each: an item
 * that comes too late gets `late` instead.
 */
export async function runAll<Item, Result>(
  items: readonly Item[],
  { run, late, isLate }: { run: (item: Item) => Promise<Result>; late: (item: Item) => Result; isLate: () => boolean },
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results.set(index, isLate() ? late(item) : await run(item));
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, work));
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
