import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../../routes/api/app.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { envelope, MODERN } from './mcp/world.ts';

const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });

export type Call = { path?: string; method?: string; headers?: Record<string, string>; body?: unknown };

/** The bucket of the tests, with limits in it as the control Worker handed them over. */
export const storeOf = (read: () => Promise<ServiceLimits | undefined>): R2Bucket =>
  new Proxy(env.REPORTS, {
    get: (bucket, member) => {
      const value: unknown = Reflect.get(bucket, member);
      if (member !== 'get') return typeof value === 'function' ? value.bind(bucket) : value;
      return async (key: string) => {
        if (key !== 'settings/limits.json') return bucket.get(key);
        const limits = await read();
        return limits === undefined ? null : { text: async () => JSON.stringify(limits), json: async () => limits };
      };
    },
  });

/** The app beside a control Worker whose operator chose `limits`, known before the first request of a test. */
export async function deployed(limits: ServiceLimits | Error, changes: Record<string, unknown> = {}) {
  const chosen = { limits, reads: 0 };
  const REPORTS = storeOf(async () => {
    chosen.reads += 1;
    if (chosen.limits instanceof Error) throw chosen.limits;
    return chosen.limits;
  });
  const bindings = { ...env, REPORTS, TELEMETRY: 'control', TELEMETRY_QUEUE: undefined, ...changes };
  const call = async (caller: string, sent: Call = {}) => {
    const context = createExecutionContext();
    const answer = await app.fetch(requestOf(caller, sent), bindings, context);
    await waitOnExecutionContext(context);
    if (answer.status === 500) throw new Error(`A bug: ${await answer.text()}`);
    return answer;
  };
  await call('192.0.2.1');
  return { call, chosen };
}

function requestOf(caller: string, { path = '/llms.txt', method = 'GET', headers = {}, body }: Call): Request {
  return new Request(`${env.BASE_URL}${path}`, {
    method,
    headers: { 'cf-connecting-ip': caller, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** One request that is answered before what is left behind it is done. */
export const answeredAtOnce = (caller: string, bindings: Record<string, unknown>): Promise<Response> =>
  Promise.resolve(app.fetch(requestOf(caller, {}), bindings, createExecutionContext()));

type Deployed = Awaited<ReturnType<typeof deployed>>;

/** The statuses of as many answers, one after the other. */
export async function statuses({ call }: Deployed, caller: string, times: number, sent: Call = {}): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await call(caller, sent)).status);
  return found;
}

export const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

/** What an answer says of our limits. */
export const told = ({ headers }: Response): (string | null)[] => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];

/** A request of MCP revision 2026-07-28. */
export const tools = (method: string, params: Record<string, unknown> = {}): Call => ({
  path: '/mcp',
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  },
  body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
});
export const INDEX = tools('tools/call', { name: 'index', arguments: {} });
