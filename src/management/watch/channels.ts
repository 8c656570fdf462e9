import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';
import { extractEmailDomain } from '../../lib/email.ts';
import { Refusal, vendorRefusals } from '../../lib/refusal.ts';
import { createTables, type RunStatement, type Sql } from '../../lib/sqlite.ts';
import type { AddressPolicy } from '../../net/address-policy.ts';
import { classifyHost, withoutTrailingDot } from '../../net/address.ts';
import type { UserChange, Tenant } from '../core/engine/tenant.ts';
import {
  type Channel,
  type ChannelOrder,
  type ChannelRules,
  canStopChannel,
  type Opener,
  type Watched,
} from './channel-order.ts';
import type { WatchSettings } from './settings.ts';

/**
 * WatchChannels and their messages, beside the tenant's resources: in no snapshot (rule K3). `channel_id` holds every id ever
 * used. `failures` counts those in a row; `sent` and `taken` are how many messages went to the queue and to the address
 * in the second that starts at the time beside it. `push_flight` holds messages that are with the queue, or, `taken`, on
 * their way.
 */
const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS channel_id (id TEXT PRIMARY KEY) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS channel (id TEXT PRIMARY KEY, resource_id TEXT NOT NULL, resource_uri TEXT NOT NULL,
     address TEXT NOT NULL, host TEXT NOT NULL, token TEXT NOT NULL, expires_ms INTEGER NOT NULL,
     watched TEXT NOT NULL, scope TEXT NOT NULL, event TEXT NOT NULL,
     opener_kind TEXT NOT NULL, opener_user TEXT NOT NULL, opener_client TEXT NOT NULL,
     number INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0,
     lost INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, paused_until_ms INTEGER NOT NULL DEFAULT 0,
     probe INTEGER NOT NULL DEFAULT 0, sent_ms INTEGER NOT NULL DEFAULT 0, sent INTEGER NOT NULL DEFAULT 0,
     taken_ms INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS channel_watched ON channel (watched, scope)',
  'CREATE INDEX IF NOT EXISTS channel_host ON channel (host)',
  `CREATE TABLE IF NOT EXISTS push (channel TEXT NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL,
     user_id TEXT NOT NULL, email TEXT NOT NULL, wake_ms INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (channel, number)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS push_due ON push (channel, wake_ms)',
  `CREATE TABLE IF NOT EXISTS push_flight (channel TEXT NOT NULL, number INTEGER NOT NULL, taken INTEGER NOT NULL,
     until_ms INTEGER NOT NULL, PRIMARY KEY (channel, number)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS push_flight_taken ON push_flight (until_ms) WHERE taken = 1',
  `CREATE TABLE IF NOT EXISTS push_host (host TEXT PRIMARY KEY, taken_ms INTEGER NOT NULL, taken INTEGER NOT NULL) WITHOUT ROWID`,
];

/** Makes the tables where they are missing. */
export const createWatchTables = (sql: Sql): RunStatement => createTables(sql, SCHEMA);

/** Ends a channel: it sends no more. Its id stays used. */
export function dropChannel(run: RunStatement, id: string): void {
  for (const table of ['push', 'push_flight']) run(`DELETE FROM ${table} WHERE channel = ?`, id);
  run('DELETE FROM channel WHERE id = ?', id);
}

/** Open channels of a tenant, and of one tenant to one host (rule K8). */
const MAX_CHANNELS = 100;
const MAX_CHANNELS_PER_HOST = 5;
/** Messages of a channel that wait (rule K8). Further ones are refused and counted: what waits is older and in order. */
const MAX_QUEUED = 1_000;
/** Message numbers grow by 2 at least, so that no client relies on their sequence, and by so much at most. */
const MAX_STEP = 1_001;
const RESOURCE_ID_CHARS = 27;

/** What the channels of a tenant depend on. */
export type WatchTools = {
  sql: Sql;
  tenant: Tenant;
  /** Random text of the tenant. */
  salt: string;
  settings: WatchSettings;
  policy: AddressPolicy;
  /** Real time, Unix milliseconds: the tenant's clock moves no delivery (rule K2). */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
};

/** The watch channels of a tenant, as its operations use them: inside their transaction. */
export type WatchChannels = {
  /** What a watch request is judged by now. */
  rules: () => ChannelRules;
  /** Opens a channel and leaves its sync message. @throws Refusal for a used id, or more channels than allowed */
  open: (order: ChannelOrder) => Channel;
  /** @throws Refusal 404 where no such channel is open, 403 where another's is */
  stop: (id: string, resourceId: string, caller: Opener) => void;
  /** Leaves a message for each channel that watches a change. */
  record: (changes: readonly UserChange[]) => void;
  /** Whether messages were left since this was last asked: the object then has something to send. */
  hasLeft: () => boolean;
  /** Ends all channels and forgets their ids: the tenant starts anew. */
  clear: () => void;
};

export function createWatchChannels(tools: WatchTools): WatchChannels {
  const run = createWatchTables(tools.sql);
  let left = false;
  return {
    rules: () => ({ settings: tools.settings, policy: tools.policy, nowMs: tools.now() }),
    open: (order) => {
      left = true;
      return open(order, run, tools);
    },
    stop: (id, resourceId, caller) => {
      const [row] = run(
        'SELECT opener_kind, opener_user, opener_client FROM channel WHERE id = ? AND resource_id = ? AND expires_ms > ?',
        id,
        resourceId,
        tools.now(),
      );
      if (row === undefined) throw vendorRefusals.missing(`Channel '${id}' not found for project '${tools.tenant.id}'`);
      if (!canStopChannel(readOpener(row), caller)) throw vendorRefusals.forbidden();
      dropChannel(run, id);
    },
    record: (changes) => {
      for (const change of changes) if (announceChange(change, run, tools)) left = true;
    },
    hasLeft: () => {
      const answer = left;
      left = false;
      return answer;
    },
    clear: () => {
      for (const table of ['channel_id', 'channel', 'push', 'push_flight', 'push_host']) run(`DELETE FROM ${table}`);
    },
  };
}

function open(order: ChannelOrder, run: RunStatement, tools: WatchTools): Channel {
  const { id, address, token, expiresAtMs, resourceUri, opener } = order;
  if (run('INSERT INTO channel_id VALUES (?) ON CONFLICT DO NOTHING RETURNING id', id).length === 0)
    throw refuseUsedChannelId(id);
  const expired = run('SELECT id FROM channel WHERE expires_ms <= ? LIMIT ?', tools.now(), MAX_CHANNELS);
  for (const row of expired) dropChannel(run, String(row['id']));
  const host = withoutTrailingDot(address.hostname);
  requireRoom(host, run, tools.tenant);
  const resourceId = computeResourceId(order, tools.salt);
  run(
    `INSERT INTO channel (id, resource_id, resource_uri, address, host, token, expires_ms, watched, scope, event,
       opener_kind, opener_user, opener_client) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    resourceId,
    resourceUri,
    address.href,
    host,
    token,
    expiresAtMs,
    order.watched,
    order.scope,
    order.event,
    opener.kind,
    opener.userId,
    opener.clientId,
  );
  leave({ channel: id, number: 1, state: 'sync', userId: '', email: '' }, run, tools.now());
  return { id, resourceId, resourceUri, address: address.href, token, expiresAtMs };
}

function requireRoom(host: string, run: RunStatement, { mode }: Tenant): void {
  const count = (where: string, ...bindings: string[]): number =>
    Number(run(`SELECT count(*) AS n FROM channel ${where}`, ...bindings)[0]?.['n'] ?? 0);
  if (count('') >= MAX_CHANNELS) throw vendorRefusals.limitExceeded(`At most ${MAX_CHANNELS} channels may be open`);
  const isOwnMachine = mode === 'sandbox' && classifyHost(host).kind === 'loopback';
  if (!isOwnMachine && count('WHERE host = ?', host) >= MAX_CHANNELS_PER_HOST)
    throw vendorRefusals.limitExceeded(`At most ${MAX_CHANNELS_PER_HOST} channels may be open to one host`);
}

/** Leaves a message for each channel that watches a change. @returns whether one does */
function announceChange({ watched, event, user, oldEmail }: UserChange, run: RunStatement, tools: WatchTools): boolean {
  const isOfUsers = watched === 'users';
  const scope = isOfUsers ? extractEmailDomain(user.primaryEmail) : user.id;
  const oldScope = isOfUsers && oldEmail !== undefined ? extractEmailDomain(oldEmail) : scope;
  const channels = run(
    `SELECT id, number, queued FROM channel
       WHERE watched = ? AND scope IN ('', ?, ?) AND event IN ('', ?) AND expires_ms > ?`,
    watched,
    scope,
    oldScope,
    event,
    tools.now(),
  );
  for (const { id, number, queued } of channels) {
    const channel = String(id);
    if (Number(queued) >= MAX_QUEUED) run('UPDATE channel SET refused = refused + 1 WHERE id = ?', channel);
    else {
      const next = Number(number) + 2 + (Number.parseInt(tools.random(2), 16) % (MAX_STEP - 1));
      leave({ channel, number: next, state: event, userId: user.id, email: user.primaryEmail }, run, tools.now());
    }
  }
  return channels.length > 0;
}

type NewPush = { channel: string; number: number; state: string; userId: string; email: string };

function leave({ channel, number, state, userId, email }: NewPush, run: RunStatement, nowMs: number): void {
  run('UPDATE channel SET number = ?, queued = queued + 1 WHERE id = ?', number, channel);
  const insert = 'INSERT INTO push (channel, number, state, user_id, email, wake_ms) VALUES (?, ?, ?, ?, ?, ?)';
  run(insert, channel, number, state, userId, email, nowMs);
}

/** The same for every channel on the same resource, and of no use to other tenants. */
const computeResourceId = ({ watched, scope, event }: Watched, salt: string): string =>
  bytesToHex(sha256(new TextEncoder().encode(JSON.stringify([salt, watched, scope, event])))).slice(
    0,
    RESOURCE_ID_CHARS,
  );

function readOpener(row: Record<string, unknown>): Opener {
  const kind = String(row['opener_kind']);
  return {
    kind: kind === 'service' || kind === 'operator' ? kind : 'payer',
    userId: String(row['opener_user']),
    clientId: String(row['opener_client']),
  };
}

const refuseUsedChannelId = (id: string): Refusal =>
  new Refusal({
    status: 400,
    word: 'INVALID_ARGUMENT',
    reason: 'channelIdNotUnique',
    message: `Channel id ${id} not unique`,
  });
