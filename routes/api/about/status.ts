import { describeStatus, type ServiceStatus } from '../../../src/about/service-status.ts';
import { isClosedForSale } from '../../../src/sales/settings.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { getAnswerEngines } from '../bindings/engine.ts';
import { findDemonstration, lookAtPayments } from '../bindings/pulse.ts';
import { readQueues } from '../bindings/queue-depths.ts';
import type { AppContext, AppOptions } from '../context.ts';

/** Seconds that an isolate shows what it saw: anyone may ask, and looking asks others. */
export const STATUS_AGE_S = 60;

/** Seen states, never pending ones: a request must not wait for another request's promise. */
const seen = new WeakMap<object, { atMs: number; status: ServiceStatus }>();

/** What the service knows of itself now, or saw within the last minute. Never fails: what cannot be read says so. */
export async function readServiceStatus(c: AppContext, options: AppOptions): Promise<ServiceStatus> {
  const { env } = c;
  const nowMs = Date.now();
  const before = seen.get(env.OPERATIONS_REGISTER);
  if (before !== undefined && nowMs - before.atMs < STATUS_AGE_S * 1000) return before.status;
  const settings = c.get('settings');
  const [{ chain, facilitatorAnswers }, { queues }] = await Promise.all([lookAtPayments(env), readQueues(env)]);
  const status = describeStatus({
    lookedAtMs: nowMs,
    sales: {
      isOpen: settings.PAY_TO !== undefined && !isClosedForSale(settings),
      network: getPaymentNetwork(settings).name,
    },
    engine: { isConfigured: getAnswerEngines(env, options).ok, demonstration: findDemonstration(settings) },
    chain: chain.read ? { block: chain.block, atMs: chain.atMs } : undefined,
    facilitator: facilitatorAnswers.read ? facilitatorAnswers.status : undefined,
    queues: queues.map((queue) => ({ name: queue.name, messages: queue.read ? queue.messages : undefined })),
  });
  seen.set(env.OPERATIONS_REGISTER, { atMs: nowMs, status });
  return status;
}
