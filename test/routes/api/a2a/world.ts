import { env, exports } from 'cloudflare:workers';
import * as z from 'zod';

export const EXTENSION = 'https://github.com/google-a2a/a2a-x402/v0.1';

const status = z.looseObject({
  state: z.string(),
  message: z.looseObject({
    parts: z.array(z.looseObject({ text: z.string().optional(), data: z.unknown().optional() })),
    metadata: z.record(z.string(), z.unknown()).default({}),
  }),
});
const task = z.looseObject({
  id: z.string(),
  contextId: z.string(),
  status,
  artifacts: z.array(z.looseObject({ parts: z.array(z.looseObject({ data: z.unknown().optional() })) })).optional(),
});
const rpc = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Task = z.infer<typeof task>;
export type Rpc = z.infer<typeof rpc>;

let callers = 0;

export type Sent = { headers?: Record<string, string>; text?: string };

/** One HTTP request to the endpoint, from a caller of its own unless the headers say otherwise. */
export function send(body: unknown, { headers = {}, text }: Sent = {}): Promise<Response> {
  callers += 1;
  return exports.default.fetch(
    new Request(`${env.BASE_URL}/a2a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': `203.1.${Math.floor(callers / 250)}.${callers % 250}`,
        'a2a-version': '1.0',
        'a2a-extensions': EXTENSION,
        ...headers,
      },
      body: text ?? JSON.stringify(body),
    }),
  );
}

/** The answer to one call. */
export const call = async (method: string, params: unknown, sent: Sent = {}): Promise<Rpc> =>
  rpc.parse(await (await send({ jsonrpc: '2.0', id: 7, method, params }, sent)).json());

export type Said = { data?: unknown; text?: string; taskId?: string; contextId?: string; metadata?: object };

/** Params of `SendMessage`. */
export const say = ({ data, text = '', ...message }: Said, configuration: object = {}) => ({
  message: {
    messageId: 'm',
    role: 'ROLE_USER',
    parts: [data === undefined ? { text } : { data }],
    ...message,
  },
  configuration,
});

/** A task that must come back. */
export const taskOf = ({ result }: Rpc): Task => task.parse(result?.['task'] ?? result);

export const order = (skill = 'check_health', url = 'https://shop.example/') => ({ skill, input: { url } });

/** Asks for a skill and gets its price. */
export const quote = async (data: unknown = order(), sent: Sent = {}): Promise<Task> =>
  taskOf(await call('SendMessage', say({ data }), sent));

/** Sends a payment for a task. */
export const pay = (taskId: string, payload: unknown, configuration: object = {}): Promise<Rpc> =>
  call('SendMessage', say({ taskId, text: 'Paid.', metadata: { 'x402.payment.payload': payload } }, configuration));

/** The results of a stream, in their order. */
export async function eventsOf(answer: Response): Promise<readonly Record<string, unknown>[]> {
  const text = await answer.text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map(
      (line) => z.looseObject({ result: z.record(z.string(), z.unknown()) }).parse(JSON.parse(line.slice(6))).result,
    );
}
