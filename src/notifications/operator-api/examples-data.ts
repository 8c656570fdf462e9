/** A body that is accepted and an answer, by the operation. */
type Example = { body?: unknown; answer: unknown };

const channel = {
  id: 'c-4f7a1c9e2b8d',
  watch: 'w-9d3e5a7c1f20',
  customer: 'C03az79cb',
  domain: 'example.com',
  event: null,
  state: 'active',
  address: 'https://webhook.sightline.example/notifications/w-9d3e5a7c1f20',
  resource_id: 'B4ibMJiIhTjAQd7Ff2K2bexk8G4',
  asked_at: '2026-01-15T09:00:00.000Z',
  granted_at: '2026-01-15T09:00:01.000Z',
  synced_at: '2026-01-15T09:00:02.000Z',
  expires_at: '2026-01-22T09:00:00.000Z',
  renew_at: '2026-01-21T09:00:00.000Z',
  ended_at: null,
  tries: 0,
  next_try_at: null,
  last_error: null,
} as const;

const message = {
  seq: 12,
  channel: channel.id,
  watch: channel.watch,
  number: '10',
  event: 'update',
  received_at: '2026-01-15T10:00:00.000Z',
  user_id: '118320196214340971134',
  body: 'read',
  state: 'worked',
  tries: 0,
  last_error: null,
} as const;

const probe = 'probe-1768471500000-4f7a1c9e2b8d0a1b';

/** One example of each operation of the operator, by its id. A test checks each against the shapes. */
export const examples: Readonly<Record<string, Example>> = {
  list_channels: { answer: { channels: [channel] } },
  create_channel: { body: { customer: channel.customer, domain: channel.domain }, answer: channel },
  get_channel: { answer: channel },
  renew_channel: { body: {}, answer: channel },
  stop_channel: { body: {}, answer: { ...channel, state: 'stopping' } },
  list_messages: { answer: { messages: [message] } },
  replay_messages: { body: { channel: channel.id }, answer: { replayed: 3, more: false } },
  get_status: {
    answer: {
      customer: channel.customer,
      waiting: 0,
      delivering: 1,
      dead: 0,
      alerts: [],
      resync: null,
      last_resync_at: '2026-01-15T09:00:05.000Z',
    },
  },
  get_checkup: {
    answer: {
      worker: 'webhook',
      version: '0.1.0',
      at: '2026-01-15T10:00:00.000Z',
      settings: [
        {
          setting: 'DIRECTORY_TOKEN',
          severity: 'warn',
          detail: 'It ends, and nothing renews it',
          next: 'Set DIRECTORY_KEY instead',
        },
      ],
      channels: {
        counts: { pending: 0, active: 1, renewing: 0, superseded: 0, stopping: 0, stopped: 0, expired: 0, failed: 0 },
        most_counted: 10_000,
        next: { watch: channel.watch, customer: channel.customer, due_at: channel.renew_at },
        active: [{ id: channel.id, expires_at: channel.expires_at, renew_at: channel.renew_at }],
        more: false,
      },
      inboxes: { waiting: 0, dead: 0, alerts: 0, unread: 0, more: false },
    },
  },
  create_probe: {
    body: {},
    answer: {
      id: probe,
      address: 'https://webhook.sightline.example/notifications/probe',
      headers: {
        'X-Goog-Channel-ID': probe,
        'X-Goog-Channel-Token': 'v1.GkM0yV0cC6bSLCCxGzyzB3cxz5rVq4pR9VYgXCSZ2fU',
        'X-Goog-Resource-ID': 'probe',
        'X-Goog-Resource-State': 'update',
        'X-Goog-Message-Number': '1',
      },
      body: '{"id":"probe"}',
      expires_at: '2026-01-15T10:05:00.000Z',
    },
  },
  get_probe: { answer: { id: probe, state: 'worked', received_at: '2026-01-15T10:00:01.000Z' } },
};
