import { parseBaseUrl } from '../buy/service.ts';
import { WALLET_KEY_VARIABLE } from '../buy/wallet.ts';

export const TOKEN_VARIABLE = 'SIGHTLINE_TOKEN';
export const BASE_VARIABLE = 'SIGHTLINE_BASE_URL';
const CALL_CAP_VARIABLE = 'SIGHTLINE_MAX_USD_PER_CALL';
const DAY_CAP_VARIABLE = 'SIGHTLINE_MAX_USD_PER_DAY';
const DEFAULT_CAPS = { perCall: 1, perDay: 5 };

/** Printable ASCII without spaces: what a Bearer token may hold. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const AMOUNT = /^\d{1,6}(\.\d{1,6})?$/;

/** Limits of the wallet in USD. Set before the server starts; no call can raise them. */
export type Caps = { perCall: number; perDay: number };

/** Who pays for `sightline mcp`, and at which service. The wallet's key is read by `chooseWallet` alone. */
export type McpCredentials =
  | { ok: true; by: 'token'; origin: string; token: string }
  | { ok: true; by: 'wallet'; origin: string; caps: Caps }
  | { ok: true; by: 'none'; origin: string | undefined };

/**
 * The credentials of the environment, and nothing else: tokens of `sightline login` belong to the person at the terminal,
 * not to whatever program started this one. A token goes before a wallet. Details never repeat a value.
 */
export function chooseCredentials(
  environment: Readonly<Record<string, string | undefined>>,
  baseOption: string | undefined,
): McpCredentials | { ok: false; detail: string } {
  const given = baseOption ?? ignoreEmpty(environment[BASE_VARIABLE]);
  const base = given === undefined ? undefined : parseBaseUrl(given);
  if (base?.ok === false) return { ok: false, detail: `${base.reason}: ${base.detail}` };
  const token = ignoreEmpty(environment[TOKEN_VARIABLE]);
  const wallet = ignoreEmpty(environment[WALLET_KEY_VARIABLE]);
  if (token === undefined && wallet === undefined) return { ok: true, by: 'none', origin: base?.origin };
  if (base === undefined) {
    const name = token === undefined ? WALLET_KEY_VARIABLE : TOKEN_VARIABLE;
    return refuse(`${name} is for one service: name it with --base <url> or ${BASE_VARIABLE}.`);
  }
  if (token !== undefined)
    return TOKEN.test(token)
      ? { ok: true, by: 'token', origin: base.origin, token }
      : refuse(`${TOKEN_VARIABLE} is not a token.`);
  const caps = readCaps(environment);
  return typeof caps === 'string' ? refuse(caps) : { ok: true, by: 'wallet', origin: base.origin, caps };
}

const refuse = (detail: string) => ({ ok: false, detail }) as const;

const ignoreEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

function readCaps(environment: Readonly<Record<string, string | undefined>>): Caps | string {
  const perCall = parseAmount(environment[CALL_CAP_VARIABLE], DEFAULT_CAPS.perCall);
  const perDay = parseAmount(environment[DAY_CAP_VARIABLE], DEFAULT_CAPS.perDay);
  if (perCall === undefined) return `${CALL_CAP_VARIABLE} takes an amount in USD, such as 0.50.`;
  if (perDay === undefined) return `${DAY_CAP_VARIABLE} takes an amount in USD, such as 5.`;
  return { perCall, perDay };
}

/** undefined for what is no amount above zero: a limit that cannot be read must not be none. */
function parseAmount(text: string | undefined, otherwise: number): number | undefined {
  if (text === undefined || text === '') return otherwise;
  return AMOUNT.test(text) && Number(text) > 0 ? Number(text) : undefined;
}
