import * as oauth from 'oauth4webapi';
import type { Stack } from '../../../local/stack.ts';
import type { Browser, Page } from './browser.ts';
import { fromFreshCaller } from './caller.ts';
import type { Recorder } from './recorder.ts';
import { type Grant, register, type Started, start, type World } from './oauth.ts';

/** What attackers find: a running stack, somebody signed in, a client she trusts with its tokens, and another client. */
export type Scene = {
  stack: Stack;
  world: World;
  /** Of the victim; signed in. */
  browser: Browser;
  /** A client she trusts, with tokens that attacks may use but not end. */
  grant: Grant;
  /** A client of hers that asks again and again: a new consent ends the tokens of the one before. */
  client: oauth.Client;
  /** Registered by the attacker. */
  stranger: oauth.Client;
  /** Between the Worker and its facilitator. */
  upstream: Recorder;
  /** Every log line of the Worker. */
  logs: string[];
};

/**
 * One id of the attack list. What `attack` gives is compared with `refused` as a whole, so it says both how the service
 * answered and what did not change.
 */
export type Attack = {
  id: string;
  what: string;
  attack: (scene: Scene) => Promise<unknown>;
  refused: unknown;
};

/** How an authorization request was answered: by a page of ours, or by a redirect and with what. */
export type Answered =
  | { status: number; leads: 'nowhere' | 'sign-in' | 'consent' }
  | { leads: string; error: string | null; iss: string | null };

/** Opens an authorization request without following where it leads. */
export async function authorize({ browser }: Pick<Scene, 'browser'>, url: URL | string): Promise<Answered> {
  const answer = await browser.request(String(url));
  return answered(answer.status, answer.headers.get('location'), await answer.text());
}

/** The same for a page that a browser has ended up on. */
export const pageAnswered = (page: Page): Answered =>
  answered(page.status, page.status > 299 && page.status < 400 ? page.url : null, page.html);

function answered(status: number, location: string | null, html: string): Answered {
  if (location !== null && !location.startsWith('/')) {
    const to = new URL(location);
    return { leads: to.origin, error: to.searchParams.get('error'), iss: to.searchParams.get('iss') };
  }
  if (location !== null) return { status, leads: 'sign-in' };
  return { status, leads: html.includes('name="decision"') ? 'consent' : 'nowhere' };
}

/** A correct authorization request of her client, or of another, but for `changes`. */
export const request = (
  { world, client: own }: Scene,
  changes: Record<string, string | undefined> = {},
  client?: oauth.Client,
): Promise<Started> => start(world, client ?? own, changes);

/** Status and error of a token endpoint's answer. */
export async function tokenAnswer(answer: Response): Promise<{ status: number; error?: string }> {
  const body = (await answer.json()) as { error?: string };
  return { status: answer.status, ...(body.error === undefined ? {} : { error: body.error }) };
}

/** A form to the token endpoint as it stands. */
export const postToken = (
  { world }: Pick<Scene, 'world'>,
  form: Record<string, string> | [string, string][] | string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(world.as.token_endpoint ?? '', {
    method: 'POST',
    headers: { ...fromFreshCaller(), ...headers },
    body: new URLSearchParams(form),
  });

/** A free call of the protected endpoint, in revision 2026-07-28. */
export const callProtected = (
  { world }: Pick<Scene, 'world'>,
  token: string | undefined,
  {
    headers = {},
    url = world.resource,
    body = rpc('tools/list'),
  }: { headers?: Record<string, string>; url?: string; body?: string } = {},
): Promise<Response> => {
  const all = new Headers({ ...mcpHeaders('tools/list'), ...fromFreshCaller() });
  if (token !== undefined) all.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return fetch(url, { method: 'POST', headers: all, body });
};

/** Status of a free call, and the error of its challenge. */
export async function reach(
  scene: Pick<Scene, 'world'>,
  token: string | undefined,
  how: Parameters<typeof callProtected>[2] = {},
): Promise<{ status: number; error: string | null }> {
  const answer = await callProtected(scene, token, how);
  await answer.body?.cancel();
  return { status: answer.status, error: challengeOf(answer)?.['error'] ?? null };
}

/** Parameters of a Bearer challenge. */
export function challengeOf(answer: Response): Record<string, string> | undefined {
  const header = answer.headers.get('www-authenticate');
  if (header === null) return undefined;
  return Object.fromEntries(
    [...header.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const PROTOCOL = '2026-07-28';

/** A request of revision 2026-07-28 as text. */
export const rpc = (method: string, params: Record<string, unknown> = {}, id: number | string = 1): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': PROTOCOL,
        'io.modelcontextprotocol/clientInfo': { name: 'judge', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
        ...(params['_meta'] as object | undefined),
      },
    },
  });

/** The headers that go with it. */
export const mcpHeaders = (method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': PROTOCOL,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

/** Result or error of a JSON-RPC answer, whether it came as JSON or as a stream of one. */
export async function rpcAnswer(
  answer: Response,
): Promise<{ result?: Record<string, unknown>; error?: { code: number } }> {
  const text = await answer.text();
  const lines = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data:'));
  const messages = lines.map((line) => JSON.parse(line.replace(/^data:/, '')) as Record<string, unknown>);
  return messages.find((message) => 'result' in message || 'error' in message) ?? {};
}

/** A client of the attacker with redirect URIs of its own. */
export const strangerWith = ({ world }: Pick<Scene, 'world'>, ...redirect_uris: string[]): Promise<oauth.Client> =>
  register(world, { redirect_uris });
