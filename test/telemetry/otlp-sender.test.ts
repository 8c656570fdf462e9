import { describe, expect, test } from 'vitest';
import { buildOtlpParcels, type OtlpParcel } from '../../src/telemetry/otlp-records.ts';
import { createOtlpSender, MAX_SENDS, MAX_WAITING_PARCELS } from '../../src/telemetry/otlp-sender.ts';
import type { LineRecord } from '../../src/telemetry/wire.ts';

const DESTINATION = { endpoint: 'https://collector.example/base/', headers: { authorization: 'Bearer secret' } };
const NONE = { lines: 0, spans: 0 };
const parcelOf = (signal: OtlpParcel['signal'] = 'logs', records = 2, dropped = NONE): OtlpParcel => ({
  signal,
  body: '{}',
  records,
  dropped,
});
const NO_BODY = '';
const breakOff = (): ReadableStream =>
  new ReadableStream({ pull: (controller) => controller.error(new TypeError('the connection is gone')) });

function senderOf(
  answer: (at: number) => Response | Promise<Response> = () => new Response('{}'),
  arrived: string[] = [],
) {
  let nowMs = 1_000_000;
  const asked: { url: string; init: RequestInit }[] = [];
  const failures: string[] = [];
  const sender = createOtlpSender({
    fetch: async (url, init) => {
      asked.push({ url, init });
      const response = await answer(asked.length);
      if (response.ok && typeof init.body === 'string') arrived.push(init.body);
      return response;
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

  test('only while the answer is read has been taken: it is not sent again', async () => {
    const { put, flush, asked, pass, takeDropped, failures } = senderOf(
      () => new Response(breakOff(), { status: 200 }),
    );
    put([parcelOf('logs', 3)]);
    await flush(DESTINATION);
    pass(60_000);
    await flush(DESTINATION);
    expect([asked.length, takeDropped(), failures]).toEqual([1, NONE, []]);
  });

  test('for good stays so where the answer breaks off', async () => {
    const { put, flush, size, takeDropped, failures } = senderOf(() => new Response(breakOff(), { status: 400 }));
    put([parcelOf('logs', 3)]);
    await flush(DESTINATION);
    expect([size(), takeDropped(), failures]).toEqual([0, { lines: 3, spans: 0 }, ['status 400']]);
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

describe('a parcel with the word of what was left out before', () => {
  const REPORTED = { lines: 40, spans: 7 };

  test.each([
    ['is given up', () => new Response(NO_BODY, { status: 400 })],
    ['is rejected as a whole', () => Response.json({ partialSuccess: { rejectedLogRecords: '4' } })],
  ])('that %s counts that too, and not its own line', async (_how, answer) => {
    const { put, flush, takeDropped } = senderOf(answer);
    put([parcelOf('logs', 3, REPORTED)]);
    await flush(DESTINATION);
    expect([takeDropped(), takeDropped()]).toEqual([{ lines: 3 + 40, spans: 7 }, NONE]);
  });

  test('that is taken, or rejected in part, has said it', async () => {
    const { put, flush, takeDropped } = senderOf((at) =>
      Response.json(at === 1 ? {} : { partialSuccess: { rejectedLogRecords: '2' } }),
    );
    put([parcelOf('logs', 3, REPORTED), parcelOf('logs', 3, REPORTED)]);
    await flush(DESTINATION);
    expect(takeDropped()).toEqual({ lines: 2, spans: 0 });
  });

  test('that has no room is counted as given up', () => {
    const { put, takeDropped } = senderOf();
    put([parcelOf('logs', 0, REPORTED), ...Array.from({ length: MAX_WAITING_PARCELS }, () => parcelOf())]);
    expect(takeDropped()).toEqual(REPORTED);
  });
});

test('nothing is missing from the count, however long the address does not answer', async () => {
  let isUp = false;
  const arrived: string[] = [];
  const { put, flush, pass, takeDropped } = senderOf(
    () => new Response(NO_BODY, { status: isUp ? 200 : 503 }),
    arrived,
  );
  const batch = { service: 'api', instance: '0badcafe', spans: [] } as const;
  const line = { atMs: 0, line: '{"event":"x"}' };
  const hand = async (lines: readonly LineRecord[]): Promise<void> => {
    put(buildOtlpParcels({ ...batch, lines, dropped: takeDropped() }, 'p', 0));
    await flush(DESTINATION);
    pass(1_000);
  };
  for (let at = 0; at < 200; at += 1) await hand(Array.from({ length: 10 }, () => line));
  isUp = true;
  pass(60_000);
  for (let at = 0; at < 10; at += 1) await hand([]);
  const lines = arrived.map((body) => (body.match(/"eventName":"x"/g) ?? []).length);
  const counted = arrived.map((body) => Number(/"lines","value":\{"intValue":"(\d+)"/.exec(body)?.[1] ?? 0));
  const sum = (numbers: number[]): number => numbers.reduce((all, each) => all + each, 0);
  expect(sum(lines) + sum(counted)).toBe(2_000);
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
