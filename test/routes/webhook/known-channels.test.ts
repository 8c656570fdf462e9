import { describe, expect, test } from 'vitest';
import { createKnownChannels } from '../../../src/notifications/channels/known-channels.ts';
import type { ReceiverChannel } from '../../../src/notifications/core/protocol.ts';

const NOW = 1_795_000_000_000;
const MAX = 10_000;

const channel = (id: string, changes: Partial<ReceiverChannel> = {}): ReceiverChannel => ({
  id,
  watch: 'w1',
  customer: 'C1',
  resourceId: 'r1',
  acceptsUntilMs: NOW + 3_600_000,
  drops: false,
  ...changes,
});

describe('what the receiver remembers of channels', () => {
  test.each<[string, ReceiverChannel | null]>([
    ['an open one', channel('a')],
    ['a stopped one', channel('a', { drops: true })],
    ['a stopped one whose resource was never told', channel('a', { drops: true, resourceId: undefined })],
    ['a dead one', null],
  ])('%s for ten seconds', (_what, told) => {
    const known = createKnownChannels();
    known.remember('a', told, NOW);
    expect(known.find('a', NOW)).toBe(told);
    expect(known.find('a', NOW + 9_999)).toBe(told);
    expect(known.find('a', NOW + 10_000)).toBeUndefined();
    expect(known.find('a', NOW)).toBeUndefined(); // Forgotten, not hidden.
  });

  test('none whose resource is still to be told', () => {
    const known = createKnownChannels();
    known.remember('a', channel('a', { resourceId: undefined }), NOW);
    expect(known.find('a', NOW)).toBeUndefined();
  });

  test('W4: none for longer than its token lives', () => {
    const known = createKnownChannels();
    known.remember('a', channel('a', { acceptsUntilMs: NOW + 500, drops: true }), NOW);
    expect(known.find('a', NOW + 499)).toBeDefined();
    expect(known.find('a', NOW + 500)).toBeUndefined();
  });

  test('10,000 at most: the one that was told first goes', () => {
    const known = createKnownChannels();
    for (let count = 0; count < MAX; count += 1) known.remember(`c${count}`, channel(`c${count}`), NOW);
    known.remember('c0', channel('c0'), NOW); // Told again: c1 is the oldest now.
    known.remember('one more', null, NOW);
    expect(known.find('c1', NOW)).toBeUndefined();
    for (const id of ['c0', 'c2', `c${MAX - 1}`]) expect(known.find(id, NOW)?.id).toBe(id);
    expect(known.find('one more', NOW)).toBeNull();
  });
});
