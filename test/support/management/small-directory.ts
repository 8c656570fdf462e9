import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

const CHANNEL_LIFE_MS = 6 * 3_600_000;
const SYNC_TRIES = 50;
const SYNC_AGAIN_MS = 100;
const USERS = '/admin/directory/v1/users';

const watchSchema = z.object({ id: z.string(), address: z.url(), token: z.string() });

/** A user's state: a path that is another one with each change, or null where the user was deleted. */
export type UserState = { orgUnitPath: string; suspended: boolean } | null;
export type OpenChannel = z.infer<typeof watchSchema> & { resourceId: string };

export type SmallDirectory = {
  url: string;
  /** The bearer token that it takes. */
  token: string;
  /** By user id, as it answers them now. */
  users: Map<string, UserState>;
  /** Channels that were asked for, in order. */
  channels: OpenChannel[];
  stop: () => Promise<void>;
};

/**
 * A vendor that survives the kills of workerd: users, `watch` (with its sync message) and `stop` over HTTP on loopback.
 * Unlike the control Worker it pushes nothing by itself: the test sends what it wants to be sure of.
 */
export async function startSmallDirectory(users: Map<string, UserState>): Promise<SmallDirectory> {
  const token = randomBytes(16).toString('hex');
  const channels: OpenChannel[] = [];
  const server: HttpServer = await startHttpServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://directory');
    if (request.headers.authorization !== `Bearer ${token}`) return fail(response, 401, 'authError');
    if (pathname === `${USERS}/watch`) return watch(request, response, channels);
    if (pathname.endsWith('/channels/stop')) return void response.writeHead(204).end();
    if (pathname === USERS) return sendJson(response, 200, pageOf(users, searchParams));
    const id = decodeURIComponent(pathname.slice(USERS.length + 1));
    const state = users.get(id) ?? null;
    return state === null
      ? fail(response, 404, 'notFound', 'Resource Not Found: userKey')
      : sendJson(response, 200, userOf(id, state));
  });
  return { url: server.url, token, users, channels, stop: server.stop };
}

async function watch(request: IncomingMessage, response: ServerResponse, channels: OpenChannel[]): Promise<void> {
  const asked = watchSchema.parse(JSON.parse(await readBody(request)));
  const channel = { ...asked, resourceId: randomUUID() };
  channels.push(channel);
  const { id, resourceId, token } = channel;
  const expiration = String(Date.now() + CHANNEL_LIFE_MS);
  sendJson(response, 200, { kind: 'api#channel', id, resourceId, resourceUri: request.url, token, expiration });
  void sync(channel);
}

async function sync(channel: OpenChannel): Promise<void> {
  for (let tried = 0; tried < SYNC_TRIES; tried += 1) {
    if (await push(channel, { number: 1, state: 'sync' })) return;
    await new Promise((resolve) => setTimeout(resolve, SYNC_AGAIN_MS));
  }
}

export type Push = { number: number; state: string; userId?: string };

/**
 * Sends a message once, as the vendor does (seed 3, "Events").
 * @returns whether it was acknowledged; false where there was no answer, or one after which the vendor comes again
 * @throws Error for any other answer: the message would be lost
 */
export async function push(channel: OpenChannel, { number, state, userId }: Push): Promise<boolean> {
  let status: number;
  try {
    const answer = await fetch(channel.address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; utf-8',
        'x-goog-channel-id': channel.id,
        'x-goog-channel-token': channel.token,
        'x-goog-message-number': String(number),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-state': state,
        'x-goog-resource-uri': 'https://directory.test/admin/directory/v1/users?alt=json',
      },
      ...(userId === undefined
        ? {}
        : { body: JSON.stringify({ kind: 'admin#directory#user', id: userId, etag: '"e"', primaryEmail: '' }) }),
      signal: AbortSignal.timeout(30_000),
    });
    await answer.arrayBuffer();
    status = answer.status;
  } catch {
    return false;
  }
  if ([200, 201, 202, 204].includes(status)) return true;
  if ([500, 502, 503, 504].includes(status)) return false;
  throw new Error(`message ${number} is answered ${status}`);
}

function pageOf(users: Map<string, UserState>, asked: URLSearchParams) {
  const from = Number(asked.get('pageToken') ?? 0);
  const to = from + Number(asked.get('maxResults') ?? 100);
  const page = [...users].slice(from, to).flatMap(([id, state]) => (state === null ? [] : [userOf(id, state)]));
  return { kind: 'admin#directory#users', users: page, ...(to < users.size ? { nextPageToken: String(to) } : {}) };
}

const userOf = (id: string, { orgUnitPath, suspended }: NonNullable<UserState>) => ({
  kind: 'admin#directory#user',
  id,
  primaryEmail: `${id}@example.com`,
  orgUnitPath,
  suspended,
});

function fail(response: ServerResponse, code: number, reason: string, message = reason): void {
  sendJson(response, code, { error: { code, message, errors: [{ domain: 'global', reason, message }] } });
}
