import { type MessageOrigin, parseTelemetryMessage, sumDropped } from '../../../src/telemetry/messages.ts';
import type { Dropped, NotKept, ServiceName, TelemetryBatch } from '../../../src/telemetry/wire.ts';
import type { ControlEnv } from './env.ts';
import { complain } from './own-project.ts';
import { pushServiceLimits } from './service-limits.ts';
import { type Forwarding, writeTelemetry } from './telemetry-writer.ts';

/** How the queue of each environment begins that holds other Workers' telemetry. */
export const TELEMETRY_QUEUE = 'sightline-telemetry';
/** Deliveries of a message that cannot be written; after that its records count as left out. */
const MAX_TRIES = 8;
/** Waits between them, in seconds; the second: between those of an audit trail, which never ends before the queue's own time. */
const RETRY_S = { first: 5, most: 300, mostOfAudit: 3_600 } as const;

/** What was not kept since an entry of that log could last say so. Memory of this isolate. */
const lost = new Map<ServiceName, Dropped>();

function addLost(service: ServiceName, more: Dropped): void {
  lost.set(service, sumDropped([lost.get(service) ?? { lines: 0, spans: 0 }, more]));
}

/**
 * Writes what the other Workers sent to the operator's project, each message by itself. A message that comes twice makes
 * the same entries and spans twice, which the store has once.
 * @param allowsPlainLoopback as `Forwarding` has it
 */
export async function consumeTelemetry(
  { messages }: Pick<MessageBatch, 'messages'>,
  env: ControlEnv,
  forwarding: Forwarding,
): Promise<void> {
  await Promise.all(messages.map((message) => handle(message, env, forwarding)));
  await pushServiceLimits(env, Date.now());
}

async function handle(message: Message, env: ControlEnv, forwarding: Forwarding): Promise<void> {
  const parsed = parseTelemetryMessage(message.body);
  if (parsed === undefined) {
    complain('invalid_message');
    message.ack();
    return;
  }
  const { batch, ...origin } = parsed;
  const before = lost.get(batch.service);
  lost.delete(batch.service);
  const whole = before === undefined ? batch : { ...batch, dropped: sumDropped([batch.dropped, before]) };
  const outcome = await writeOnce(whole, env, forwarding, { ...origin, isRepeat: message.attempts > 1 });
  if (isOwedAgain(outcome, origin, message.attempts)) {
    if (before !== undefined) addLost(batch.service, before); // This message says it of itself again.
    message.retry({ delaySeconds: computeRetryS(message.attempts, origin) });
    return;
  }
  addLost(batch.service, countNotKept(outcome, whole));
  message.ack();
}

type Outcome = { notKept: NotKept } | { failed: true };

/** Never throws: what becomes of a message is data. */
async function writeOnce(...call: Parameters<typeof writeTelemetry>): Promise<Outcome> {
  try {
    return { notKept: await writeTelemetry(...call) };
  } catch (error) {
    complain('not_written', error instanceof Error ? error.name : typeof error); // Its message may hold anything.
    return { failed: true };
  }
}

/** `all`: there is nowhere to keep it, now or later. */
function isOwedAgain(outcome: Outcome, { isAudit }: MessageOrigin, attempts: number): boolean {
  if ('failed' in outcome) return isAudit === true || attempts < MAX_TRIES;
  return isAudit === true && outcome.notKept !== 'all' && outcome.notKept.lines > 0;
}

function computeRetryS(attempts: number, { isAudit }: MessageOrigin): number {
  return Math.min(RETRY_S.first * 2 ** (attempts - 1), isAudit === true ? RETRY_S.mostOfAudit : RETRY_S.most);
}

function countNotKept(outcome: Outcome, { lines, spans, dropped }: TelemetryBatch): Dropped {
  if (!('failed' in outcome) && outcome.notKept !== 'all') return outcome.notKept;
  return sumDropped([dropped, { lines: lines.length, spans: spans.length }]);
}
