import * as z from 'zod';
import { EngineAnswerRefused, EngineUnreachable } from './sdk-failure.ts';

/** Longest line of a stream of events, in characters. */
const MAX_LINE_CHARS = 256 * 1024;
const DATA = 'data:';
const DONE = '[DONE]';

/**
 * A stream of server-sent events with JSON in each, written anew after `judged` had a look at every one; comments and
 * names of events are left out.
 * @param isLast whether an event may be the last one, besides `[DONE]`
 * @throws EngineAnswerRefused, when it is read: an event is no JSON, or too long, or there is none; EngineUnreachable
 * for a stream that breaks off; and what `judged` throws
 */
export function rewriteEvents(
  body: ReadableStream<Uint8Array>,
  judged: (json: unknown) => unknown,
  isLast: (json: unknown) => boolean = () => true,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const seen = { some: false, last: false };
  const write = (line: string): string => {
    const data = formatDataLine(line);
    if (data === '') return '';
    const json = data === DONE ? DONE : judged(parseEventData(data));
    seen.some = true;
    if (data === DONE || isLast(json)) seen.last = true;
    return `data: ${data === DONE ? DONE : JSON.stringify(json)}\n\n`;
  };
  const requireEnd = (line: string): void => {
    if (isCut(line)) throw new EngineUnreachable('a stream that broke off');
    if (!seen.some) throw new EngineAnswerRefused('no events');
    if (!seen.last) throw new EngineUnreachable('a stream that broke off');
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > MAX_LINE_CHARS) throw new EngineAnswerRefused('too long an event');
        const text = lines.map(write).join('');
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
      flush: (controller) => {
        const line = rest + decoder.decode();
        const text = isCut(line) ? '' : write(line);
        requireEnd(line);
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
    }),
  );
}

const formatDataLine = (line: string): string => (line.startsWith(DATA) ? line.slice(DATA.length).trim() : '');

/** Whether a stream ended inside of this line. */
function isCut(line: string): boolean {
  const data = formatDataLine(line);
  if (data === '' || data === DONE) return false;
  try {
    JSON.parse(data);
    return false;
  } catch {
    return true;
  }
}

function parseEventData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new EngineAnswerRefused('an event without JSON');
  }
}

/**
 * Text of a piece of an answer. Engines write a piece that looks like a number or a word of JSON as one: `{"response":1}`.
 */
export const scalarText = z.union([z.string(), z.union([z.number(), z.boolean()]).transform(String)]).nullish();
