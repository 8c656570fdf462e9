import { expect, test, vi } from 'vitest';
import { createStreamFetch, CHAT_LIMITS } from '../../../src/models/core/engine-fetch.ts';

// A Response of such a status cannot be made; runtimes that hide a redirect hand one out.
const hidden = { status: 0, body: null, headers: new Headers() } as Response;

test.each<[string, Response]>([
  ['with its status', new Response(null, { status: 307, headers: { location: 'https://evil.example/' } })],
  ['whose status is hidden', hidden],
])('F5: a redirect %s is refused: the key would go along', async (_what, answer) => {
  const inner = vi.fn<typeof fetch>(async () => answer);
  const asked = createStreamFetch(inner, CHAT_LIMITS)('https://engine.example/v1');
  await expect(asked).rejects.toMatchObject({ name: 'EngineAnswerRefused' });
  expect(inner.mock.calls).toMatchObject([['https://engine.example/v1', { redirect: 'manual' }]]);
});

const LIMITS = { maxBytes: 10, firstByteMs: 60, idleMs: 60 };
const bodyOf = (...parts: (string | null)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: (controller) => {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else if (part !== null) controller.enqueue(new TextEncoder().encode(part));
      else return new Promise(() => {}); // Nothing more ever comes.
    },
  });
const read = (response: () => Promise<Response> | Response): Promise<string> =>
  createStreamFetch(async () => response(), LIMITS)('https://engine.test').then((answer) => answer.text());

test('an answer within its limits comes as it is', async () => {
  expect(await read(() => new Response(bodyOf('12345', '67890')))).toBe('1234567890');
});

test.each<[string, () => Promise<Response> | Response, string]>([
  ['too many bytes', () => new Response(bodyOf('12345', '678901')), 'EngineAnswerRefused'],
  ['no answer in time', () => new Promise<Response>(() => {}), 'TimeoutError'],
  ['no first byte in time', () => new Response(bodyOf(null)), 'TimeoutError'],
  ['a pause that is too long', () => new Response(bodyOf('1', null)), 'TimeoutError'],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), 'EngineAnswerRefused'],
  ['a connection that fails', () => Promise.reject(new TypeError('fetch failed')), 'EngineUnreachable'],
])('%s is refused', async (_what, response, name) => {
  await expect(read(response)).rejects.toMatchObject({ name });
});
