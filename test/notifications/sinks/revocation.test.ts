import { expect, test } from 'vitest';
import { createRevocationSink, type RevocationOutcome } from '../../../src/notifications/sinks/revocation.ts';
import type { Effect } from '../../../src/notifications/sinks/sink.ts';
import { alertEffect, seenAs, userEffect } from './effects.ts';

const answering = (answer: () => Promise<RevocationOutcome>) => {
  const asked: string[] = [];
  const sink = createRevocationSink({
    directoryUserGone: (userId) => {
      asked.push(userId);
      return answer();
    },
  });
  return { sink, asked };
};

test.each<[string, Effect, boolean]>([
  ['gone', userEffect({ state: 'gone' }), true],
  ['suspended', userEffect(seenAs('suspended')), true],
  ['active', userEffect(seenAs('active')), false],
  ['active again after a suspension', userEffect(seenAs('active'), { causes: ['undelete'] }), false],
])('W6: a user who is %s: wanted is %s', (_what, effect, wanted) => {
  expect(answering(async () => 'none').sink.wants(effect)).toBe(wanted);
});

test('W6: alerts end nobody’s access', async () => {
  const { sink, asked } = answering(async () => 'ended');
  expect(sink.wants(alertEffect())).toBe(false);
  await sink.tell(alertEffect());
  expect(asked).toEqual([]);
});

test.each<RevocationOutcome>(['none', 'ended', 'last_operator'])(
  'W6: the authorization server is asked by the immutable id alone, and its answer %s is the note',
  async (outcome) => {
    const { sink, asked } = answering(async () => outcome);
    expect(await sink.tell(userEffect({ state: 'gone' }))).toEqual({ ok: true, note: outcome });
    expect(asked).toEqual(['111222333444555666777']);
  },
);

test('W6: an authorization server that does not answer is asked again, and its error is not quoted', async () => {
  const { sink } = answering(async () => {
    throw new TypeError('secret of ada@example.com');
  });
  expect(await sink.tell(userEffect({ state: 'gone' }))).toEqual({
    ok: false,
    outcome: 'again',
    detail: 'the authorization server does not answer (TypeError)',
  });
});
