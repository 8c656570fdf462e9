import { env } from 'cloudflare:workers';
import type { Hono } from 'hono';
import type { ConsoleAccessPort, ConsoleSignInOrder } from '../../../../src/console-api/access.ts';
import { createControlApp } from '../../../../routes/control/app.ts';
import type { ControlAppEnv } from '../../../../routes/control/call-context.ts';
import type { ControlEnv } from '../../../../routes/control/bindings/env.ts';
import type { ConsoleSession } from '../../../../src/authorization/operators/console-sessions.ts';
import { computeSha256Hex } from '../../../../src/lib/digest.ts';
import { localChats } from '../../../../src/models/registry-local.ts';
import { contextOfTest } from '../../../support/workers/behind-answers.ts';
import { CONTROL_URL } from '../../../support/workers/control-tokens.ts';

export const SECRET = 'the-secret-of-the-operator';
export const OPERATOR = { id: 'b'.repeat(32), name: 'Ada' };
/** The operator's tenant of the `control` project, and the project that tests of the console give it. */
export const TENANT = 'C0000live';
export const PROJECT = 'console-ops';
export const COOKIE = '__Secure-sightline-console';
const FORM_COOKIE = `${COOKIE}-form`;
const MINUTE_MS = 60_000;

/** What a test decides about the api Worker, and what it was asked. */
export type FakeAccess = ConsoleAccessPort & {
  sessions: Map<string, ConsoleSession>;
  asked: ConsoleSignInOrder[];
};

/** An api Worker that knows one secret, and keeps sessions as the real one does. */
export function fakeAccess(changes: Partial<ConsoleAccessPort> = {}): FakeAccess {
  const sessions = new Map<string, ConsoleSession>();
  const asked: ConsoleSignInOrder[] = [];
  return {
    sessions,
    asked,
    hasOperators: async () => true,
    signIn: async (order) => {
      asked.push(order);
      if (order.secret !== SECRET) return { ok: false, reason: 'wrong_secret' };
      const session = sessionOf(0);
      sessions.delete(order.previous);
      sessions.set(order.renewed, session);
      return { ok: true, session };
    },
    session: async (hash) => sessions.get(hash) ?? null,
    signOut: async (hash) => void sessions.delete(hash),
    usage: async () => ({}),
    ...changes,
  };
}

/** A session of somebody who signed in so many minutes ago. */
export const sessionOf = (ageMinutes: number, operator = OPERATOR): ConsoleSession => {
  const signedInAtMs = Date.now() - ageMinutes * MINUTE_MS;
  return { operator, signedInAtMs, expiresAtMs: signedInAtMs + 8 * 60 * MINUTE_MS };
};

export type ConsoleWorldParts = {
  access?: FakeAccess;
  /** Variables and bindings besides those of the project. */
  bindings?: Record<string, unknown>;
  /** Another app than the control Worker's. */
  app?: Hono<ControlAppEnv>;
  /** Where the browser is, for the limit of an address; one that no other test has where none is given. */
  address?: string;
};

/** Tests share one isolate and its counters: two of them have the same address of these 65,536 once in a long while. */
function createAddress(): string {
  const [third, fourth] = crypto.getRandomValues(new Uint8Array(2));
  return `198.18.${third}.${fourth}`;
}

/** A browser in front of the console of the control Worker, with a fake of the api Worker behind it. */
export function consoleWorld({
  access = fakeAccess(),
  bindings = {},
  app,
  address = createAddress(),
}: ConsoleWorldParts = {}) {
  const served = app ?? createControlApp({ chats: localChats });
  const bound = { ...env, OPERATOR_PROJECT: PROJECT, CONSOLE_ACCESS: access, ...bindings } as unknown as ControlEnv;
  const cookies = new Map<string, string>();
  const send = async (path: string, { origin = CONTROL_URL, ...init }: RequestInit & { origin?: string } = {}) => {
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', address);
    if (cookie !== '' && !headers.has('cookie')) headers.set('cookie', cookie);
    const request = new Request(new URL(path, origin), { ...init, headers, redirect: 'manual' });
    const answer = await served.fetch(request, bound, contextOfTest);
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  };
  const get = (path: string, init: RequestInit & { origin?: string } = {}) => send(path, init);
  /** Posts a form as a browser does from a page of the console. */
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const own = { 'content-type': FORM, 'sec-fetch-site': 'same-origin', origin: 'null' };
    return send(path, { method: 'POST', body: String(new URLSearchParams(fields)), headers: { ...own, ...headers } });
  };
  return {
    access,
    bound,
    cookies,
    get,
    form,
    send,
    /** The token of the forms of the page at this path. */
    csrf: async (path = '/console/'): Promise<string> => fieldIn(await (await get(path)).text(), 'csrf'),
    /** Signs in by the form, as a person does. */
    signIn: async (fields: Record<string, string> = {}): Promise<Response> => {
      const csrf = fieldIn(await (await get('/console/signin')).text(), 'csrf');
      return form('/console/signin', { csrf, secret: SECRET, return_to: '/console/', ...fields });
    },
    /** Has the session of this browser be so old. */
    age: async (minutes: number): Promise<void> => {
      access.sessions.set(await computeSha256Hex(cookies.get(COOKIE) ?? ''), sessionOf(minutes));
    },
    formCookie: () => cookies.get(FORM_COOKIE),
  };
}

const FORM = 'application/x-www-form-urlencoded';

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const [name = '', value = ''] = pair.split('=', 2);
  if (value === '' || /max-age=0(?:;|$)/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

/** The value of a hidden field. */
export function fieldIn(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`no field ${name} in ${page.slice(0, 600)}`);
  return value;
}

/** A line of the overview as a person reads it: its title, figure, state and note. The navigation has such titles too. */
export function signalIn(page: string, title: string): string {
  const lines = Array.from(page.matchAll(/<li>((?:<a href="[^"]*">|<span>).*?)<\/li>/gs), ([, line = '']) => line);
  const found = lines.findLast((line) => line.includes(`>${title}</a>`) || line.startsWith(`<span>${title}</span>`));
  if (found === undefined) throw new Error(`the overview has no line ${title}`);
  return found
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
