import type { WireAnswer } from './answer.ts';
import { SightlineError } from './errors.ts';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** How far the work of a purchase is. */
export type Progress = { done: number; total?: number; failed?: number };

/** What became of one request: an answer, or why there is none. */
export type Outcome = WireAnswer | SightlineError;

/**
 * Reads an answer to its end, within a limit of size. Of a stream of events the last one says what a plain answer would, and
 * the ones before are progress.
 */
export async function readAnswer(
  response: Response,
  onProgress: ((counts: Progress) => void) | undefined,
): Promise<Outcome> {
  const { status, headers, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const to = headers.get('location') ?? 'another address';
    return new SightlineError({ code: 'redirected', detail: `The service answers with a redirect to ${to}.`, status });
  }
  if (onProgress !== undefined && headers.get('content-type')?.startsWith('text/event-stream'))
    return readStream(response, onProgress);
  let text = '';
  for await (const piece of readText(response)) text += piece;
  const body = parseJson(text);
  // A success that is no JSON was cut off on its way.
  return body === undefined && response.ok ? refuseUnreadable() : { status, headers, body };
}

const refuseUnreadable = (): SightlineError =>
  new SightlineError({ code: 'answer_unreadable', detail: 'The answer broke off, or is no JSON.' });

/** The last event says what a plain answer would: a result is a 200, a problem has its status in its body. */
async function readStream(response: Response, onProgress: (counts: Progress) => void): Promise<Outcome> {
  for await (const { event, data } of readEvents(readText(response))) {
    const body = parseJson(data);
    if (event === 'progress' && body !== undefined) report(onProgress, body as Progress);
    if (event === 'result' && body !== undefined) return { status: 200, headers: response.headers, body };
    if (event === 'problem' && body !== undefined)
      return { status: (body as { status: number }).status, headers: response.headers, body };
  }
  return refuseUnreadable();
}

/** A fault in what hears progress is shown, and costs no paid result. */
function report(onProgress: (counts: Progress) => void, counts: Progress): void {
  try {
    onProgress(counts);
  } catch (error) {
    console.error(error);
  }
}

async function* readText(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > MAX_ANSWER_BYTES)
        throw new SightlineError({
          code: 'answer_too_large',
          detail: `The answer has over ${MAX_ANSWER_BYTES} bytes.`,
        });
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller says what that means.
  }
}

/** One server-sent event. */
type WireEvent = { event: string; data: string };

/**
 * The events of a stream, as its text comes in. Comments, which keep the connection open, are left out, and so is an event
 * that the stream ends in the middle of.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html section 9.2.6
 */
async function* readEvents(text: AsyncIterable<string>): AsyncGenerator<WireEvent> {
  let rest = '';
  let event = '';
  let data: string[] = [];
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      if (field === 'data') data.push(value);
      if (line !== '') continue;
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
    }
  }
}
