import { isPlatformFault } from '../../lib/errors.ts';
import type { ChannelAnswer, InboxCalls, RegistryCalls } from '../core/protocol.ts';
import { generateRandomHex } from '../../lib/digest.ts';
import { createProbe, isProbeId } from '../core/probe.ts';
import type { WebhookSettings } from '../core/settings.ts';
import { readCheckup, readProbeState } from './checkup.ts';
import type { InputOf, OperationId } from './operations.ts';
import type { ProblemCode } from './problems-data.ts';
import { OWN_CUSTOMER } from './shapes.ts';

/** The objects that operations ask; none is looked up before it is needed. */
export type OperatorPorts = {
  registry: () => Pick<RegistryCalls, 'list' | 'open' | 'get' | 'renew' | 'stop' | 'survey' | 'customersAfter'>;
  /** The inbox of a customer. */
  inbox: (customer: string) => Pick<InboxCalls, 'messages' | 'replay' | 'status'>;
  settings: WebhookSettings;
  /** Unix milliseconds. */
  now: () => number;
};

/** `tenant`: the only customer of the caller's token; undefined for all customers. `id`: that in the path, '' where there is none. */
type OperatorCall = OperatorPorts & { tenant: string | undefined; id: string };

export type OperationOutcome =
  | { ok: true; body: object; location?: string }
  | { ok: false; refusal: { code: ProblemCode; detail?: string } };

type Handlers = { [Id in OperationId]: (input: InputOf<Id>, call: OperatorCall) => Promise<OperationOutcome> };

/** What each operation of the table does. */
const handlers: Handlers = {
  listChannels: async ({ customer, state, watch, page_size: limit, page_token: cursor }, { registry, tenant }) => {
    const whose = customer === undefined ? { ok: true as const, customer: tenant } : resolveCustomer(customer, tenant);
    if (!whose.ok) return whose;
    const { items, next } = await registry().list({ customer: whose.customer, state, watch, limit, cursor });
    return { ok: true, body: { channels: items, next_page_token: next } };
  },
  createChannel: async ({ customer, domain, event, ttl_s: ttlSeconds, subject }, { registry, tenant }) => {
    const whose = resolveCustomer(customer, tenant);
    if (!whose.ok) return whose;
    const isPart = domain !== undefined || subject !== undefined;
    if (tenant !== undefined && isPart) return wholeCustomerOnly;
    const target = { customer: whose.customer, domain };
    const outcome = toOutcome(await registry().open({ target, event, ttlSeconds, subject }));
    return outcome.ok ? { ...outcome, location: `/channels/${outcome.body.id}` } : outcome;
  },
  getChannel: async (_, { registry, tenant, id }) => {
    const channel = await registry().get(id, tenant);
    return channel === null ? unknown : { ok: true, body: channel };
  },
  renewChannel: async (_, { registry, tenant, id }) => toOutcome(await registry().renew(id, tenant)),
  stopChannel: async (_, { registry, tenant, id }) => toOutcome(await registry().stop(id, tenant)),
  listMessages: async (
    { customer, state, channel, from, to, page_size: limit, page_token: cursor },
    { inbox, tenant },
  ) => {
    const whose = resolveCustomer(customer, tenant);
    if (!whose.ok) return whose;
    const query = { state, channel, fromMs: from, toMs: to, limit, cursor };
    const { items, next } = await inbox(whose.customer).messages(whose.customer, query);
    return { ok: true, body: { messages: items, next_page_token: next } };
  },
  replayMessages: async ({ customer, message, channel, from, to }, { inbox, tenant }) => {
    const whose = resolveCustomer(customer, tenant);
    if (!whose.ok) return whose;
    const range = { seq: message, channel, fromMs: from, toMs: to };
    const { replayed, more } = await inbox(whose.customer).replay(whose.customer, range);
    return { ok: true, body: { replayed, more } };
  },
  getStatus: async ({ customer }, { inbox, tenant }) => {
    const whose = resolveCustomer(customer, tenant);
    if (!whose.ok) return whose;
    const status = await inbox(whose.customer).status(whose.customer);
    return { ok: true, body: { customer: whose.customer, ...status } };
  },
  getCheckup: async (_, call) => (call.tenant === undefined ? { ok: true, body: await readCheckup(call) } : unknown),
  createProbe: async (_, { settings, now, tenant }) => {
    if (tenant !== undefined) return unknown;
    const probe = createProbe({ settings, nowMs: now(), random: generateRandomHex });
    return { ok: true, body: probe, location: `/probes/${probe.id}` };
  },
  getProbe: async (_, { inbox, tenant, id }) =>
    tenant === undefined && isProbeId(id) ? { ok: true, body: await readProbeState(id, inbox) } : unknown,
};

const unknown: OperationOutcome & { ok: false } = { ok: false, refusal: { code: 'not_found' } };

/** A domain, or whom the service account acts for, may be another customer's: the vendor goes by them alone. */
const wholeCustomerOnly: OperationOutcome & { ok: false } = {
  ok: false,
  refusal: {
    code: 'whole_customer_only',
    detail: 'This token is for one customer and watches it as a whole: leave out `domain` and `subject`',
  },
};

/** The customer a request concerns. To a token for one customer, any other customer looks like a missing one. */
function resolveCustomer(
  named: string | undefined,
  tenant: string | undefined,
): { ok: true; customer: string } | (OperationOutcome & { ok: false }) {
  if (tenant === undefined) return { ok: true, customer: named ?? OWN_CUSTOMER };
  return named === undefined || named === OWN_CUSTOMER || named === tenant ? { ok: true, customer: tenant } : unknown;
}

function toOutcome(answer: ChannelAnswer) {
  if (answer.ok) return { ok: true as const, body: answer.channel };
  const { reason: code, detail } = answer;
  return { ok: false as const, refusal: code === 'not_found' ? { code } : { code, detail } };
}

/** Does what a row of the table says. An object that cannot be asked now is no fault of ours. */
export async function runOperation(
  operation: OperationId,
  input: unknown,
  call: OperatorCall,
): Promise<OperationOutcome> {
  try {
    return await getOperationHandler(operation)(input, call);
  } catch (error) {
    if (!isPlatformFault(error)) throw error;
    return { ok: false, refusal: { code: 'unavailable' } };
  }
}

/** The handler of a row takes what the schema of the same row gives: the types of both say so, one by one. */
const getOperationHandler = (operation: OperationId) =>
  handlers[operation] as (input: unknown, call: OperatorCall) => Promise<OperationOutcome>;
