import type { Answer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import { interfaceOf } from '../../../src/management/core/interfaces.ts';
import { methodOf } from '../../../src/management/core/table/methods.ts';
import type { ControlEnv } from './env.ts';
import { entriesOf, storeOf } from './tenants.ts';

/** Its answer is a stream, and comes from the store of entries. */
const STREAMED = 'logging.entries.tail';

/** Orders that follow from a change which stands already: its caller cannot make it again. */
const TOLD_TWICE: ReadonlySet<string> = new Set<EntryOrder['do']>(['buckets', 'sinkGone']);

/**
 * Asks a tenant: its resources, once, and then, where they say so, its store of entries and spans, once; that answer takes
 * the place of the first. That buckets or sinks changed is told it twice if need be. Latency of an injected fault is waited for here: the object has others to answer.
 */
export async function askTenant(
  tenant: Tenant,
  call: Call,
  env: ControlEnv,
): Promise<Answer | ReadableStream<Uint8Array>> {
  const asked = await briefed(tenant, call, env);
  const { answer, delayMs, order } = await storeOf(env, tenant).call(tenant, asked);
  if (delayMs > 0) await scheduler.wait(delayMs);
  if (order === undefined || !answer.ok) return answer;
  const entries = entriesOf(env, tenant);
  if (call.method === STREAMED) return entries.follow(tenant, call, order);
  if (!TOLD_TWICE.has(order.do)) return (await entries.run(tenant, call, order)) ?? answer;
  await entries.run(tenant, call, order).catch(() => entriesOf(env, tenant).run(tenant, call, order));
  return answer;
}

/** The call as the tenant's resources get it: without what only the store of entries needs, with what it was asked before. */
async function briefed(tenant: Tenant, call: Call, env: ControlEnv): Promise<Call> {
  const row = methodOf(call.method);
  const { brief, asksFirst, asksIdentity } = interfaceOf(row.interface, row.version) ?? {};
  const short = brief?.[call.method]?.(call) ?? call;
  const bucket = asksFirst?.[call.method]?.(call);
  if (bucket !== undefined)
    return { ...short, known: { isBucketEmpty: await entriesOf(env, tenant).isEmpty(tenant, bucket) } };
  if (asksIdentity?.[call.method]?.(call) !== true) return short;
  return { ...short, known: { webhookIdentity: await entriesOf(env, tenant).webhookIdentity(tenant) } };
}
