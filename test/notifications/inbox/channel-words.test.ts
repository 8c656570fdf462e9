import { describe, expect, test } from 'vitest';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';
import { formatMessage, parseJournalMessage } from '../../../src/notifications/inbox/message.ts';
import { CUSTOMER, START_MS, testInbox } from '../../support/management/inbox.ts';
import { messageOf } from './messages.ts';

const HOUR_MS = 3_600_000;
const word = (changes: Partial<ReceiverChannel> = {}): ReceiverChannel => ({
  id: 'channel-1',
  watch: 'watch-1',
  customer: CUSTOMER,
  resourceId: 'resource-1',
  acceptsUntilMs: START_MS + 6 * HOUR_MS,
  drops: false,
  subject: 'admin@example.com',
  holdsUntilMs: START_MS + 5 * HOUR_MS,
  ...changes,
});
const text = formatMessage(messageOf('u1', 1, { acceptsUntilMs: START_MS + 9 * HOUR_MS }));

function world(...words: readonly ReceiverChannel[]) {
  const inbox = testInbox();
  for (const one of words) inbox.state.learn(CUSTOMER, one);
  const admit = (resourceId = 'resource-1', pushed = text) => inbox.state.admit(pushed, resourceId);
  return { ...inbox, admit };
}

describe('a message is judged by the word that is held of its channel', () => {
  test('admitted: it is to be kept with what the word says of the end and the subject', () => {
    const admission = world(word()).admit();
    expect('text' in admission ? parseJournalMessage(admission.text) : admission).toEqual({
      ...messageOf('u1', 1),
      acceptsUntilMs: START_MS + 6 * HOUR_MS,
      subject: 'admin@example.com',
    });
  });

  test('of a watch that acts for no one special', () => {
    const admission = world(word({ subject: undefined })).admit();
    expect('text' in admission ? parseJournalMessage(admission.text).subject : admission).toBeUndefined();
  });

  test.each<[string, readonly ReceiverChannel[], string]>([
    ['no word', [], 'unknown'],
    ['the word of another channel', [word({ id: 'channel-2' })], 'unknown'],
    ['a word that may change any moment', [word({ holdsUntilMs: undefined })], 'unknown'],
    ['a word that no longer holds', [word({ holdsUntilMs: START_MS })], 'unknown'],
    ['W5: a word without a resource', [word({ resourceId: undefined })], 'unknown'],
    ['W5: another resource', [word({ resourceId: 'resource-2' })], 'forged'],
    ['another watch', [word({ watch: 'watch-2' })], 'forged'],
    ['W4: a dead token', [word({ acceptsUntilMs: START_MS })], 'forged'],
    ['W4: a stopped channel', [word({ drops: true })], 'dropped'],
    ['W4: a stopped channel without a resource', [word({ drops: true, resourceId: undefined })], 'dropped'],
    ['W5: a stopped channel of another resource', [word({ drops: true, resourceId: 'resource-2' })], 'forged'],
  ])('%s', (_, words, refusal) => expect(world(...words).admit()).toEqual({ refusal }));

  test('each at its time', () => {
    const { admit, later } = world(word());
    later(5 * HOUR_MS - 1);
    expect(admit()).toHaveProperty('text');
    later(1);
    expect(admit()).toEqual({ refusal: 'unknown' });
    later(HOUR_MS);
    expect(admit()).toEqual({ refusal: 'forged' });
  });

  test('writes nothing, and makes no inbox for a customer', () => {
    const { admit, state } = world();
    admit();
    expect([state.customer(), state.nextDueMs()]).toEqual([undefined, undefined]);
  });
});

describe('words that come in any order', () => {
  const open = word();
  const stopped = word({ drops: true, acceptsUntilMs: START_MS + HOUR_MS, holdsUntilMs: START_MS + HOUR_MS });

  test.each([
    ['the stop last', [open, stopped]],
    ['the stop first: an answer that was under way takes nothing back', [stopped, open]],
  ])('%s', (_, words) => {
    const { admit, later } = world(...words);
    expect(admit()).toEqual({ refusal: 'dropped' });
    later(HOUR_MS);
    expect(admit()).toEqual({ refusal: 'forged' });
  });

  test('a word is asked for again and holds longer', () => {
    const { admit, later, state } = world(word({ holdsUntilMs: START_MS + 1_000 }));
    later(1_000);
    state.learn(CUSTOMER, word({ holdsUntilMs: START_MS + 2_000 }));
    expect(admit()).toHaveProperty('text');
  });

  test('a resource that is learnt stays', () => {
    expect(world(word({ resourceId: undefined }), word()).admit()).toHaveProperty('text');
    expect(world(word(), word({ resourceId: 'resource-2' })).admit()).toHaveProperty('text');
  });

  test('stay over a restart of the object', () => {
    const inbox = world(word());
    inbox.reopen();
    expect(inbox.admit()).toHaveProperty('text');
  });
});

test('W4: channels whose token is dead are forgotten, and no other', () => {
  const { state, later, sql } = world(word(), word({ id: 'channel-2', acceptsUntilMs: START_MS + 7 * HOUR_MS }));
  later(6 * HOUR_MS);
  expect(state.prune()).toBe(false);
  expect(sql.exec('SELECT id FROM channel').toArray()).toEqual([{ id: 'channel-2' }]);
});

test('a word for another customer is refused', () => {
  const { state } = world(word());
  expect(() => state.learn('C2', word({ customer: 'C2' }))).toThrow('another customer');
});
