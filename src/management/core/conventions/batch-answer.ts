import { countUtf8Bytes, isWithinBytes } from '../../../lib/utf8.ts';

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

const MAX_BOUNDARIES = 8;
/** With less than this left no call is made that only reads: its answer would be dropped. */
const MIN_ROOM_BYTES = 2_048;

export type BatchAnswers = {
  /** Whether another answer may fit. */
  hasRoom: () => boolean;
  /** Books the answer of the call at `place`, as bytes; the text may go. `made`: it says what was done, not only what is. */
  keep: (place: number, answer: PartAnswer, made?: boolean) => void;
  /** What was kept, by place, in pieces. @throws Error when `random` gave no boundary that is in no part: it is none */
  whole: () => { contentType: string; body: Uint8Array[] };
};

/**
 * Collects a batch answer: one part for each call, in call order, each a whole HTTP response whose Content-ID is that
 * of the call after `response-`. The parts together hold at most 32 MiB. A part that no longer fits is replaced with
 * `tooLarge` or, where the call was `made`, with an answer of its own status and an empty object.
 * @param random unpredictable words; the boundary is one that occurs in no part
 */
export function createBatchAnswers(tooLarge: Omit<PartAnswer, 'contentId'>, random: () => string): BatchAnswers {
  const parts = new Map<number, Uint8Array>();
  let boundaries = Array.from({ length: MAX_BOUNDARIES }, () => `batch_${random()}`);
  let left = MAX_BATCH_ANSWER_BYTES;
  const put = (place: number, text: string): number => {
    const bytes = encoder.encode(text);
    boundaries = boundaries.filter((boundary) => !text.includes(boundary));
    parts.set(place, bytes);
    return bytes.byteLength;
  };
  return {
    hasRoom: () => left >= MIN_ROOM_BYTES,
    keep: (place, answer, made = false) => {
      const text = formatPart(answer);
      if (isWithinBytes(text, left)) left -= put(place, text);
      else if (made) put(place, formatPart({ ...answer, body: answer.body === '' ? '' : '{}' }));
      else
        put(place, formatPart({ ...tooLarge, ...(answer.contentId !== undefined && { contentId: answer.contentId }) }));
    },
    whole: () => {
      const [boundary] = boundaries;
      if (boundary === undefined) throw new Error('No boundary that is in no part');
      const inOrder = [...parts].toSorted(([a], [b]) => a - b);
      const body = inOrder.flatMap(([, part]) => [encoder.encode(`--${boundary}\r\n`), part, LINE_BREAK]);
      return {
        contentType: `multipart/mixed; boundary=${boundary}`,
        body: [...body, encoder.encode(`--${boundary}--\r\n`)],
      };
    },
  };
}

const encoder = new TextEncoder();
const LINE_BREAK = encoder.encode('\r\n');

function formatPart({ contentId, status, headers, body }: PartAnswer): string {
  const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()));
  const fields = [...own, ['content-length', String(countUtf8Bytes(body))] as const];
  return [
    'Content-Type: application/http',
    ...(contentId === undefined ? [] : [`Content-ID: ${buildResponseId(contentId)}`]),
    '',
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? 'Unknown'}`,
    ...fields.map(([name, value]) => `${formatHeaderName(name)}: ${replaceUnsafeCharacters(value)}`),
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

/** `<a + 1>` becomes `<response-a + 1>`: clients match their calls by the text within the brackets. */
function buildResponseId(contentId: string): string {
  const id = replaceUnsafeCharacters(contentId);
  return id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`;
}

/** No text from outside ends a header line. */
const replaceUnsafeCharacters = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e\u0080-\uffff]/g, ' ');

const formatHeaderName = (name: string): string =>
  name
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`)
    .join('-');

/**
 * Runs `run` on each item, so many at once, and keeps the order of results. Items that are `isLarge` wait for each other,
 * so that one large result is in the making at a time. What `isLate` says is asked before each begins: an item that comes
 * too late gets `late` instead.
 */
export async function runAll<Item, Result>(
  items: readonly Item[],
  { run, late, isLate, isLarge = () => false }: Runs<Item, Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const begin = async (item: Item): Promise<Result> => (isLate() ? late(item) : run(item));
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (item: Item): Promise<Result> => {
    const result = last.then(() => begin(item));
    last = result;
    return result;
  };
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results.set(index, await (isLarge(item) ? inTurn(item) : begin(item)));
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, work));
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

type Runs<Item, Result> = {
  run: (item: Item) => Promise<Result>;
  late: (item: Item) => Result;
  isLate: () => boolean;
  isLarge?: (item: Item) => boolean;
};

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
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
