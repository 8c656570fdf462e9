import { getMonitorsResource, MONITORS_PATH } from '../../authorization/oauth/resources.ts';
import { parseJson } from '../../lib/json.ts';
import { parseBaseUrl, readServiceProblem, request } from '../buy/service.ts';
import { readStack, STACK_FILE } from '../buy/wallet.ts';
import { type CommandFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { renewToken } from '../login/command.ts';
import { createLoginNet } from '../login/net.ts';
import { getTokenFile } from '../login/token-store.ts';
import type { MonitorCallOrder } from './calls.ts';

/** Printable ASCII without spaces: what an Authorization header holds. */
const TOKEN = /^[\x21-\x7E]{1,4096}$/;

/** The service that is asked, and a token for its monitors. */
export type MonitorAccess = { origin: string; token: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the service (`base`, SIGHTLINE_BASE_URL, the local stack) and a token: the given one, SIGHTLINE_TOKEN, or that of
 * `sightline login --monitors`, renewed where it is about to end.
 */
export async function openMonitorAccess(
  given: { base: string | undefined; token: string | undefined },
  environment: Environment,
): Promise<MonitorAccess | CommandFailure> {
  const named = given.base ?? environment['SIGHTLINE_BASE_URL'] ?? (await findStackOrigin());
  if (named === undefined)
    return refuseUsage(
      'Name the service with --base <url> or SIGHTLINE_BASE_URL; npm start in a checkout runs one here.',
    );
  const read = parseBaseUrl(named);
  if (!read.ok) return { ...refuseUsage(formatSafeLine(read.detail)), reason: read.reason };
  const { origin, loopback } = read;
  const token = given.token ?? environment['SIGHTLINE_TOKEN'];
  if (token !== undefined)
    return TOKEN.test(token)
      ? { origin, token }
      : refuseUsage('The token is empty, or has characters that no token has.');
  const tools = { net: createLoginNet(loopback), file: getTokenFile(environment), nowMs: Date.now };
  const kept = await renewToken(getMonitorsResource(origin), tools);
  if (kept.ok) return { origin, token: kept.accessToken };
  const exit = kept.reason === 'unreachable' ? EXIT.unreachable : EXIT.below;
  const next = `Run sightline login --monitors --base ${origin}, or give the token of one monitor in SIGHTLINE_TOKEN.`;
  return refuseCommand(kept.reason, `${kept.reason}: ${kept.detail}`, exit, next);
}

async function findStackOrigin(): Promise<string | undefined> {
  const stack = await readStack(STACK_FILE);
  return stack.ok ? stack.stack.api : undefined;
}

/** What to do about a refusal, by the `code` of its problem. */
const HINTS: Readonly<Record<string, string>> = {
  token_required: 'Run sightline login --monitors, or give the token of this monitor.',
  insufficient_scope: 'Run sightline login --monitors again, and allow the command to spend credits.',
  monitor_not_found: 'See sightline monitor list.',
  limit_reached: 'Delete a monitor that you do not need.',
  engine_not_configured: 'This service measures no brands; watch a site.',
};

/** A call that changes something ended without an answer of the service to it: it may have been carried out. */
const UNKNOWN_END = 'It may have been done all the same: see sightline monitor list before you run it again.';

/** Asks the interface once; undefined for an answer without a body. Nothing is repeated: what did not go through is said. */
export async function askMonitors(
  { origin, token }: MonitorAccess,
  order: MonitorCallOrder,
  key: string,
  fetcher: typeof fetch,
): Promise<{ ok: true; body: unknown } | CommandFailure> {
  const answer = await request(origin, buildMonitorRequest(origin, token, order, key), fetcher);
  const unknownEnd = order.method === 'GET' ? undefined : UNKNOWN_END;
  if (!answer.ok) {
    const exit = answer.reason === 'service_unreachable' ? EXIT.unreachable : EXIT.below;
    return refuseCommand(answer.reason, `${answer.reason}: ${answer.detail}`, exit, unknownEnd);
  }
  if (answer.status === 204) return { ok: true, body: undefined };
  const body = parseJson(answer.text);
  if (answer.status < 300 && body !== undefined) return { ok: true, body };
  const { code, detail } = readServiceProblem(answer);
  const [exit, otherwise] = answer.status >= 500 ? [EXIT.unreachable, unknownEnd] : [EXIT.below, undefined];
  return refuseCommand(code, `${code}: ${detail}`, exit, Object.hasOwn(HINTS, code) ? HINTS[code] : otherwise);
}

function buildMonitorRequest(origin: string, token: string, order: MonitorCallOrder, key: string): Request {
  const { method, path, query = {}, body } = order;
  const url = new URL(`${MONITORS_PATH}${path}`, origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
  };
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}
