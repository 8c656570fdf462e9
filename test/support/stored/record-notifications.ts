import * as z from 'zod';
import { at, type Recording, until } from './recording.ts';

const channelSchema = z.looseObject({ id: z.string(), synced_at: z.string().nullable() });
const messagesSchema = z.looseObject({ messages: z.array(z.looseObject({ user_id: z.string(), state: z.string() })) });

/** A channel of the local tenant, and a message that came by it and was worked. */
export async function recordNotifications(recording: Recording): Promise<void> {
  const webhook = at(recording, 'webhook', 'webhook');
  const { id } = channelSchema.parse(await webhook.make('POST /channels', {}));
  await until(
    'the channel is not synced',
    async () => channelSchema.parse(await webhook.make(`GET /channels/${id}`)),
    (channel) => channel.synced_at !== null,
  );
  await until(
    'the directory is not listed',
    () => webhook.make('GET /status'),
    (status) => typeof status['last_resync_at'] === 'string',
  );
  const user = await at(recording, 'control', 'control').make('POST /admin/directory/v1/users', {
    primaryEmail: 'noticed@example.com',
    name: { givenName: 'A', familyName: 'B' },
    password: 'correct horse',
  });
  const userId = z.string().parse(user['id']);
  await until(
    'the message is not worked',
    async () => messagesSchema.parse(await webhook.make('GET /messages')).messages,
    (messages) => messages.some((row) => row.user_id === userId && row.state === 'worked'),
  );
  recording.facts.channel = { id, userId };
  webhook.read('channels', 'GET /channels');
  webhook.read('messages', 'GET /messages');
}
