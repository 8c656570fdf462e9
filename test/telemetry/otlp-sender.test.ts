import { describe, expect, test } from 'vitest';
import type { OtlpParcel } from '../../src/telemetry/otlp-records.ts';
import { createOtlpSender, MAX_SENDS, MAX_WAITING_PARCELS } from '../../src/telemetry/otlp-sender.ts';

const DESTINATION = { endpoint: 'https://collector.example/base/', headers: { authorization: 'Bearer secret' } };
const parcelOf = (signal: OtlpParcel['signal'] = 'logs', records = 2): OtlpParcel => ({ signal, body: '{}', records });
const NO_BODY = '';

function senderOf(answer: (at: number) => Response | Promise<Response> = () => new Response('{}')) {
  let nowMs = 1_000_000;
  const asked: { url: string; init: RequestInit }[] = [];
  const failures: string[] = [];
  const sender = createOtlpSender({
    fetch: async (url, init) => {
      asked.push({ url, init });
      return answer(asked.length);
    },
    now: () => nowMs,
    failed: (reason) => void failures.push(reason),
  });
  return { ...sender, asked, failures, pass: (ms: number) => void (nowMs += ms) };
}

test('parcels go to the paths of their signals, with the secret headers, and follow no redirect', async () => {
  const { put, flush, asked, takeDropped, size } = senderOf();
  put([parcelOf('logs'), parcelOf('traces')]);
  await flush(DESTINATION);
  expect(asked.map(({ url }) => url)).toEqual([
    'https://collector.example/base/v1/logs',
    'https://collector.example/base/v1/traces',
  ]);
  expect(asked[0]?.init).toMatchObject({
    method: 'POST',
    body: '{}',
    redirect: 'manual',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  });
  expect([size(), takeDropped()]).toEqual([0, { lines: 0, spans: 0 }]);
});

describe('what fails', () => {
  test('for now is sent again, after what it asked for, and given up after a few times', async () => {
    const { put, flush, asked, pass, size, takeDropped, failures } = senderOf(
      () => new Response(NO_BODY, { status: 503, headers: { 'retry-after': '9' } }),
    );
    put([parcelOf('logs', 3), parcelOf('traces')]);
    await flush(DESTINATION);
    await flush(DESTINATION);
    pass(8_999);
    await flush(DESTINATION);
    expect([asked.length, size()]).toEqual([1, 2]);
    for (let send = 1; send < MAX_SENDS; send += 1) {
      pass(9_000);
      await flush(DESTINATION);
    }
    expect([asked.length, size(), takeDropped()]).toEqual([MAX_SENDS, 1, { lines: 3, spans: 0 }]);
    expect(new Set(failures)).toEqual(new Set(['status 503']));
  });

  test.each([400, 401, 404, 302])('for good (%i) is counted at once', async (status) => {
    const { put, flush, asked, size, takeDropped } = senderOf(() => new Response(NO_BODY, { status }));
    put([parcelOf('traces', 5)]);
    await flush(DESTINATION);
    expect([asked.length, size(), takeDropped()]).toEqual([1, 0, { lines: 0, spans: 5 }]);
  });

  test('by an error is sent again, and says only its name', async () => {
    const { put, flush, size, failures } = senderOf(() =>
      Promise.reject(new TypeError('https://secret@collector.example refused')),
    );
    put([parcelOf()]);
    await flush(DESTINATION);
    expect([size(), failures]).toEqual([1, ['TypeError']]);
  });

  test('there in part is counted', async () => {
    const { put, flush, takeDropped } = senderOf(() =>
      Response.json({ partialSuccess: { rejectedSpans: '4', errorMessage: 'x' } }),
    );
    put([parcelOf('traces', 5)]);
    await flush(DESTINATION);
    expect([takeDropped(), takeDropped()]).toEqual([
      { lines: 0, spans: 4 },
      { lines: 0, spans: 0 },
    ]);
  });
});

test('what waits is bounded: the oldest is left out and counted', () => {
  const { put, size, takeDropped } = senderOf();
  put(Array.from({ length: MAX_WAITING_PARCELS + 3 }, (_, at) => parcelOf('logs', at + 1)));
  expect([size(), takeDropped()]).toEqual([MAX_WAITING_PARCELS, { lines: 1 + 2 + 3, spans: 0 }]);
  put([{ ...parcelOf('traces', 7), body: 'x'.repeat(5 * 1_048_576) }]);
  expect(size()).toBe(0);
});

test('one invocation sends at a time; what one that is gone was sending is counted', async () => {
  const never = Promise.withResolvers<Response>();
  const { put, flush, asked, pass, takeDropped } = senderOf((at) => (at === 1 ? never.promise : new Response('{}')));
  put([parcelOf('logs', 3), parcelOf('traces', 2)]);
  const gone = flush(DESTINATION);
  await flush(DESTINATION);
  expect(asked).toHaveLength(1);
  pass(15_000);
  await flush(DESTINATION);
  expect([asked.length, takeDropped()]).toEqual([2, { lines: 3, spans: 0 }]);
  never.resolve(new Response('{}'));
  await gone;
  expect(takeDropped()).toEqual({ lines: 0, spans: 0 });
});
