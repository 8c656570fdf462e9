import { env, exports } from 'cloudflare:workers';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';

export const BASE = 'https://sightline.test';
export const RESOURCE = `${BASE}/mcp-account`;
/** A key that exists for these tests only. */
export const wallet = privateKeyToAccount(`0x${'d4'.repeat(32)}`);

let people = 0;

type Sent = { headers?: Record<string, string> };

/** A browser with cookies of its own, at an address of its own. */
export type Person = ReturnType<typeof person>;

type Serve = (request: Request) => Response | Promise<Response>;

/** @param serve the Worker of the test configuration when absent */
export function person(address?: string, serve: Serve = (request) => exports.default.fetch(request)) {
  people += 1;
  const from = address ?? `203.0.${Math.floor(people / 250)}.${people % 250}`;
  const cookies = new Map<string, string>();
  const send = async (
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'cf-connecting-ip': from, ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await serve(new Request(`${BASE}${path}`, { ...init, headers, redirect: 'manual' }));
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  };
  const get = (path: string, { headers = {} }: Sent = {}) => send(path, { headers });
  return {
    cookies,
    get,
    /** Posts a form as a browser does from a page of ours, which is `no-referrer`. */
    form: (path: string, fields: Record<string, string> | [string, string][], { headers = {} }: Sent = {}) => {
      const own = { 'content-type': FORM, 'sec-fetch-site': 'same-origin', origin: 'null' };
      const body = String(new URLSearchParams(fields));
      return send(path, { method: 'POST', body, headers: { ...own, ...headers } });
    },
    /** Posts a form with files. */
    upload: (path: string, form: FormData, { headers = {} }: Sent = {}) =>
      send(path, {
        method: 'POST',
        body: form,
        headers: { 'sec-fetch-site': 'same-origin', origin: 'null', ...headers },
      }),
    json: (path: string, body: unknown, { headers = {} }: Sent = {}) => {
      const own = { 'content-type': 'application/json' };
      return send(path, { method: 'POST', body: JSON.stringify(body), headers: { ...own, ...headers } });
    },
    /** The token that the forms of this browser's session carry. */
    csrf: async (): Promise<string> => field(await (await get('/signin')).text(), 'csrf'),
  };
}

const FORM = 'application/x-www-form-urlencoded';

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const [name = '', value = ''] = pair.split('=', 2);
  if (value === '' || /max-age=0(?:;|$)/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

/** A page with each run of white space as one blank. */
export const flat = (page: string): string => page.replaceAll(/\s+/g, ' ');

/** The value of a hidden field. */
export function field(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`no field ${name} in ${page.slice(0, 400)}`);
  return value;
}

type SignedIn = { ok: boolean; kind: string; account: string; address?: string; csrf: string };

export const nonceFor = async (browser: Person): Promise<string> =>
  ((await (await browser.json('/signin/siwe/nonce', {})).json()) as { nonce: string }).nonce;

/** The message that signs in now, with changes that a test wants. */
export const siweMessage = (nonce: string, changes: Record<string, unknown> = {}): string =>
  createSiweMessage({
    address: wallet.address,
    domain: 'sightline.test',
    uri: `${BASE}/signin`,
    version: '1',
    chainId: 8453,
    statement: 'Sign in to Sightline. This costs nothing and sends no transaction.',
    nonce,
    issuedAt: new Date(),
    ...changes,
  });

export async function signInPayer(browser: Person, account = wallet): Promise<SignedIn> {
  const message = siweMessage(await nonceFor(browser), { address: account.address });
  const answer = await browser.json('/signin/siwe', { message, signature: await account.signMessage({ message }) });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as SignedIn;
}

export async function signInOperator(browser: Person): Promise<SignedIn> {
  const answer = await browser.json('/signin/operator', { secret: env.OPERATOR_SECRET });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as SignedIn;
}

let registrations = 0;

/** The id of a newly registered public client. */
export async function registered(metadata: Record<string, unknown> = {}): Promise<string> {
  const body = JSON.stringify({
    client_name: 'Desk Agent',
    redirect_uris: ['https://app.example/callback'],
    token_endpoint_auth_method: 'none',
    ...metadata,
  });
  registrations += 1;
  const headers = {
    'content-type': 'application/json',
    'cf-connecting-ip': `198.51.${Math.floor(registrations / 250)}.${registrations % 250}`,
  };
  const answer = await exports.default.fetch(new Request(`${BASE}/oauth/register`, { method: 'POST', headers, body }));
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { client_id: string }).client_id;
}

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** The path of an authorization request; `undefined` leaves a parameter out. */
export function authorizePath(clientId: string, changes: Record<string, string | undefined> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'https://app.example/callback',
    scope: 'audit:run credits:use',
    state: 'state-1',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    resource: RESOURCE,
    ...changes,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/authorize?${new URLSearchParams(given)}`;
}

/** What a consent page's form would send: every scope ticked, unless changed. */
export function consentForm(page: string, decision: 'allow' | 'deny', changes: Record<string, string> = {}) {
  const scopes = [...page.matchAll(/name="scope" value="([^"]*)"/g)].map((match): [string, string] => [
    'scope',
    match[1] ?? '',
  ]);
  const cap = /name="cap_usd"[^>]* value="([^"]*)"/.exec(page)?.[1];
  const fields = new Map<string, string>([
    ['csrf', field(page, 'csrf')],
    ['handle', field(page, 'handle')],
    ...(cap === undefined ? [] : [['cap_usd', cap] as const]),
    ['decision', decision],
    ...Object.entries(changes),
  ]);
  return 'scope' in changes ? [...fields] : [...fields, ...scopes];
}

export const locationOf = (answer: Response): URL => new URL(answer.headers.get('location') ?? '', BASE);
