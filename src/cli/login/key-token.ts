import { parseJson } from '../../lib/json.ts';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import * as z from 'zod';
import { JWT_BEARER } from '../../authorization/oauth/resources.ts';
import { parseServiceAccountKey, signServiceAssertion } from '../../lib/service-account.ts';
import { isLoopback, request, type ServiceRefusal } from '../buy/service.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** The largest key file of any vendor is a tenth of it. */
export const MAX_KEY_FILE_BYTES = 64 * 1024;

const tokenSchema = z.looseObject({ access_token: z.string().regex(/^[\x21-\x7E]{1,4096}$/), token_type: z.string() });
const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() });

export type KeyTokenRefusal =
  | ServiceRefusal
  | { ok: false; reason: 'key_file_unreadable' | 'token_uri_refused' | 'token_refused'; detail: string };
export type KeyToken = { ok: true; accessToken: string; answer: Record<string, unknown> } | KeyTokenRefusal;

export type KeyTokenOrder = {
  /** The key file's text. */
  keyFile: string;
  /** What the token is for (RFC 8707); the account's own default when absent. */
  resource?: string | undefined;
  /** Scopes, by spaces; all that the account has when absent. */
  scope?: string | undefined;
};

/**
 * Gets an access token for a service account: signs an assertion with the file's key (RFC 7523, RS256) and sends it to
 * the file's `token_uri`, by https or to this machine. The key goes nowhere, and no text of an outcome holds it.
 */
export async function requestTokenByKey(order: KeyTokenOrder, fetcher: typeof fetch, nowMs: number): Promise<KeyToken> {
  const file = parseServiceAccountKey(order.keyFile);
  if (!file.ok) {
    const where = file.field === '' ? '' : `: see ${file.field}`;
    return refuse('key_file_unreadable', `this is no service-account key file${where}`);
  }
  const url = new URL(file.key.token_uri);
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain || url.username !== '' || url.password !== '' || url.hash !== '')
    return refuse('token_uri_refused', 'token_uri must be https, or http on this machine, without credentials');
  const assertion = await signServiceAssertion(file.key, { nowS: Math.floor(nowMs / 1000), jti: randomUUID() });
  if (assertion === undefined) return refuse('key_file_unreadable', 'private_key is no RSA key in PKCS #8');
  return askForToken(url, order, assertion, fetcher);
}

async function askForToken(
  url: URL,
  { resource, scope }: KeyTokenOrder,
  assertion: string,
  fetcher: typeof fetch,
): Promise<KeyToken> {
  const body = new URLSearchParams({
    grant_type: JWT_BEARER,
    assertion,
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
  });
  const asking = new Request(url, { method: 'POST', body, headers: { accept: 'application/json' } });
  const answer = await request(url.origin, asking, fetcher);
  if (!answer.ok) return answer;
  const json = parseJson(answer.text);
  const token = tokenSchema.safeParse(json);
  if (answer.status === 200 && token.success)
    return { ok: true, accessToken: token.data.access_token, answer: token.data };
  const parsed = errorSchema.safeParse(json);
  const why = parsed.success
    ? `${parsed.data.error}: ${parsed.data.error_description ?? ''}`
    : 'no answer of a token endpoint';
  return refuse('token_refused', `${url.origin} answers ${answer.status} (${why})`);
}

const refuse = (
  reason: 'key_file_unreadable' | 'token_uri_refused' | 'token_refused',
  detail: string,
): KeyTokenRefusal => ({ ok: false, reason, detail });

/** Permissions of a file for anyone but its owner. */
const OTHERS = 0o077;

/**
 * The text of a service account's key file; a warning goes to stderr where others may read it.
 * @returns why it cannot be read, as a line for a terminal, where `ok` is false
 */
export async function readKeyFile(path: string): Promise<{ ok: true; text: string } | { ok: false; detail: string }> {
  try {
    await using file = await open(path, 'r');
    const { mode, size } = await file.stat();
    if (size > MAX_KEY_FILE_BYTES)
      return { ok: false, detail: `${formatSafeLine(path)} is larger than a key file can be.` };
    const text = await file.readFile('utf8');
    if ((mode & OTHERS) !== 0) warn(path);
    return { ok: true, text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { ok: false, detail: `${formatSafeLine(path)} cannot be read (${code}).` };
  }
}

const warn = (path: string): boolean =>
  process.stderr.write(
    `warning: others on this machine may read ${formatSafeLine(path)}; chmod 600 makes it yours alone.\n`,
  );
