import { join } from 'node:path';
import { normaliseResource } from '../../authorization/oauth/resources.ts';
import { EXIT } from '../core/usage.ts';
import { type KeyTokenRefusal, readKeyFile, requestTokenByKey } from '../login/key-token.ts';
import { formatSafeLine } from '../core/safe-text.ts';
import { parseBaseUrl } from '../buy/service.ts';
import { readStack, type StackFile } from '../buy/wallet.ts';

/** Environment variables with the webhook Worker's URL and with an access token for it. */
const URL_VARIABLE = 'SIGHTLINE_WEBHOOK_URL';
const TOKEN_VARIABLE = 'SIGHTLINE_TOKEN';
const STACK_FILE = join('.local', 'stack.json');
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
