import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { requestTokenByKey } from '../../src/cli/login/key-token.ts';
import { computeChannelToken, parseChannelKeys } from '../../src/notifications/channels/channel-token.ts';
import { signMany } from '../x402/payloads.ts';
import { ourHeader } from '../x402/servers.ts';
import type { KindName } from './plan-data.ts';
import type { ScaleStack } from './stack-child.ts';

/** Sends one request of a kind. `key`: which of its callers, tokens, payers or channels it names. */
export type Sender = { send: (key: number) => Promise<void> };
export type Senders = Readonly<Record<KindName, Sender>>;

const TIMEOUT_MS = 120_000;
const openedSchema = z.object({ id: z.string(), address: z.string(), resource_id: z.string() });
const USER = 'scale@example.com';

/** What sends each kind to a stack; tokens, payments and channels are made here, before anything is counted. */
export async function openSenders(stack: ScaleStack, keys: number): Promise<Senders> {
  const tokens = await Promise.all(Array.from({ length: keys }, () => getToken(stack, stack.control)));
  await ask(`${stack.control}/admin/directory/v1/users`, tokens[0] ?? '', 'POST', {
    primaryEmail: USER,
    name: { givenName: 'Scale', familyName: 'Bench' },
    password: randomUUID(),
  });
  return {
    unpaid: { send: (key) => askUnpaid(stack, key) },
    management: createManagement(stack, tokens),
    audit: createPurchases(stack, 'full_audit', { url: `${stack.good}/` }),
    measurement: createPurchases(stack, 'visibility_check', { brand: 'Example Desk', niche: 'standing desks' }),
    push: createPushes(stack),
  };
}

async function send(url: string, init: RequestInit, wanted: number): Promise<string> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await answer.text();
  if (answer.status !== wanted) throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 300)}`);
  return text;
}

async function askUnpaid({ api, good }: ScaleStack, key: number): Promise<void> {
  const headers = { 'content-type': 'application/json', 'cf-connecting-ip': `198.18.${key >> 8}.${key & 255}` };
  await send(`${api}/api/agent/check_health`, { method: 'POST', headers, body: JSON.stringify({ url: good }) }, 402);
}

const ask = (url: string, token: string, method: string, body?: object): Promise<string> =>
  send(
    url,
    {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    200,
  );

/** Nine reads of a user and one change of it, in turns. */
function createManagement({ control }: ScaleStack, tokens: readonly string[]): Sender {
  let turn = 0;
  return {
    send: async (key) => {
      turn += 1;
      const isChange = turn % 10 === 0;
      const url = `${control}/admin/directory/v1/users/${USER}`;
      const body = { suspended: turn % 20 === 0 };
      await ask(url, tokens[key % tokens.length] ?? '', isChange ? 'PATCH' : 'GET', isChange ? body : undefined);
    },
  };
}

function createPurchases(stack: ScaleStack, capability: string, body: object): Sender {
  const url = `${stack.api}/api/agent/${capability}`;
  return {
    send: async (key) => {
      const payer = stack.payers[key % stack.payers.length];
      if (!payer) throw new RangeError('the stack has no payers');
      const signer = { key: payer.privateKey, from: payer.address };
      const [payload] = await signMany(1, [signer], stack.payTo, capability);
      if (!payload) throw new Error('nothing was signed');
      const headers = { 'content-type': 'application/json', 'payment-signature': ourHeader(payload, url) };
      await send(url, { method: 'POST', headers, body: JSON.stringify(body) }, 200);
    },
  };
}

async function getToken({ keyFile }: ScaleStack, resource: string): Promise<string> {
  const token = await requestTokenByKey({ keyFile: readFileSync(keyFile, 'utf8'), resource }, fetch, Date.now());
  if (!token.ok) throw new Error(`no token: ${token.reason}: ${token.detail}`);
  return token.accessToken;
}

type Channel = { url: string; headers: Record<string, string> };

/** What of a customer is watched: each is a channel of its own. */
export const EVENTS = ['add', 'delete', 'makeAdmin', 'undelete', 'update'] as const;

async function openChannels(stack: ScaleStack): Promise<readonly Channel[]> {
  const token = await getToken(stack, stack.webhook);
  const keys = parseChannelKeys(stack.channelKeys) ?? [];
  const channels: Channel[] = [];
  for (const event of EVENTS) {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ customer: 'C00000001', event }),
    };
    const { id, address, resource_id } = openedSchema.parse(
      JSON.parse(await send(`${stack.webhook}/channels`, init, 201)),
    );
    const headers = {
      'x-goog-channel-id': id,
      'x-goog-channel-token': computeChannelToken(id, new URL(address).pathname, keys),
      'x-goog-resource-id': resource_id,
      'x-goog-resource-state': event,
      'x-goog-resource-uri': `${stack.control}/admin/directory/v1/users?customer=C00000001&alt=json`,
    };
    channels.push({ url: address, headers });
  }
  return channels;
}

/** Its channels are opened at the first push: a watched directory pushes each of its changes. */
function createPushes(stack: ScaleStack): Sender {
  let message = 0;
  let opening: Promise<readonly Channel[]> | undefined;
  return {
    send: async (key) => {
      opening ??= openChannels(stack);
      const channels = await opening;
      message += 1;
      const channel = channels[key % channels.length];
      if (!channel) throw new RangeError('there are no channels');
      const numbered = { ...channel.headers, 'x-goog-message-number': String(message) };
      const init = { method: 'POST', headers: { ...numbered, 'content-type': 'application/json' } };
      await send(channel.url, { ...init, body: JSON.stringify({ primaryEmail: USER, id: '1' }) }, 200);
    },
  };
}
