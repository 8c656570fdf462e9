import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { startCron } from '../../../local/stack.ts';
import { type SignedReceiver, startSignedReceiver } from '../stack/signed-receiver.ts';
import {
  type OpenChannel,
  push,
  type SmallDirectory,
  startSmallDirectory,
  type UserState,
} from '../management/small-directory.ts';
import { type Verdict, verdictOf } from './webhook-kill-verdict.ts';
import { startWebhookStack, type WebhookStack } from './webhook-stack.ts';

export type KillPlan = {
  kills: number;
  /** Acknowledged at least, spread over the kills. */
  messages: number;
  users: number;
  /** Time under load before each kill: a random one in this range, in milliseconds. */
  beforeKillMs: readonly [number, number];
  /** Whether the cron fires each minute. Without it alarms alone bring back what a kill left. */
  hasCron: boolean;
  /** One more kill at the end, after the receiver took a webhook and before it answered: it must come again. */
  isKilledWhileTold: boolean;
};

export type KillReport = {
  verdict: Verdict;
  acknowledged: number;
  /** Sent again, because there was no answer or a 503. */
  again: number;
  /** Messages that a kill cut off under way: no kill counts without one. */
  cutOff: number;
  kills: number;
  /** Different effects, and how often one came again. */
  effects: number;
  toldAgain: number;
  /** Signatures that were not good. */
  refused: readonly string[];
};

/** At a time: what the vendor was seen to do is not known; 16 is what the prototype was measured with. */
const SENDERS = 16;
const AGAIN_MS = [20, 200] as const;
/** Of so many messages one tells of a change; the others are the vendor's repetitions. */
const CHANGE_EVERY = 4;
/** Of so many changes one deletes its user for good. */
const DELETE_EVERY = 200;
const FIRST_NUMBER = 2;
const MAX_PAGES = 1_000;
/** Tries of a kill, each of which finds messages under way, until one cuts off a message. */
const MAX_MISSES = 20;
/** Time for what waits to be worked: the receiver is told 50 times a second at most. */
const SETTLE_MS = 900_000;
const MINUTE_MS = 60_000;
const LOOK_MS = 50;
/** The operator's interface may be asked 600 times a minute. */
const ASK_MS = 500;

type Load = {
  acknowledged: Set<number>;
  changed: Set<string>;
  /** Messages that are not answered yet. */
  underWay: Set<Promise<boolean>>;
  again: number;
  cutOff: number;
  kills: number;
  next: number;
};
type World = { stack: WebhookStack; directory: SmallDirectory; receiver: SignedReceiver; channel: OpenChannel };

/**
 * Kills workerd with SIGKILL at random moments while messages come in, and judges what is there at the end. The vendor is
 * a small directory outside workerd: it goes on through the kills, and answers fast enough for the load.
 */
export async function runKills(plan: KillPlan): Promise<KillReport> {
  const names = Array.from({ length: plan.users }, (_, at) => `user-${at}`);
  const directory = await startSmallDirectory(new Map(names.map((name) => [name, stateOf(1)])));
  const receiver = await startSignedReceiver();
  const stack = await startWebhookStack({
    webhookBindings: {
      DIRECTORY_URL: directory.url,
      DIRECTORY_TOKEN: directory.token,
      DESTINATIONS: JSON.stringify([{ ...receiver.destination, events: ['user'] }]),
    },
  });
  const cron = plan.hasCron ? startCron(stack.cron, { everyMs: MINUTE_MS }) : undefined;
  try {
    const world = { stack, directory, receiver, channel: await openChannel(stack, directory) };
    const load = await loadAndKill(world, plan);
    await settled(stack);
    if (plan.isKilledWhileTold) await killWhileTold(world, load);
    await settled(stack);
    return await reportOf(world, load);
  } finally {
    await cron?.stop();
    await stack.stop();
    await Promise.all([directory.stop(), receiver.stop()]);
  }
}

/** Opens a channel and waits for its sync and for the first listing: what was there before is no news. */
async function openChannel(stack: WebhookStack, directory: SmallDirectory): Promise<OpenChannel> {
  const { status } = await stack.operate('POST /channels', {});
  if (status !== 201) throw new Error(`POST /channels answers ${status}`);
  await until(async () => {
    const { channels } = z
      .object({ channels: z.array(z.object({ synced_at: z.string().nullable() })) })
      .parse((await stack.operate('GET /channels')).body);
    return channels[0]?.synced_at !== null && (await statusOf(stack)).last_resync_at !== null;
  }, ASK_MS);
  const [channel] = directory.channels;
  if (channel === undefined) throw new Error('no channel was asked for');
  return channel;
}

async function loadAndKill(world: World, plan: KillPlan): Promise<Load> {
  const load: Load = {
    acknowledged: new Set(),
    changed: new Set(),
    underWay: new Set(),
    again: 0,
    cutOff: 0,
    kills: 0,
    next: FIRST_NUMBER,
  };
  const isOver = (): boolean => load.kills === plan.kills && load.acknowledged.size >= plan.messages;
  const sending = Promise.all(Array.from({ length: SENDERS }, () => send(world, load, isOver)));
  const killing = (async () => {
    while (load.kills < plan.kills) {
      // Not before its share of the messages came: every kill falls into the load.
      await until(async () => load.acknowledged.size >= (plan.messages * load.kills) / plan.kills);
      await sleep(randomInt(...plan.beforeKillMs));
      await killUnderWay(world.stack, load);
    }
  })();
  await Promise.all([sending, killing]);
  return load;
}

/** Kills until that cuts off messages under way. Others may be answered just before, which nobody can know. */
async function killUnderWay(stack: WebhookStack, load: Load): Promise<void> {
  for (let misses = 0; misses < MAX_MISSES; misses += 1) {
    await until(async () => load.underWay.size > 0);
    const underWay = [...load.underWay];
    await stack.crash();
    const cutOff = (await Promise.all(underWay)).filter((isTaken) => !isTaken).length;
    load.cutOff += cutOff;
    if (cutOff === 0) continue;
    load.kills += 1;
    return;
  }
  throw new Error(`${MAX_MISSES} kills cut off no message`);
}

/** The receiver has taken a webhook, and we are killed before it answers. */
async function killWhileTold({ stack, directory, receiver, channel }: World, load: Load): Promise<void> {
  const [userId] = [...directory.users].find(([, state]) => state !== null) ?? [''];
  const number = load.next;
  const held = receiver.hold();
  directory.users.set(userId, stateOf(number));
  await until(() => push(channel, { number, state: 'update', userId }));
  load.acknowledged.add(number);
  load.changed.add(userId);
  await held.came;
  await stack.crash();
  load.kills += 1;
  held.release();
}

/** Sends message after message, each again and again until it is acknowledged, as the vendor does. */
async function send({ directory, channel }: World, load: Load, isOver: () => boolean): Promise<void> {
  const names = [...directory.users.keys()];
  while (!isOver()) {
    const number = load.next;
    load.next += 1;
    const userId = names[randomInt(names.length)] ?? '';
    const isChange = number % CHANGE_EVERY === 0 && directory.users.get(userId) !== null;
    if (isChange) directory.users.set(userId, number % (CHANGE_EVERY * DELETE_EVERY) === 0 ? null : stateOf(number));
    const state = directory.users.get(userId) === null ? 'delete' : 'update';
    while (!(await taken(load, push(channel, { number, state, userId })))) {
      load.again += 1;
      await sleep(randomInt(...AGAIN_MS));
    }
    load.acknowledged.add(number);
    if (isChange) load.changed.add(userId);
  }
}

/** Whether a message was taken; it is under way until then. */
async function taken({ underWay }: Load, pushed: Promise<boolean>): Promise<boolean> {
  underWay.add(pushed);
  try {
    return await pushed;
  } finally {
    underWay.delete(pushed);
  }
}

/** A state that no user had before. */
const stateOf = (number: number): UserState => ({ orgUnitPath: `/v${number}`, suspended: number % 3 === 0 });

async function settled(stack: WebhookStack): Promise<void> {
  await until(async () => {
    const { waiting, delivering, resync } = await statusOf(stack);
    return waiting === 0 && delivering === 0 && resync === null;
  }, ASK_MS);
}

async function reportOf({ stack, directory, receiver, channel }: World, load: Load): Promise<KillReport> {
  const { acknowledged, changed, again, cutOff, kills } = load;
  const verdict = verdictOf({
    acknowledged,
    kept: await keptOf(stack, channel.id),
    changed: new Map([...changed].map((user) => [user, directory.users.get(user) ?? null])),
    told: receiver.received,
  });
  const effects = new Set(receiver.received.map(({ id }) => id)).size;
  return {
    verdict,
    acknowledged: acknowledged.size,
    again,
    cutOff,
    kills,
    effects,
    toldAgain: receiver.received.length - effects,
    refused: receiver.refused,
  };
}

const pageSchema = z.object({
  messages: z.array(z.object({ number: z.string(), state: z.string() })),
  next_page_token: z.string().optional(),
});

/** The state of every message of a channel that was kept, by its number. @throws Error when one number is there twice */
async function keptOf(stack: WebhookStack, channel: string): Promise<Map<number, string>> {
  const kept = new Map<number, string>();
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      channel,
      page_size: '100',
      ...(token === undefined ? {} : { page_token: token }),
    });
    const { messages, next_page_token: next } = pageSchema.parse((await stack.operate(`GET /messages?${query}`)).body);
    for (const { number, state } of messages) {
      if (kept.has(Number(number))) throw new Error(`message ${number} is kept twice`);
      kept.set(Number(number), state);
    }
    if (next === undefined) return kept;
    token = next;
  }
  throw new Error(`there are more than ${MAX_PAGES} pages of messages`);
}

const statusSchema = z.object({
  waiting: z.number(),
  delivering: z.number(),
  dead: z.number(),
  resync: z.unknown(),
  last_resync_at: z.string().nullable(),
});

async function statusOf(stack: WebhookStack) {
  const { status, body } = await stack.operate('GET /status');
  if (status !== 200) throw new Error(`GET /status answers ${status} ${JSON.stringify(body)}`);
  return statusSchema.parse(body);
}

async function until(isSo: () => Promise<boolean>, everyMs = LOOK_MS): Promise<void> {
  const endMs = Date.now() + SETTLE_MS;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`not so within ${SETTLE_MS} ms: ${isSo.toString()}`);
    await sleep(everyMs);
  }
}
