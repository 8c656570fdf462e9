import type { MessageView } from '../../../src/notifications/inbox/message.ts';
import type { InboxStatus } from '../../../src/notifications/core/protocol.ts';
import type { ChannelView } from '../../../src/notifications/channels/channel.ts';

/** A channel as the webhook Worker answers it. */
export const channel: ChannelView = {
  id: '0b5f9a52-6c1e-4a8e-9a57-0d6f3f0f8a11',
  watch: 'w7Qm2xkP',
  customer: 'C01live',
  domain: 'example.com',
  event: null,
  state: 'active',
  address: 'https://webhook.example.com/notifications/w7Qm2xkP',
  resource_id: 'r-1',
  asked_at: '2026-11-22T03:30:00.000Z',
  granted_at: '2026-11-22T03:30:00.400Z',
  synced_at: '2026-11-22T03:30:00.900Z',
  expires_at: '2026-11-22T09:30:00.123Z',
  renew_at: '2026-11-22T08:36:00.000Z',
  ended_at: null,
  tries: 0,
  next_try_at: null,
  last_error: null,
};

export const message: MessageView = {
  seq: 41,
  channel: channel.id,
  watch: channel.watch,
  number: '236440',
  event: 'update',
  received_at: '2026-11-22T04:00:00.250Z',
  user_id: '111222333444555666777',
  body: 'read',
  state: 'worked',
  tries: 1,
  last_error: null,
};

export const status = {
  customer: 'C01live',
  waiting: 2,
  delivering: 1,
  dead: 3,
  alerts: [
    {
      kind: 'dead_letter',
      subject: '41',
      raised_at: '2026-11-22T04:20:00.000Z',
      detail: 'the directory answers 500',
    },
  ],
  resync: { reason: 'gap', since: '2026-11-22T04:10:00.000Z', tries: 2 },
  last_resync_at: null,
} satisfies InboxStatus & { customer: string };
