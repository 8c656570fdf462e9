import { getMonitorsResource, MONITORS_PATH } from '../../authorization/oauth/resources.ts';
import { getMember, isObject, parseJson } from '../../lib/json.ts';
import { type BodyFault, parseBaseUrl, readServiceProblem, request } from '../buy/service.ts';
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
  monitor_run_under_way: 'See sightline monitor show for what it comes to.',
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
  const { code, detail, faults } = readServiceProblem(answer);
  const [exit, otherwise] = answer.status >= 500 ? [EXIT.unreachable, unknownEnd] : [EXIT.below, undefined];
  const why = faults.length === 0 ? detail : faults.map((fault) => describeFault(fault, order)).join(' ');
  const next = Object.hasOwn(HINTS, code) ? HINTS[code] : (describeWait(answer.headers) ?? otherwise);
  return refuseCommand(code, `${code}: ${why}`, exit, next);
}

/** When the same call may be made again; undefined where the service does not say. */
function describeWait(headers: Headers): string | undefined {
  const text = headers.get('retry-after') ?? '';
  if (!/^\d{1,6}$/.test(text)) return undefined;
  const minutes = Math.ceil(Number(text) / 60);
  return `Run it again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

/** The words of the command line that made a member of the body. */
const WORDS: Readonly<Record<string, string>> = {
  '/name': '--name',
  '/interval/every': '--every',
  '/interval/at': '--at',
  '/interval/cron': '--cron',
  '/interval/time_zone': '--time-zone',
  '/subject/url': '<url>',
  '/subject/competitors': '--competitor',
  '/subject/body/brand': '--brand',
  '/subject/body/niche': '--niche',
};

/** `--cron: No day has this date.`, or with the pointer where no option made the member. */
function describeFault({ pointer, message }: BodyFault, { body = {}, isOfFile }: MonitorCallOrder): string {
  if (isOfFile === true) return `${pointer}: ${message.replace(/\.$/, '')}.`;
  const [, place, at] = /^(\/receivers|\/subject\/competitors)\/(\d{1,3})/.exec(pointer) ?? [];
  const receivers = body['receivers'];
  const receiver: unknown = place === '/receivers' && Array.isArray(receivers) ? receivers[Number(at)] : undefined;
  const kind = isObject(receiver) ? getMember(receiver, 'kind') : undefined;
  const word = typeof kind === 'string' ? `--${kind}` : (WORDS[place ?? pointer] ?? pointer);
  return `${word}: ${message.replace(/\.$/, '')}.`;
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
