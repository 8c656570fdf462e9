import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mcpUrls } from '../../capabilities/service.ts';
import { EXIT } from '../core/exit.ts';
import { openBrowser } from './browser.ts';
import { loginNet } from './net.ts';
import { freshToken } from './refresh.ts';
import type { LoginRefusal } from './refused.ts';
import { login } from './login.ts';
import { safeLine } from '../core/safe-text.ts';
import { parseBaseUrl } from '../buy/service.ts';
import { tokenFile } from './token-store.ts';
import { usageError } from '../core/usage-error.ts';
import { readStack } from '../buy/wallet.ts';

const STACK_FILE = join('.local', 'stack.json');
const BROWSER_MS = 5 * 60_000;
/** 256 bits: the `state` that ties an answer to this login. */
const STATE_BYTES = 32;

type Service = { ok: true; origin: string; loopback: boolean } | { ok: false; detail: string };

/** `sightline login`: signs the user in to the protected MCP endpoint of a service and keeps the tokens. */
export async function loginCommand(args: readonly string[]): Promise<number> {
  const wanted = parsed(args);
  if (typeof wanted === 'string') return usageError(wanted);
  const service = await serviceAt(wanted.base);
  if (!service.ok) return usageError(service.detail);
  const file = tokenFile(process.env);
  const outcome = await login(
    {
      origin: service.origin,
      client: {
        ...(wanted['client-id'] === undefined ? {} : { clientId: wanted['client-id'] }),
        ...(wanted['client-metadata-url'] === undefined ? {} : { metadataUrl: wanted['client-metadata-url'] }),
      },
      ...(wanted.scope === undefined ? {} : { scope: wanted.scope }),
    },
    {
      net: loginNet(service.loopback),
      file,
      show: (url) => show(url, wanted['no-browser'] ?? false),
      random: () => randomBytes(STATE_BYTES).toString('base64url'),
      nowMs: Date.now,
      waitMs: BROWSER_MS,
    },
  );
  if (!outcome.ok) return refused(outcome);
  const scopes = outcome.scope === undefined ? '' : ` with the scopes ${outcome.scope}`;
  process.stderr.write(`${safeLine(`Logged in to ${outcome.resource}${scopes}.`)}\nThe token is in ${file}.\n`);
  return EXIT.done;
}

/** `sightline token` without a key file: prints the access token that `sightline login` keeps, renewed when needed. */
export async function printStoredToken(base: string | undefined): Promise<number> {
  const service = await serviceAt(base);
  if (!service.ok) return usageError(service.detail);
  const tools = { net: loginNet(service.loopback), file: tokenFile(process.env), nowMs: Date.now };
  const outcome = await freshToken(mcpUrls(service.origin).account, tools);
  if (!outcome.ok) return refused(outcome);
  process.stdout.write(`${outcome.accessToken}\n`);
  return EXIT.done;
}

/** The service that was named, or SIGHTLINE_BASE_URL, or the local stack that runs: there is no public default. */
async function serviceAt(base: string | undefined): Promise<Service> {
  const named = base ?? process.env['SIGHTLINE_BASE_URL'];
  const stack = named === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false)
    return { ok: false, detail: `Name the service with --base <url>: ${safeLine(stack.detail)}` };
  const read = parseBaseUrl(named ?? stack?.stack.api ?? '');
  return read.ok ? read : { ok: false, detail: safeLine(`${read.reason}: ${read.detail}`) };
}

function show(url: URL, onlyPrint: boolean): void {
  process.stderr.write(`Sign in at\n  ${url.href}\n`);
  if (!onlyPrint) openBrowser(url);
}

const UNREACHABLE = new Set(['unreachable', 'no_answer']);

function refused({ reason, detail }: LoginRefusal): number {
  process.stderr.write(`${reason}: ${safeLine(detail)}\n`);
  if (reason === 'not_logged_in' || reason === 'no_refresh_token' || reason === 'authorization_server_changed')
    process.stderr.write('Run sightline login.\n');
  return UNREACHABLE.has(reason) ? EXIT.unreachable : EXIT.below;
}

function parsed(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...args],
      options: {
        base: text,
        scope: text,
        'client-id': text,
        'client-metadata-url': text,
        'no-browser': { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // parseArgs explains what it did not know.
  }
}
