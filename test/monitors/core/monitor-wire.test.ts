import { expect, test } from 'vitest';
import { formatReceiver } from '../../../src/monitors/core/monitor-wire.ts';
import type { Receiver } from '../../../src/monitors/core/receiver.ts';
import { email, MONITOR_ID, SECRET, webhook } from '../receivers/made.ts';

const TOKEN = 'f'.repeat(32);
const feed: Receiver = { id: 'rcv_0000000000000003', kind: 'feed', token: TOKEN };
const show = (receiver: Receiver, shown: 'all' | 'none' | { receiverIds: readonly string[] }): string =>
  JSON.stringify(formatReceiver(receiver, MONITOR_ID, { baseUrl: 'https://sightline.example', shown }));

test('secrets of receivers are shown where they were made for this answer, and masked in every other', () => {
  for (const [receiver, secret] of [
    [webhook(), SECRET],
    [feed, TOKEN],
  ] as const) {
    expect(show(receiver, 'all')).toContain(secret);
    expect(show(receiver, { receiverIds: [receiver.id] })).toContain(secret);
    expect(show(receiver, { receiverIds: ['rcv_other'] })).not.toContain(secret);
    expect(show(receiver, 'none')).not.toContain(secret);
  }
});

test('the path of a receiver and the name of a mailbox are masked even then', () => {
  expect(show(webhook(), 'all')).not.toContain('private-part');
  expect(show(email(), 'all')).not.toContain('ada@');
});
