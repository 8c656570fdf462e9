import { EngineAnswerRefused } from '../../visibility/engines/sdk-failure.ts';

/** Longest line of a stream of events, in characters. */
const MAX_LINE_CHARS = 256 * 1024;
const DATA = 'data:';
const DONE = '[DONE]';

/**
 * A stream of server-sent events with JSON in each, written anew after `judged` had a look at every one; comments and
 * names of events are left out.
 * @throws EngineAnswerRefused, when it is read: an event is no JSON, or too long; and what `judged` throws
 */
export function eventsOf(
  body: ReadableStream<Uint8Array>,
  judged: (json: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const write = (line: string): string => {
    if (!line.startsWith(DATA)) return '';
    const data = line.slice(DATA.length).trim();
    if (data === '') return '';
    return `data: ${data === DONE ? DONE : JSON.stringify(judged(parsed(data)))}\n\n`;
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
        const text = write(rest + decoder.decode());
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
    }),
  );
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new EngineAnswerRefused('an event without JSON');
  }
}
