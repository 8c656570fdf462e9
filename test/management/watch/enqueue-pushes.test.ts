import { expect, test } from 'vitest';
import { enqueueDuePushes } from '../../../src/management/watch/enqueue-pushes.ts';
import type { PushMessage } from '../../../src/management/watch/push-message.ts';

const messages = (count: number): PushMessage[] =>
  Array.from({ length: count }, (_, at) => ({ tenant: 'C00000001', channelId: 'c', number: at + 1 }));

/** Hands claims over to a queue that takes so many sends and fails then. */
async function handedOver(claims: readonly PushMessage[][], sends: number) {
  const sent: number[] = [];
  const back: PushMessage[] = [];
  const waiting = [...claims];
  const taken = await enqueueDuePushes({
    outbox: {
      claim: () => waiting.shift() ?? [],
      unclaim: (some) => void back.push(...some),
      nextWakeMs: () => undefined,
      take: () => undefined,
      pushed: () => undefined,
    },
    transaction: (work) => work(),
    send: async (some) => {
      if (sent.length === sends) throw new Error('Internal Server Error');
      sent.push(some.length);
      await Promise.resolve();
    },
  });
  return { taken, sent, back: back.map(({ number }) => number) };
}

test('messages go to the queue by the hundred, five claims at a time', async () => {
  const claims = Array.from({ length: 7 }, () => messages(130));
  expect(await handedOver(claims, 100)).toEqual({
    taken: 650,
    sent: [100, 30, 100, 30, 100, 30, 100, 30, 100, 30],
    back: [],
  });
});

test.each([
  [0, 0, 1],
  [1, 100, 101],
  [2, 200, 201],
])(
  'a queue that fails after %i sends took %i: all from number %i on go back, and no more is sent',
  async (sends, taken, first) => {
    const answer = await handedOver([messages(250), messages(1)], sends);
    expect(answer.taken).toBe(taken);
    expect(answer.back).toEqual(
      messages(250)
        .map(({ number }) => number)
        .slice(first - 1),
    );
  },
);
