import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { reservePort } from '../../local/ports.ts';
import { parseChannelKeys, computeChannelToken } from '../../src/notifications/channels/channel-token.ts';
import type { Child } from '../children.ts';
import { serveWorkerd } from '../workerd.ts';

/** What becomes of messages; the text variable INBOX of `ours-worker.ts`. */
export type InboxKind = 'kept' | 'worked' | 'empty object' | 'nothing kept';

/** A webhook Worker under plain workerd with one open channel. */
export type Side = Child & {
  kind: InboxKind;
  /** Address of its channel. */
  url: string;
  channel: string;
  /** What the vendor sends with each message of the channel, but for the number. */
  headers: Readonly<Record<string, string>>;
};

const KEYS = '1:the-channel-secret-of-the-benchmark-is-long-enough';
const openedSchema = z.object({ id: z.string(), address: z.string(), resource_id: z.string() });

export async function startSide(kind: InboxKind, script: string, around: string): Promise<Side> {
  const port = await reservePort(0, kind, '');
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(around, kind.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const running = await serveWorkerd(
    {
      folder,
      port,
      script,
      flags: ['enable_request_signal'],
      bindings: {
        BASE_URL: origin,
        WEBHOOK_URL: origin,
        CHANNEL_TOKEN_KEYS: KEYS,
        DIRECTORY_URL: 'https://directory.test',
        DIRECTORY_TOKEN: 'bench',
        INBOX: kind,
      },
      durableObjects: [
        { className: 'ChannelRegistry', binding: 'CHANNEL_REGISTRY' },
        { className: 'NotificationInbox', binding: 'NOTIFICATION_INBOX' },
      ],
    },
    { method: 'GET', path: '/health' },
  );
  const opened = await open(origin);
  const token = computeChannelToken(opened.id, new URL(opened.address).pathname, parseChannelKeys(KEYS) ?? []);
  return { ...running, kind, url: opened.address, channel: opened.id, headers: headersOf(opened, token) };
}

async function open(origin: string): Promise<z.infer<typeof openedSchema>> {
  const answer = await fetch(`${origin}/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer slm_${'b'.repeat(43)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customer: 'C00000001' }),
  });
  const text = await answer.text();
  const opened = answer.ok ? openedSchema.safeParse(JSON.parse(text)) : undefined;
  if (!opened?.success) throw new Error(`POST /channels answers ${answer.status}: ${text}`);
  return opened.data;
}

/** The vendor's headers (seed 3, "Events"). */
const headersOf = ({ id, resource_id }: z.infer<typeof openedSchema>, token: string): Record<string, string> => ({
  'x-goog-channel-id': id,
  'x-goog-channel-token': token,
  'x-goog-resource-id': resource_id,
  'x-goog-resource-state': 'update',
  'x-goog-resource-uri': 'https://directory.test/admin/directory/v1/users?customer=C00000001&alt=json',
});
