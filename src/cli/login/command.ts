import { refreshAuthorization } from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { getHostsResource, getMonitorsResource } from '../../authorization/oauth/resources.ts';
import { CREDIT_SCOPE } from '../../authorization/oauth/scopes.ts';
import { listMcpUrls } from '../../capabilities/service.ts';
import { parseBaseUrl } from '../buy/service.ts';
import { readStack, STACK_FILE } from '../buy/wallet.ts';
import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { discover } from './discovery.ts';
import { toStoredToken, logIn, refuseTokenError } from './login.ts';
import { createLoginNet, type LoginNet, type LoginRefusal, LoginRefused, returnRefusal } from './net.ts';
import { keepToken, type StoredLoginToken, getTokenFile, type TokenStore, withTokens } from './token-store.ts';

/** A token that lives shorter than this is renewed before it is handed out. */
const MIN_LEFT_MS = 60_000;

type RefreshTools = { net: LoginNet; file: string; nowMs: () => number };

/**
 * The access token kept for an endpoint, renewed when it is about to end. Runs at the same time wait for one
 * another: a refresh token is used once, and what it gave is what the others get (C17).
 */
export function renewToken(
  endpoint: string,
  tools: RefreshTools,
): Promise<{ ok: true; accessToken: string } | LoginRefusal> {
  return returnRefusal(async () => {
    const token = await withTokens(tools.file, async (store) => {
      const kept = findStoredToken(store, endpoint);
      if (isFresh(kept, tools.nowMs())) return { value: kept };
      const renewed = await renew(kept, store, endpoint, tools);
      return { store: keepToken(store, renewed), value: renewed };
    });
    return { ok: true, accessToken: token.access_token };
  });
}

const isFresh = ({ expires_at_ms: expiresAtMs }: StoredLoginToken, nowMs: number): boolean =>
  expiresAtMs === undefined || expiresAtMs - nowMs >= MIN_LEFT_MS;

/** A resource is the endpoint itself, or its origin where the metadata at the root says so. */
function findStoredToken(store: TokenStore, endpoint: string): StoredLoginToken {
  const { origin } = new URL(endpoint);
  const kept = [endpoint, origin].map((name) => store.tokens.find(({ resource }) => resource === name));
  const token = kept.find((found) => found !== undefined);
  if (token === undefined) throw new LoginRefused('not_logged_in', `no token is stored for ${endpoint}`);
  return token;
}

/** Discovers again: a refresh token goes to the server that gave it, and only while the service still names that one. */
async function renew(
  kept: StoredLoginToken,
  store: TokenStore,
  endpoint: string,
  tools: RefreshTools,
): Promise<StoredLoginToken> {
  const { refresh_token: refreshToken, issuer, resource } = kept;
  if (refreshToken === undefined)
    throw new LoginRefused('no_refresh_token', `the token for ${resource} ended and no refresh token was given`);
  const found = await discover(endpoint, tools.net);
  if (found.issuer !== issuer || found.resource !== resource)
    throw new LoginRefused('authorization_server_changed', `${endpoint} now names ${found.issuer}, not ${issuer}`);
  const client = Object.hasOwn(store.clients, issuer) ? store.clients[issuer] : undefined;
  if (client?.client_id !== kept.client_id)
    throw new LoginRefused('not_logged_in', `the client of the token for ${resource} is no longer kept`);
  try {
    const tokens = await refreshAuthorization(issuer, {
      metadata: found.metadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: tools.net.fetch,
    });
    const { scope } = kept;
    return toStoredToken(tokens, { ...found, scope }, client.client_id, tools.nowMs());
  } catch (error) {
    throw refuseTokenError(error, issuer);
  }
}

/** The command that opens a URL, by platform. `{}` is replaced by the URL. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open', '{}'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler', '{}'],
};
const OTHERWISE = ['xdg-open', '{}'] as const;

/** The program that opens `url` in a browser, with its arguments: the URL is one argument and no shell ever reads it (C18). */
export function getBrowserCommand(url: URL, platform: NodeJS.Platform): { program: string; args: readonly string[] } {
  const [program, ...args] = openers[platform] ?? OTHERWISE;
  return { program, args: args.map((arg) => (arg === '{}' ? url.href : arg)) };
}

/** Opens the browser if there is one; the user has the URL on the screen in any case. */
function openBrowser(url: URL): void {
  const { program, args } = getBrowserCommand(url, process.platform);
  const child = spawn(program, args, { shell: false, detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // No such program: the printed URL serves.
  child.unref();
}

const BROWSER_MS = 5 * 60_000;
/** 256 bits: the `state` that ties an answer to this login. */
const STATE_BYTES = 32;

type Service = { ok: true; origin: string; loopback: boolean } | { ok: false; failure: CommandFailure };

/** `sightline login`: signs the user in to the MCP endpoint of accounts, or to the interface of monitors or hosts, and keeps the tokens. */
export async function runLoginCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('login', args);
  if (isFailure(given)) return given;
  const { values: wanted } = given;
  const service = await resolveService(wanted.base);
  if (!service.ok) return service.failure;
  const file = getTokenFile(process.env);
  const endpoint = findEndpoint(service.origin, wanted);
  if (isFailure(endpoint)) return endpoint;
  // Each run of a monitor is paid from credits.
  const scope = wanted.scope ?? (wanted.monitors === true ? CREDIT_SCOPE : undefined);
  const outcome = await logIn(
    {
      origin: service.origin,
      client: {
        ...(wanted['client-id'] === undefined ? {} : { clientId: wanted['client-id'] }),
        ...(wanted['client-metadata-url'] === undefined ? {} : { metadataUrl: wanted['client-metadata-url'] }),
      },
      endpoint,
      ...(scope === undefined ? {} : { scope }),
    },
    {
      net: createLoginNet(service.loopback),
      file,
      show: (url) => show(url, wanted['no-browser'] ?? false),
      random: () => randomBytes(STATE_BYTES).toString('base64url'),
      nowMs: Date.now,
      waitMs: BROWSER_MS,
    },
  );
  if (!outcome.ok) return refuseLogin(outcome, wanted);
  const scopes = outcome.scope === undefined ? '' : ` with the scopes ${outcome.scope}`;
  process.stderr.write(`${formatSafeLine(`Logged in to ${outcome.resource}${scopes}.`)}\nThe token is in ${file}.\n`);
  return EXIT.done;
}

/** `sightline token` without a key file: prints the access token that `sightline login` keeps, renewed when needed. */
export async function printStoredToken(base: string | undefined, resource: WantedResource): Promise<CommandEnd> {
  const service = await resolveService(base);
  if (!service.ok) return service.failure;
  const endpoint = findEndpoint(service.origin, resource);
  if (isFailure(endpoint)) return endpoint;
  const tools = { net: createLoginNet(service.loopback), file: getTokenFile(process.env), nowMs: Date.now };
  const outcome = await renewToken(endpoint, tools);
  if (!outcome.ok) return refuseLogin(outcome, resource);
  process.stdout.write(`${outcome.accessToken}\n`);
  return EXIT.done;
}

type WantedResource = { monitors?: boolean | undefined; hosts?: boolean | undefined };

/** What a token is good for. */
function findEndpoint(origin: string, { monitors = false, hosts = false }: WantedResource): string | CommandFailure {
  if (monitors && hosts) return refuseUsage('--monitors and --hosts exclude each other: a token is for one of them.');
  if (monitors) return getMonitorsResource(origin);
  return hosts ? getHostsResource(origin) : listMcpUrls(origin).account;
}

const NAME_SERVICE = 'Name the service with --base <url> or SIGHTLINE_BASE_URL; npm start in a checkout runs one here.';

/** The service that was named, or SIGHTLINE_BASE_URL, or the local stack that runs: there is no public default. */
async function resolveService(base: string | undefined): Promise<Service> {
  const named = base ?? process.env['SIGHTLINE_BASE_URL'];
  const stack = named === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false)
    return { ok: false, failure: refuseCommand(stack.reason, stack.detail, EXIT.usage, NAME_SERVICE) };
  const read = parseBaseUrl(named ?? stack?.stack.api ?? '');
  return read.ok ? read : { ok: false, failure: { ...refuseUsage(formatSafeLine(read.detail)), reason: read.reason } };
}

function show(url: URL, onlyPrint: boolean): void {
  process.stderr.write(`Sign in at\n  ${url.href}\n`);
  if (!onlyPrint) openBrowser(url);
}

const UNREACHABLE = new Set(['unreachable', 'no_answer']);

const SIGN_IN_AGAIN: ReadonlySet<string> = new Set([
  'not_logged_in',
  'no_refresh_token',
  'authorization_server_changed',
]);

const refuseLogin = ({ reason, detail }: LoginRefusal, { monitors, hosts }: WantedResource): CommandFailure =>
  refuseCommand(
    reason,
    `${reason}: ${detail}`,
    UNREACHABLE.has(reason) ? EXIT.unreachable : EXIT.below,
    SIGN_IN_AGAIN.has(reason)
      ? `Run sightline login${monitors === true ? ' --monitors' : hosts === true ? ' --hosts' : ''}.`
      : undefined,
  );
