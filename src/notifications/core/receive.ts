import { sha256 } from '@noble/hashes/sha2';
import { toHex } from '../../lib/digest.ts';
import { type ChannelClaims, MAX_CHANNEL_CHARS, parseChannelId } from '../channels/channel-id.ts';
import { type ChannelKey, isChannelToken } from '../channels/channel-token.ts';
import type { KnownChannelCache } from '../channels/known-channels.ts';
import { formatMessage, type NewMessage } from '../inbox/message.ts';
import { parseProbeChannel } from './probe.ts';
import type { InboxCalls, ReceiverChannel, RegistryCalls } from './protocol.ts';

/** Of each header that is kept or compared; what is longer is cut (rule W2). */
const MAX_HEADER_CHARS = 2_048;
const MAX_STATE_CHARS = 64;

/** Where notifications come in: the path of a watch's address. */
export const NOTIFICATIONS_PATH = '/notifications';
const ADDRESS_PATH = /^\/notifications\/([A-Za-z0-9_-]{1,64})$/;
const NUMBER = /^\d{1,20}$/;
/** A user's id goes into paths of the directory: printable characters, and no step up. */
const USER_ID = /^(?!\.{1,2}$)[\x21-\x7E]{1,128}$/;

/** The state of the first message of a channel, which reports no change. */
const SYNC_STATE = 'sync';

/** What the headers of a notification say, in the vendor's words; '' where one is missing. */
export type Presented = {
  channel: string;
  token: string;
  resourceId: string;
  uri: string;
  number: string;
  state: string;
};

type HeaderSource = { get: (name: string) => string | null };

/** The headers of a notification . A header that came twice reads `a, b`, as HTTP joins them. */
export function readPresentedHeaders(headers: HeaderSource, prefix: string): Presented {
  const read = (name: string): string => (headers.get(`${prefix}${name}`) ?? '').slice(0, MAX_HEADER_CHARS);
  return {
    channel: read('Channel-ID'),
    token: read('Channel-Token'),
    resourceId: read('Resource-ID'),
    uri: read('Resource-URI'),
    number: read('Message-Number'),
    state: read('Resource-State'),
  };
}

/**
 * Whether the token is that of the channel at this path (rule W1): asks no one, and takes the same steps whatever was
 * presented. Whether the channel is open, and of this resource, is for the registry to say.
 */
export function isGenuine({ channel, token }: Presented, path: string, keys: readonly ChannelKey[]): boolean {
  const isSigned = isChannelToken(token, { channelId: channel, path }, keys);
  return isSigned && channel !== '' && channel.length <= MAX_CHANNEL_CHARS && ADDRESS_PATH.test(path);
}

/** The watch that a path names; '' for a path that is no watch's. */
export const parseWatchPath = (path: string): string => ADDRESS_PATH.exec(path)?.[1] ?? '';

/** A resource id that can be learnt or compared: one that is there, and was not cut. */
export const isResourceId = (text: string): boolean => text !== '' && text.length < MAX_HEADER_CHARS;

/** What a notification is taken with; no object is looked up before it is needed. */
export type ReceiverPorts = {
  registry: () => Pick<RegistryCalls, 'lookup' | 'synced'>;
  /** The inbox of a customer. */
  inbox: (customer: string) => Pick<InboxCalls, 'keep' | 'push' | 'learn'>;
  channels: KnownChannelCache;
  /** Unix milliseconds. */
  now: () => number;
};

/** A notification whose token is good. `body`: undefined for one over MAX_BODY_BYTES. */
export type GenuineNotification = {
  presented: Presented;
  path: string;
  body: () => Promise<Uint8Array | undefined>;
};

/** `early`: the vendor has not sent yet what the channel is of. `dropped`: it is stopped. */
type Verdict = 'forged' | 'early' | 'dropped' | 'synced' | ReceiverChannel;

type Outcome = 'forged' | 'early' | 'accepted';

/**
 * Judges a notification, and keeps it where there is something to keep: durably, when this ends. The inbox itself wakes
 * its worker. A channel whose id states its customer leads to the inbox; for others the registry is asked.
 * @throws what the registry or the inbox throws: then nothing is kept
 */
export async function takeNotification(notification: GenuineNotification, ports: ReceiverPorts): Promise<Outcome> {
  const { channel: id } = notification.presented;
  const claims = parseChannelId(id);
  if (claims !== undefined) return takeByClaims(notification, claims, ports);
  const nowMs = ports.now();
  const channel = parseProbeChannel(id) ?? (await findChannel(id, ports, nowMs));
  return takeByWord(notification, channel, ports);
}

/**
 * The inbox judges by the word that it holds of the channel, before what this isolate remembers: a stop comes to the inbox
 * first. The registry is asked about a sync, and about a channel that the inbox holds no word of: about once an hour.
 */
async function takeByClaims(
  notification: GenuineNotification,
  { customer, acceptsUntilMs }: ChannelClaims,
  ports: ReceiverPorts,
): Promise<Outcome> {
  const { presented, path } = notification;
  const { channel: id, resourceId, state } = presented;
  const nowMs = ports.now();
  if (nowMs >= acceptsUntilMs || !isResourceId(resourceId)) return 'forged';
  const remembered = ports.channels.find(id, nowMs);
  if (remembered === null) return 'forged';
  if (state === SYNC_STATE) return takeSync(presented, ports, nowMs);
  const body = await notification.body();
  const known = { watch: parseWatchPath(path), acceptsUntilMs, subject: undefined };
  const text = formatMessage(buildMessage(presented, { known, body, receivedAtMs: nowMs }));
  const push = async (): Promise<Outcome | undefined> => {
    const outcome = await ports.inbox(customer).push(customer, text, resourceId);
    if (outcome === 'unknown') return undefined;
    return outcome === 'forged' ? 'forged' : 'accepted';
  };
  const pushed = await push();
  if (pushed !== undefined) return pushed;
  const found = remembered ?? (await lookUp(id, ports, nowMs));
  if (found?.holdsUntilMs !== undefined) {
    await ports.inbox(found.customer).learn(found.customer, found);
    const pushedAgain = await push(); // A stop may have come to the inbox meanwhile.
    if (pushedAgain !== undefined) return pushedAgain;
  }
  return takeByWord({ ...notification, body: async () => body }, found, ports);
}

async function takeSync({ channel, resourceId }: Presented, ports: ReceiverPorts, nowMs: number): Promise<Outcome> {
  const outcome = await ports.registry().synced(channel, resourceId);
  if (outcome === 'unknown') ports.channels.remember(channel, null, nowMs);
  return outcome === 'ok' ? 'accepted' : 'forged';
}

/** Asked of the registry. What no inbox can hold is remembered. */
async function lookUp(
  id: string,
  { channels, registry }: ReceiverPorts,
  nowMs: number,
): Promise<ReceiverChannel | null> {
  const found = await registry().lookup(id);
  if (found?.holdsUntilMs === undefined) channels.remember(id, found, nowMs);
  return found;
}

async function takeByWord(
  notification: GenuineNotification,
  channel: ReceiverChannel | null,
  ports: ReceiverPorts,
): Promise<Outcome> {
  const verdict = await judge(notification, channel, ports);
  if (verdict === 'forged' || verdict === 'early') return verdict;
  if (typeof verdict === 'object') await keep(notification, verdict, ports);
  return 'accepted';
}

/** What the registry's word means for a notification whose token is good (rules W4, W5). */
async function judge(
  { path, presented }: GenuineNotification,
  channel: ReceiverChannel | null,
  ports: ReceiverPorts,
): Promise<Verdict> {
  const { channel: id, resourceId, state } = presented;
  const nowMs = ports.now();
  if (channel === null || channel.watch !== parseWatchPath(path) || nowMs >= channel.acceptsUntilMs) return 'forged';
  if (!isResourceId(resourceId)) return 'forged';
  if (state === SYNC_STATE) return (await ports.registry().synced(id, resourceId)) === 'ok' ? 'synced' : 'forged';
  if (channel.resourceId !== undefined && channel.resourceId !== resourceId) return 'forged';
  if (channel.drops) return 'dropped';
  return channel.resourceId === undefined ? 'early' : channel;
}

/** Asked of the registry, or remembered. */
async function findChannel(
  id: string,
  { channels, registry }: ReceiverPorts,
  nowMs: number,
): Promise<ReceiverChannel | null> {
  const remembered = channels.find(id, nowMs);
  if (remembered !== undefined) return remembered;
  const found = await registry().lookup(id);
  channels.remember(id, found, nowMs);
  return found;
}

async function keep(
  { presented, body: read }: GenuineNotification,
  known: ReceiverChannel,
  { inbox, now }: ReceiverPorts,
): Promise<void> {
  const receivedAtMs = now();
  const message = buildMessage(presented, { known, body: await read(), receivedAtMs });
  await inbox(known.customer).keep(known.customer, formatMessage(message));
}

/** What the registry knows of the channel that a message came by. */
type ChannelKnowledge = Pick<ReceiverChannel, 'watch' | 'acceptsUntilMs' | 'subject'>;

/**
 * The message that is kept. Reads any body without failing: content type and coding do not matter.
 * @param body undefined for one over MAX_BODY_BYTES: the message is kept from its headers (rule W2)
 */
export function buildMessage(
  presented: Presented,
  { known, body, receivedAtMs }: { known: ChannelKnowledge; body: Uint8Array | undefined; receivedAtMs: number },
): NewMessage {
  const { watch, acceptsUntilMs, subject } = known;
  const { channel, number, state } = presented;
  const isNumbered = NUMBER.test(number);
  return {
    channel,
    watch,
    key: isNumbered ? `n:${number}` : `h:${fingerprintMessage(presented, body, receivedAtMs)}`,
    number: isNumbered ? number : null,
    state: state.slice(0, MAX_STATE_CHARS),
    receivedAtMs,
    ...readMessageContent(body),
    acceptsUntilMs,
    subject,
  };
}

/**
 * Headers and body in one hash. Without any number and any body to go by, a second change would look like the first one
 * sent again: then the time of arrival counts too, since a message read twice does no harm and a lost one does.
 */
function fingerprintMessage(presented: Presented, body: Uint8Array | undefined, receivedAtMs: number): string {
  const { token: _secret, ...said } = presented;
  const isBare = said.number === '' && (body === undefined || body.length === 0);
  const headers = JSON.stringify([Object.values(said), isBare ? receivedAtMs : null, body === undefined]);
  const digest = sha256
    .create()
    .update(new TextEncoder().encode(`${headers}\n`))
    .update(body ?? new Uint8Array());
  return toHex(digest.digest());
}

type Content = Pick<NewMessage, 'body' | 'userId' | 'raw'>;

function readMessageContent(bytes: Uint8Array | undefined): Content {
  if (bytes === undefined) return { body: 'truncated', userId: null, raw: null };
  if (bytes.length === 0) return { body: 'none', userId: null, raw: null };
  const userId = readUserId(bytes);
  if (userId !== undefined) return { body: 'read', userId, raw: null };
  return { body: 'undecodable', userId: null, raw: lossy.decode(bytes) };
}

// A byte order mark is no JSON (RFC 8259, section 8.1): it is kept, and then does not parse.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** The `id` of a JSON object; undefined for anything else. */
function readUserId(bytes: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(strict.decode(bytes));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return undefined;
    const { id } = value as { id: unknown };
    return typeof id === 'string' && USER_ID.test(id) ? id : undefined;
  } catch {
    return undefined; // Broken UTF-8 or broken JSON: kept as undecodable.
  }
}
