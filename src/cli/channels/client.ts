import { parseJson } from '../../lib/json.ts';
import * as z from 'zod';
import { normaliseResource } from '../../authorization/oauth/resources.ts';
import { EXIT } from '../core/usage.ts';
import { type KeyTokenRefusal, readKeyFile, requestTokenByKey } from '../login/key-token.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { parseBaseUrl, type ServiceAnswer, readServiceProblem, request } from '../buy/service.ts';
import { readStack, STACK_FILE, type StackFile } from '../buy/wallet.ts';

/** Environment variables with the webhook Worker's URL and with an access token for it. */
const URL_VARIABLE = 'SIGHTLINE_WEBHOOK_URL';
const TOKEN_VARIABLE = 'SIGHTLINE_TOKEN';
/** No token of ours is longer, and a header holds no other characters. */
const TOKEN = /^[\x21-\x7E]{1,4096}$/;

export type ChannelsScope = 'channels:read' | 'channels:write';

/** The webhook Worker that is asked, and a token for it. */
export type Access = { ok: true; origin: string; token: string };
/** `detail`: lines for a terminal. */
export type AccessRefusal = { ok: false; exitStatus: number; detail: string };

export type AccessOrder = { base: string | undefined; key: string | undefined; scope: ChannelsScope };

/**
 * Finds the webhook Worker (`base`, SIGHTLINE_WEBHOOK_URL, the local stack) and a token for it: by the key file that is
 * named, for the local stack by its own key file, else from SIGHTLINE_TOKEN. Neither of the last two goes to the other.
 * The stack is what a file of the current folder says, no matter who wrote it: it counts on this machine only.
 */
export async function openChannelsAccess(
  { base, key, scope }: AccessOrder,
  environment: Readonly<Record<string, string | undefined>>,
  fetcher: typeof fetch,
): Promise<Access | AccessRefusal> {
  const local = await readStack(STACK_FILE);
  const stack = local.ok ? findStackWebhook(local.stack) : undefined;
  const named = base ?? environment[URL_VARIABLE] ?? stack?.origin;
  if (named === undefined)
    return refuse(EXIT.usage, `Name the webhook Worker with --base <url> or ${URL_VARIABLE}, or run npm start.`);
  const read = parseBaseUrl(named);
  if (!read.ok) return refuse(EXIT.usage, formatSafeLine(`${read.reason}: ${read.detail}`));
  const { origin } = read;
  const isStack = stack?.origin === origin;
  const keyFile = key ?? (isStack ? stack.keyFile : undefined);
  if (keyFile !== undefined) return requestToken(origin, keyFile, scope, fetcher);
  if (isStack) return refuse(EXIT.usage, `Give a token for ${origin}: --key <key file of a service account>.`);
  const given = environment[TOKEN_VARIABLE] ?? '';
  if (given === '')
    return refuse(
      EXIT.usage,
      `Give a token for ${origin}: --key <key file of a service account>, or ${TOKEN_VARIABLE}.`,
    );
  return TOKEN.test(given)
    ? { ok: true, origin, token: given }
    : refuse(EXIT.usage, `${TOKEN_VARIABLE} holds no token.`);
}

/** The webhook Worker of the local stack, with the key file that is for it alone; undefined where it names another machine. */
function findStackWebhook({
  webhook,
  operator,
}: StackFile): { origin: string; keyFile: string | undefined } | undefined {
  const read = webhook === undefined ? undefined : parseBaseUrl(webhook);
  return read?.ok === true && read.loopback ? { origin: read.origin, keyFile: operator?.keyFile } : undefined;
}

async function requestToken(
  origin: string,
  keyFile: string,
  scope: ChannelsScope,
  fetcher: typeof fetch,
): Promise<Access | AccessRefusal> {
  const file = await readKeyFile(keyFile);
  if (!file.ok) return refuse(EXIT.usage, file.detail);
  const order = { keyFile: file.text, resource: normaliseResource(origin), scope };
  const token = await requestTokenByKey(order, fetcher, Date.now());
  if (token.ok) return { ok: true, origin, token: token.accessToken };
  const hint = token.reason === 'token_refused' ? `\nThe service account needs the scope ${scope}.` : '';
  return refuse(getRefusalStatus(token), `${token.reason}: ${formatSafeLine(token.detail)}${hint}`);
}

function getRefusalStatus({ reason }: KeyTokenRefusal): number {
  if (reason === 'service_unreachable') return EXIT.unreachable;
  return reason === 'token_refused' || reason === 'redirected' ? EXIT.below : EXIT.usage;
}

const refuse = (exitStatus: number, detail: string): AccessRefusal => ({ ok: false, exitStatus, detail });

/** Most problems of one body or query that are reported. */
const MAX_ERRORS = 10;

/** One call of the operator's interface. Parameters that are undefined are left out. */
export type OperatorCall =
  | { method: 'GET'; path: string; query: Readonly<Record<string, string | undefined>> }
  | { method: 'POST'; path: string; body: Readonly<Record<string, string | number | undefined>> };

/** `detail`: lines for a terminal that say what was refused and what to do. */
export type OperatorCallResult = { ok: true; body: unknown } | { ok: false; exitStatus: number; detail: string };

/** What to do about a refusal, by the `code` of its problem. */
const hints: Readonly<Record<string, string>> = {
  invalid_token: 'A token is good for one resource: give --key <key file>, or a token for this URL.',
  insufficient_scope: 'Grant the service account channels:read, and channels:write for what changes anything.',
  not_found: 'There is no such channel or customer for this token, or this URL is not that of the webhook Worker.',
  already_watched: 'See it with sightline channels list; stop it first to watch it in another way.',
  limit_reached: 'Stop a channel that you do not need.',
  watch_refused: 'Nothing is watched. Check --customer, --domain and --subject.',
  whole_customer_only: 'Leave out --domain and --subject, or use a token without a tenant.',
  rate_limited: 'Wait a minute.',
  not_open: 'It has ended; sightline channels create opens another.',
  authorization_unavailable: 'Try again in a moment.',
  unavailable: 'Try again in a moment.',
};

/** Asks the webhook Worker once. Nothing is repeated: what did not go through is said. */
export async function askChannels(
  { origin, token }: Access,
  ask: OperatorCall,
  fetcher: typeof fetch,
): Promise<OperatorCallResult> {
  const answer = await request(origin, buildCallRequest(origin, token, ask), fetcher);
  if (!answer.ok) {
    const exitStatus = answer.reason === 'service_unreachable' ? EXIT.unreachable : EXIT.below;
    return { ok: false, exitStatus, detail: formatSafeLine(`${answer.reason}: ${answer.detail}`) };
  }
  if (answer.status !== 200 && answer.status !== 201) return refuseCall(answer);
  const body = parseJson(answer.text);
  return body === undefined ? refuseUnreadable(origin) : { ok: true, body };
}

/** An answer that is not as documented. */
export const refuseUnreadable = (origin: string): OperatorCallResult & { ok: false } => ({
  ok: false,
  exitStatus: EXIT.below,
  detail: `${origin} does not answer like a webhook Worker: check --base.`,
});

function buildCallRequest(origin: string, token: string, ask: OperatorCall): Request {
  const url = new URL(ask.path, origin);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  if (ask.method === 'GET') {
    for (const [name, value] of Object.entries(ask.query)) if (value !== undefined) url.searchParams.set(name, value);
    return new Request(url, { headers });
  }
  const body = JSON.stringify(ask.body); // Leaves out what is undefined.
  return new Request(url, { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } });
}

const errorsSchema = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })) });

function refuseCall(answer: ServiceAnswer): OperatorCallResult {
  const { code, detail } = readServiceProblem(answer);
  const parsed = errorsSchema.safeParse(parseJson(answer.text));
  const errors = parsed.success ? parsed.data.errors.slice(0, MAX_ERRORS) : [];
  const hint = Object.hasOwn(hints, code) ? hints[code] : undefined;
  const lines = [
    formatSafeLine(`${code}: ${detail}`),
    ...errors.map(
      ({ pointer, message }) => `  ${formatSafeLine(pointer.slice(1) || 'all of it')}: ${formatSafeLine(message)}`,
    ),
    ...(hint === undefined ? [] : [hint]),
  ];
  return { ok: false, exitStatus: answer.status >= 500 ? EXIT.unreachable : EXIT.below, detail: lines.join('\n') };
}
