/**
 * An official A2A client that buys, as a process of its own: `node a2a-buyer.ts ERA ORIGIN ACTION SKILL INPUT`, with the key of
 * its wallet in A2A_BUYER_KEY. `ERA` is 1.0, 0.3 (the compatibility layer of the same SDK) or 0.2 (the client of that time). It
 * reads the card of the origin where that client looks, and prints what it saw as JSON.
 */
import { x402Client } from '@x402/core/client';
import type { PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { A2AClient } from 'a2a-sdk-0.2/client';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const EXTENSION = 'https://github.com/google-a2a/a2a-x402/v0.1';
const REQUIRED = 'x402.payment.required';
const [, , era = '', origin = '', action = '', skill = '', input = '{}'] = process.argv;
const key = process.env['A2A_BUYER_KEY'] ?? '';

/** What was seen, in one form for all eras: states as 0.3 spells them. */
type Seen = { kind: string; id?: string; state?: string; text?: string; metadata?: unknown; data?: unknown };
type Loose = Readonly<Record<string, unknown>>;

/** Signs terms by the official x402 client, with the wallet of this process. */
async function sign(required: unknown): Promise<unknown> {
  const wallet = new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key as Hex)));
  return wallet.setSpendControls({ maxAmountPerPayment: '$20' }).createPaymentPayload(required as PaymentRequired);
}

/** One way to talk to the agent. */
type Speaker = {
  send: (message: { data?: unknown; text?: string; taskId?: string; metadata?: Loose }) => Promise<Seen>;
  stream: (message: { data?: unknown; taskId?: string; metadata?: Loose }) => Promise<Seen[]>;
  get: (id: string) => Promise<Seen>;
  cancel: (id: string) => Promise<Seen>;
};

const STATES = ['unspecified', 'submitted', 'working', 'completed', 'failed', 'canceled', 'input-required', 'rejected'];

/** The parts of the SDK's present form, as of the older one. */
const listParts = (parts: unknown): Loose[] =>
  (Array.isArray(parts) ? parts : []).map((part: Loose) => {
    const content = part['content'] as { $case: string; value: unknown } | undefined;
    return content === undefined ? part : { [content.$case]: content.value };
  });

function describe(value: unknown): Seen {
  const outer = value as { payload?: { $case: string; value: unknown } };
  if (outer.payload !== undefined) return { ...describe(outer.payload.value), kind: outer.payload.$case };
  const one = value as Loose;
  const status = one['status'] as { state: number | string; message?: Loose } | undefined;
  const message = status?.message ?? one;
  const artifact = (one['artifact'] ?? (one['artifacts'] as unknown[] | undefined)?.[0]) as Loose | undefined;
  const parts = listParts((artifact ?? message)['parts']);
  const words = listParts(message['parts']);
  return {
    kind: typeof one['kind'] === 'string' ? one['kind'] : status === undefined ? 'message' : 'task',
    ...(typeof one['id'] === 'string' ? { id: one['id'] } : {}),
    ...(status === undefined
      ? {}
      : { state: typeof status.state === 'number' ? (STATES[status.state] ?? '') : status.state }),
    text: words.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n'),
    metadata: message['metadata'] ?? {},
    data: parts.find(({ data }) => data !== undefined)?.['data'],
  };
}

async function speakCurrent(): Promise<Speaker> {
  const options =
    era === '1.0'
      ? ClientFactoryOptions.default
      : {
          transports: [new JsonRpcTransportFactory({ legacyCompat: { enabled: true } })],
          cardResolver: new DefaultAgentCardResolver({
            path: '.well-known/agent.json',
            legacyCompat: { enabled: true },
          }),
        };
  const client: Client = await new ClientFactory(options).createFromUrl(origin);
  const sent = { serviceParameters: ServiceParameters.create(withA2AExtensions(EXTENSION)) };
  const build = ({ data, text, taskId = '', metadata }: Parameters<Speaker['send']>[0]) => ({
    tenant: '',
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId,
      role: 1,
      parts: [
        {
          content:
            data === undefined
              ? { $case: 'text' as const, value: text ?? 'Here is the payment.' }
              : { $case: 'data' as const, value: data },
          metadata: {},
          filename: '',
          mediaType: '',
        },
      ],
      metadata: metadata ?? {},
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: {},
  });
  return {
    send: async (message) => describe(await client.sendMessage(build(message), sent)),
    stream: async (message) => {
      const seen: Seen[] = [];
      for await (const event of client.sendMessageStream(build(message), sent)) seen.push(describe(event));
      return seen;
    },
    get: async (id) => describe(await client.getTask({ tenant: '', id, historyLength: undefined }, sent)),
    cancel: async (id) => describe(await client.cancelTask({ tenant: '', id, metadata: {} }, sent)),
  };
}

/** This client knows no headers of extensions: the payment in the message says it. */
async function speakOld(): Promise<Speaker> {
  const client = new A2AClient(origin);
  await client.getAgentCard();
  const build = ({ data, text, taskId, metadata }: Parameters<Speaker['send']>[0]) => ({
    message: {
      kind: 'message' as const,
      messageId: crypto.randomUUID(),
      role: 'user' as const,
      parts: [
        data === undefined
          ? { kind: 'text' as const, text: text ?? 'Here is the payment.' }
          : { kind: 'data' as const, data: data as Record<string, unknown> },
      ],
      ...(taskId === undefined ? {} : { taskId }),
      metadata: { 'x402.payment.status': 'payment-required', ...metadata },
    },
  });
  const read = (answer: object): Seen => {
    if ('error' in answer) throw new Error(JSON.stringify(answer.error));
    return describe((answer as { result: unknown }).result);
  };
  return {
    send: async (message) => read(await client.sendMessage(build(message))),
    stream: async (message) => {
      const seen: Seen[] = [];
      for await (const event of client.sendMessageStream(build(message))) seen.push(describe(event));
      return seen;
    },
    get: async (id) => read(await client.getTask({ id })),
    cancel: async (id) => read(await client.cancelTask({ id })),
  };
}

const order = { skill, input: JSON.parse(input) as Loose };

/** The metadata of a message that pays by the terms of a task. */
const payFor = async ({ metadata }: Seen): Promise<Loose> => ({
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': await sign((metadata as Loose)[REQUIRED]),
});

const actions: Readonly<Record<string, (agent: Speaker) => Promise<unknown>>> = {
  ask: (agent) => agent.send(skill.startsWith('text:') ? { text: skill.slice('text:'.length) } : { data: order }),
  buy: async (agent) => {
    const quoted = await agent.send({ data: order });
    const paid = await agent.send({ taskId: quoted.id ?? '', metadata: await payFor(quoted) });
    return { quoted, paid, read: await agent.get(quoted.id ?? '') };
  },
  stream: async (agent) => {
    const [quoted] = await agent.stream({ data: order });
    if (quoted === undefined) throw new Error('an empty stream');
    const events = await agent.stream({ taskId: quoted.id ?? '', metadata: await payFor(quoted) });
    return { quoted, events, read: await agent.get(quoted.id ?? '') };
  },
  cancel: async (agent) => {
    const quoted = await agent.send({ data: order });
    const canceled = await agent.cancel(quoted.id ?? '');
    const late = await agent.send({ taskId: quoted.id ?? '', metadata: await payFor(quoted) }).catch(String);
    return { quoted, canceled, late };
  },
};

const act = actions[action];
if (act === undefined) throw new Error(`no action ${action}`);
const seen = await (era === '0.2' ? speakOld() : speakCurrent()).then(act).then(
  (answer) => ({ answer }),
  (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
);
console.log(JSON.stringify(seen));
