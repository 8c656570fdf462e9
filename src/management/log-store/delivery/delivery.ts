import { PRODUCT } from '../../../lib/product.ts';
import type { Sql } from '../../../lib/sqlite.ts';
import type { AddressPolicy } from '../../../net/address-policy.ts';
import type { FetchFunction } from '../../../net/guarded-fetch.ts';
import { postWebhook, type WebhookPostTools } from '../../../net/webhook-post.ts';
import type { PlacedEntry } from '../routing.ts';
import { createDeliveryQueue, type Post, type PostOutcome } from './queue.ts';
import { createDeliveryTables } from './outbox.ts';
import { findWebhookProblem } from './webhook-address.ts';

const USER_AGENT = `${PRODUCT}-Log-Sink/1.0`;

type PostTools = Pick<WebhookPostTools, 'fetch' | 'policy' | 'now'> & {
  /** Signs a text with the tenant's key; base64. */
  sign: (text: string) => Promise<string>;
};

/**
 * Posts a batch, signed with Ed25519 (`v1a`).
 * @returns what came of it, and for the log a status or a stable word
 */
async function postBatch(
  { id, url, body }: Post,
  { sign, ...tools }: PostTools,
): Promise<{ outcome: PostOutcome; seen: string }> {
  if (findWebhookProblem(url) !== undefined) return { outcome: { is: 'refused' }, seen: 'invalid_url' };
  const { answer, ...outcome } = await postWebhook(
    { url, id, body, userAgent: USER_AGENT },
    { ...tools, sign: async (_post, timestampS) => `v1a,${await sign(`${id}.${timestampS}.${body}`)}` },
  );
  return { outcome, seen: answer.ok ? String(answer.status) : answer.reason };
}

/** The key that signs what a tenant's sinks send: created on first use, stored with its entries, never shown. */
type WebhookKey = {
  /** What receivers verify with, as Standard Webhooks writes it: `whpk_<base64>`. */
  identity: () => Promise<string>;
  /** Ed25519 of a text; base64. */
  sign: (text: string) => Promise<string>;
};

type SigningKey = { identity: string; key: Awaited<ReturnType<typeof crypto.subtle.importKey>> };

const ALGORITHM = 'Ed25519';
const encoder = new TextEncoder();

/** A tenant has one key for all its webhooks, also after a reset: receivers keep what they trust. */
function createWebhookKey(sql: Sql): WebhookKey {
  const run = createDeliveryTables(sql);
  const read = () => run('SELECT public, private FROM delivery_key')[0];
  const open = async (): Promise<SigningKey> => {
    if (read() === undefined) {
      const made = await generateKeyPair();
      // Another call may have been as quick: the first key wins.
      run('INSERT OR IGNORE INTO delivery_key VALUES (1, ?, ?)', made.public, made.private);
    }
    const row = read();
    const bytes = decodeBase64(String(row?.['private']));
    const key = await crypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']);
    return { identity: `whpk_${String(row?.['public'])}`, key };
  };
  let opened: Promise<SigningKey> | undefined;
  const kept = (): Promise<SigningKey> => (opened ??= open());
  return {
    identity: async () => (await kept()).identity,
    sign: async (text) => {
      const { key } = await kept();
      return encodeBase64(await crypto.subtle.sign(ALGORITHM, key, encoder.encode(text)));
    },
  };
}

async function generateKeyPair(): Promise<{ public: string; private: string }> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 keys come in pairs');
  const [open, secret] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return { public: encodeBase64(open), private: encodeBase64(secret) };
}

function encodeBase64(exported: unknown): string {
  if (!(exported instanceof ArrayBuffer)) throw new Error('A key was not exported as bytes');
  return btoa(String.fromCodePoint(...new Uint8Array(exported)));
}

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);

/** Posts under way at a time: the platform opens six connections for an object. */
const AT_ONCE = 4;
/** Rounds of posts that one alarm makes; it comes again for the rest. */
const MAX_ROUNDS = 5;

export type WebhookDeliveryTools = {
  sql: Sql;
  transaction: <T>(work: () => T) => T;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
  fetch: FetchFunction;
  /** Addresses that may be posted to. */
  policy: AddressPolicy;
  log: (line: Record<string, unknown>) => void;
};

/** What sinks send to webhooks: kept with the entries in one transaction, sent by the object's alarm. */
export type Deliveries = {
  /** Keeps what goes to webhooks; inside the transaction that writes the entries. */
  keep: (placed: readonly PlacedEntry[]) => void;
  /** Forgets what waits for a sink. */
  drop: (sink: string) => void;
  /** Sends what is due. Never throws for what a receiver does. */
  send: () => Promise<void>;
  /** When there is something to send, Unix milliseconds; undefined when nothing waits. */
  nextMs: () => number | undefined;
  /** `whpk_<base64>`: the writer identity of the tenant's webhook sinks. */
  identity: () => Promise<string>;
  reset: () => void;
};

/**
 * The deliveries of a tenant's webhook sinks: in order for each sink, one post at a time, at least once. A batch keeps its
 * id over all its tries, so that receivers can tell. After its last try, and where too much waits, entries are lost:
 * counted and logged.
 */
export function createWebhookDeliveries(tools: WebhookDeliveryTools): Deliveries {
  const { sql, transaction, log } = tools;
  const queue = createDeliveryQueue(tools);
  const key = createWebhookKey(sql);
  const sendOne = async (post: Post): Promise<void> => {
    const { outcome, seen } = await postBatch(post, { ...tools, sign: key.sign });
    const lost = transaction(() => queue.book(post, outcome));
    const { id, attempt, entries } = post;
    log({ event: 'sink_post', batch: id, attempt, entries, outcome: outcome.is, seen, lost });
  };
  return {
    keep: queue.keep,
    drop: queue.dropSink,
    send: async () => {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const posts = transaction(() => queue.claim(AT_ONCE));
        if (posts.length === 0) break;
        await Promise.all(posts.map(sendOne));
      }
      transaction(() => queue.prune());
    },
    nextMs: queue.nextMs,
    identity: key.identity,
    reset: queue.reset,
  };
}
