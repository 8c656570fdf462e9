import * as z from 'zod';
import { parseJson } from '../lib/json.ts';
import { decodeUtf8Text } from '../lib/utf8.ts';
import { readAtMost } from '../net/read-body.ts';

/** The API of the platform. */
export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4';
/** Longest answer that is read, in bytes: a list of 1,000 scripts has fewer. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const ANSWER_MS = 30_000;
/** So often a call is tried where the platform is busy or cannot be reached. */
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 500;
/** The longest that a Retry-After is obeyed, in milliseconds. */
const MAX_WAIT_MS = 20_000;
const MAX_PAGES = 50;
const PAGE_ROWS = 100;

/** Why the platform did not do what it was asked. `code` is its own. */
export type ApiFailure = {
  ok: false;
  kind: 'unreachable' | 'refused';
  call: string;
  /** That did not answer. */
  host?: string;
  status: number;
  code: number | undefined;
  message: string;
};
export type ApiAnswer<T> = { ok: true; result: T } | ApiFailure;

/** What proves who asks: a token, or the key of an account with its e-mail address. */
export type PlatformLogin = { token: string } | { key: string; email: string };

export type ApiPorts = {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  wait: (ms: number) => Promise<void>;
};

export type PlatformApi = {
  get: <T>(path: string, schema: z.ZodType<T>) => Promise<ApiAnswer<T>>;
  /** All pages of a list. */
  list: <T>(path: string, schema: z.ZodType<T>) => Promise<ApiAnswer<readonly T[]>>;
  send: <T>(method: 'POST' | 'PUT', path: string, body: unknown, schema: z.ZodType<T>) => Promise<ApiAnswer<T>>;
};

const envelope = z.looseObject({
  success: z.boolean(),
  result: z.unknown(),
  errors: z.array(z.looseObject({ code: z.number().optional(), message: z.string().optional() })).default([]),
  result_info: z.looseObject({ total_pages: z.number().optional() }).nullish(),
});
type Envelope = z.infer<typeof envelope>;

/** Calls of the platform's API. Redirects are refused: the login goes to no other address. */
export function createPlatformApi(base: string, login: PlatformLogin, ports: ApiPorts): PlatformApi {
  const headers: Record<string, string> =
    'token' in login
      ? { authorization: `Bearer ${login.token}` }
      : { 'x-auth-key': login.key, 'x-auth-email': login.email };
  const ask = async (method: string, path: string, body?: unknown): Promise<ApiAnswer<Envelope>> => {
    const init: RequestInit = {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return tryOften(() => askOnce(`${base}${path}`, `${method} ${path}`, init, ports), ports);
  };
  const parse = <T>(answer: ApiAnswer<Envelope>, call: string, schema: z.ZodType<T>): ApiAnswer<T> => {
    if (!answer.ok) return answer;
    const read = schema.safeParse(answer.result.result);
    return read.success ? { ok: true, result: read.data } : refuseAnswer(call, 200, 'the answer has another form');
  };
  return {
    get: async (path, schema) => parse(await ask('GET', path), `GET ${path}`, schema),
    send: async (method, path, body, schema) => parse(await ask(method, path, body), `${method} ${path}`, schema),
    list: async <T>(path: string, schema: z.ZodType<T>): Promise<ApiAnswer<readonly T[]>> => {
      const rows: T[] = [];
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const query = `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PAGE_ROWS}`;
        const answer = await ask('GET', query);
        const read = parse(answer, `GET ${path}`, z.array(schema));
        if (!read.ok) return read;
        rows.push(...read.result);
        const pages = answer.ok ? answer.result.result_info?.total_pages : undefined;
        if (page >= (pages ?? 1)) break;
      }
      return { ok: true, result: rows };
    },
  };
}

/** Whether a failure may pass by itself. */
const isPassing = (failure: ApiFailure): boolean =>
  failure.kind === 'unreachable' || failure.status === 429 || failure.status >= 500;

type Tried = { answer: ApiAnswer<Envelope>; retryAfterMs?: number | undefined };

async function tryOften(attempt: () => Promise<Tried>, { wait }: ApiPorts): Promise<ApiAnswer<Envelope>> {
  for (let tries = 1; ; tries += 1) {
    const { answer, retryAfterMs } = await attempt();
    if (answer.ok || !isPassing(answer) || tries >= MAX_TRIES) return answer;
    await wait(Math.min(retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS));
  }
}

async function askOnce(url: string, call: string, init: RequestInit, { fetch }: ApiPorts): Promise<Tried> {
  let status: number;
  let text: string;
  let retryAfter: number;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    ({ status } = response);
    retryAfter = Number(response.headers.get('retry-after') ?? 'none');
    const bytes = response.body === null ? undefined : await readAtMost(response.body, MAX_ANSWER_BYTES);
    text = bytes === undefined ? '' : (decodeUtf8Text(bytes) ?? '');
  } catch {
    const { host } = new URL(url);
    const message = 'no answer';
    return { answer: { ok: false, kind: 'unreachable', call, host, status: 0, code: undefined, message } };
  }
  const read = envelope.safeParse(parseJson(text));
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined;
  if (!read.success) return { answer: refuseAnswer(call, status, `HTTP ${status}`), retryAfterMs };
  if (read.data.success && status < 400) return { answer: { ok: true, result: read.data } };
  const [error] = read.data.errors;
  return {
    answer: { ...refuseAnswer(call, status, error?.message ?? `HTTP ${status}`), code: error?.code },
    retryAfterMs,
  };
}

const refuseAnswer = (call: string, status: number, message: string): ApiFailure => ({
  ok: false,
  kind: 'refused',
  call,
  status,
  code: undefined,
  message,
});
