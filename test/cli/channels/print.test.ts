import { expect, test } from 'vitest';
import {
  formatChannel,
  formatChannels,
  formatMessages,
  formatReplayed,
  formatInboxStatus,
} from '../../../src/cli/channels/actions.ts';
import { channel, message, status } from './views.ts';

test('channels are a table; what went wrong last stands below its channel', () => {
  const failing = {
    ...channel,
    state: 'pending',
    domain: null,
    event: 'add',
    expires_at: null,
    last_error: 'HTTP 500',
  };
  expect(formatChannels({ channels: [channel, failing], next_page_token: 'abc' })).toEqual([
    'state    customer  domain       event  expires               id                                    watch',
    'active   C01live   example.com  all    2026-11-22T09:30:00Z  0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11  w7Qm2xkP',
    'pending  C01live   -            add    -                     0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11  w7Qm2xkP',
    '  HTTP 500',
    '',
    'There are more: --page abc',
  ]);
});

test('a channel is one line for each thing that is known', () => {
  const lines = formatChannel(channel);
  expect(lines[0]).toBe('id           0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11');
  expect(lines).toContain('event        all');
  expect(lines).toContain('expires at   2026-11-22T09:30:00.123Z');
  expect(lines.join('\n')).not.toMatch(/null|ended at/);
});

test('messages are a table', () => {
  const dead = { ...message, seq: 40, state: 'dead', user_id: null, tries: 5, last_error: 'HTTP 503' };
  expect(formatMessages({ messages: [message, dead] })).toEqual([
    'seq  received              state   event   user                   tries  channel',
    '41   2026-11-22T04:00:00Z  worked  update  111222333444555666777  1      0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11',
    '40   2026-11-22T04:00:00Z  dead    update  -                      5      0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11',
    '  HTTP 503',
  ]);
});

test('nothing is said to be nothing', () => {
  expect(formatChannels({ channels: [] })).toEqual(['No channels.']);
  expect(formatMessages({ messages: [] })).toEqual(['No messages.']);
});

test('the status tells what waits, and of each alert what it means and what to do', () => {
  expect(formatInboxStatus(status)).toEqual([
    'customer     C01live',
    'waiting      2',
    'delivering   1',
    'dead         3',
    'resync       gap, since 2026-11-22T04:10:00Z, 2 failed tries',
    'last resync  -',
    '',
    'ERROR dead_letter 41 since 2026-11-22T04:20:00Z: the directory answers 500',
    '  Messages were given up after five tries, or refused by a receiver; they are stored for 14 days.',
    '  Read why with `sightline channels messages --state dead`, fix the cause, then replay them.',
  ]);
});

test('a quiet status, and an alert of a newer Worker', () => {
  const quiet = { ...status, alerts: [], resync: null, last_resync_at: '2026-11-22T01:00:00.000Z' };
  expect(formatInboxStatus(quiet).slice(4)).toEqual([
    'resync       none under way',
    'last resync  2026-11-22T01:00:00Z',
    '',
    'No open alerts.',
  ]);
  const [alert] = status.alerts;
  const newer = { ...status, alerts: [{ ...alert, kind: 'toString', subject: 'x', raised_at: 'y', detail: 'z' }] };
  expect(formatInboxStatus(newer).at(-1)).toBe('ALERT toString x since y: z');
});

test.each([
  [{ replayed: 0, more: false }, ['0 messages are worked again.']],
  [{ replayed: 1, more: false }, ['1 message is worked again.']],
  [{ replayed: 1000, more: true }, ['1000 messages are worked again.', 'There are more: run the same again.']],
])('%j is told as %j', (answer, lines) => {
  expect(formatReplayed(answer)).toEqual(lines);
});

test('X8: nothing that the other side says steers the terminal or hides', () => {
  const hostile = '\u001b[2J\u009b1m\u202eevil\u200b\nline';
  const lines = [
    ...formatChannels({ channels: [{ ...channel, domain: hostile, last_error: hostile }], next_page_token: hostile }),
    ...formatChannel({ ...channel, last_error: hostile, expires_at: hostile }),
    ...formatMessages({ messages: [{ ...message, event: hostile, user_id: hostile, received_at: hostile }] }),
    ...formatInboxStatus({
      ...status,
      alerts: [{ kind: hostile, subject: hostile, raised_at: hostile, detail: hostile }],
    }),
  ];
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line))).toEqual([]);
  expect(lines.join('\n')).toContain('[2J1mevil line');
});
