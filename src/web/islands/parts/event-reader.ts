import { escapeControlsIn } from '../../../lib/safe-text.ts';

/** One server-sent event: its name, and its data as text. */
export type ServerEvent = { event: string; data: string };

/** The data of an event for a page: what a site wrote into it shows its controls as text (rule X8). */
export const parseEventData = ({ data }: Pick<ServerEvent, 'data'>): unknown =>
  escapeControlsIn(JSON.parse(data) as unknown);

/** Longest stream that is read, in characters: far above any report. */
const MAX_STREAM_CHARS = 16_000_000;

/**
 * The events of a response, as they arrive. Comments are skipped. Ends with the stream, whether or not it was whole.
 * @throws Error when the stream breaks or is longer than `MAX_STREAM_CHARS`.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let read = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const piece = decoder.decode(value, { stream: true });
      read += piece.length;
      if (read > MAX_STREAM_CHARS) throw new Error('the answer is too long');
      const blocks = `${text}${piece}`.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseServerEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // It broke before: said by what was thrown.
  }
}

/** The service writes `event:` and one `data:` line; a block without data is a comment. */
function parseServerEvent(block: string): ServerEvent | undefined {
  const lines = block.split('\n');
  const valueOf = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = valueOf('data');
  return data === undefined ? undefined : { event: valueOf('event') ?? 'message', data };
}
