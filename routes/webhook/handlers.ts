import type { ChannelAnswer } from '../../src/notifications/core/protocol.ts';
import type { Caller } from './caller.ts';
import { inboxOf, registryOf, type WebhookEnv } from './bindings/env.ts';
import type { InputOf, OperationId } from '../../src/notifications/operator-api/operations.ts';
import type { Refusal } from './refusals.ts';
import { OWN_CUSTOMER } from '../../src/notifications/operator-api/shapes.ts';

/** Who calls, and the id in the path ('' where there is none). */
export type Call = { env: WebhookEnv; caller: Caller; id: string };
export type Outcome = { ok: true; body: object; location?: string } | { ok: false; refusal: Refusal };

type Handlers = { [Id in OperationId]: (input: InputOf<Id>, call: Call) => Promise<Outcome> };

/** What each operation of the table does. */
export const handlers: Handlers = {
  listChannels: async ({ customer, state, watch, page_size: limit, page_token: cursor }, { env, caller }) => {
    const whose =
      customer === undefined ? { ok: true as const, customer: caller.tenant } : customerOf(customer, caller);
    if (!whose.ok) return whose;
    const { items, next } = await registryOf(env).list({ customer: whose.customer, state, watch, limit, cursor });
    return { ok: true, body: { channels: items, next_page_token: next } };
  },
  createChannel: async ({ customer, domain, event, ttl_s: ttlSeconds, subject }, { env, caller }) => {
    const whose = customerOf(customer, caller);
    if (!whose.ok) return whose;
    const isPart = domain !== undefined || subject !== undefined;
    if (caller.tenant !== undefined && isPart) return wholeCustomerOnly;
    const target = { customer: whose.customer, domain };
    const outcome = outcomeOf(await registryOf(env).open({ target, event, ttlSeconds, subject }));
    return outcome.ok ? { ...outcome, location: `/channels/${outcome.body.id}` } : outcome;
  },
  getChannel: async (_, { env, caller, id }) => {
    const channel = await registryOf(env).get(id, caller.tenant);
    return channel === null ? unknown : { ok: true, body: channel };
  },
  renewChannel: async (_, { env, caller, id }) => outcomeOf(await registryOf(env).renew(id, caller.tenant)),
  stopChannel: async (_, { env, caller, id }) => outcomeOf(await registryOf(env).stop(id, caller.tenant)),
  listMessages: async ({ customer, state, channel, from, to, page_size: limit, page_token: cursor }, call) => {
    const whose = customerOf(customer, call.caller);
    if (!whose.ok) return whose;
    const query = { state, channel, fromMs: from, toMs: to, limit, cursor };
    const { items, next } = await inboxOf(call.env, whose.customer).messages(whose.customer, query);
    return { ok: true, body: { messages: items, next_page_token: next } };
  },
  replayMessages: async ({ customer, message, channel, from, to }, { env, caller }) => {
    const whose = customerOf(customer, caller);
    if (!whose.ok) return whose;
    const range = { seq: message, channel, fromMs: from, toMs: to };
    const { replayed, more } = await inboxOf(env, whose.customer).replay(whose.customer, range);
    return { ok: true, body: { replayed, more } };
  },
  getStatus: async ({ customer }, { env, caller }) => {
    const whose = customerOf(customer, caller);
    if (!whose.ok) return whose;
    const status = await inboxOf(env, whose.customer).status(whose.customer);
    return { ok: true, body: { customer: whose.customer, ...status } };
  },
};

const unknown: Outcome & { ok: false } = { ok: false, refusal: { code: 'not_found' } };

/** A domain, or whom the service account acts for, may be another customer's: the vendor goes by them alone. */
const wholeCustomerOnly: Outcome & { ok: false } = {
  ok: false,
  refusal: {
    code: 'whole_customer_only',
    detail: 'This token is for one customer and watches it as a whole: leave out `domain` and `subject`',
  },
};

/** Whose things are meant. A token for one customer knows of no other: it is told what one is told of what is not there. */
function customerOf(
  named: string | undefined,
  { tenant }: Caller,
): { ok: true; customer: string } | (Outcome & { ok: false }) {
  if (tenant === undefined) return { ok: true, customer: named ?? OWN_CUSTOMER };
  return named === undefined || named === OWN_CUSTOMER || named === tenant ? { ok: true, customer: tenant } : unknown;
}

function outcomeOf(answer: ChannelAnswer) {
  if (answer.ok) return { ok: true as const, body: answer.channel };
  const { reason: code, detail } = answer;
  return { ok: false as const, refusal: code === 'not_found' ? { code } : { code, detail } };
}
