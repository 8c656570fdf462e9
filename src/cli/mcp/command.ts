import { Console } from 'node:console';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { INDEX_TOOL, mcpUrls } from '../../capabilities/service.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { toolTable } from '../../mcp/tools.ts';
import { EXIT } from '../core/exit.ts';
import { chooseCredentials, type McpCredentials } from './credentials.ts';
import { placeOf, type ServiceSide, stdioHost } from './host.ts';
import { toolsHere } from './local.ts';
import { createNodeFetch } from '../core/node-fetch.ts';
import { type RunningCalls, runningCalls } from './running-calls.ts';
import { safeLine } from '../core/safe-text.ts';
import { usageError } from '../core/usage-error.ts';

const STACK_FILE = join('.local', 'stack.json');
const MAX_ALLOWED_ORIGINS = 20;
/** Longest wait for what still runs on this machine after the client has gone. */
const LAST_WORDS_MS = 500;
/** Longest wait for calls that the service may be paid for: the longest run, its settlement, and what is written down after. */
const PAID_CALLS_MS = 150_000;

type Wanted = { base: string | undefined; isLocal: boolean; allowed: ReadonlySet<string> };

/**
 * `sightline mcp`: the tools over stdio. Credentials come from the environment; without any, what asks no answer engine
 * runs here, free. Nothing but MCP goes to standard output. Ends when standard input does and no paid call runs.
 */
export async function mcpCommand(args: readonly string[]): Promise<number> {
  globalThis.console = new Console(process.stderr, process.stderr); // A library that logs must not break the protocol.
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return usageError(wanted);
  const credentials = chooseCredentials(process.env, wanted.base);
  if (!credentials.ok) return usageError(safeLine(credentials.detail));
  const service = await serviceSide(credentials);
  if (typeof service === 'string') return usageError(safeLine(service));
  const isLocal = wanted.isLocal || credentials.by === 'none';
  const reach = { allowed: wanted.allowed, dial: createNodeFetch };
  const paid = runningCalls();
  const host = stdioHost({ reach, isLocal, service: service && trackedBy(paid, service) });
  const tools = toolsHere(toolTable({ payTo: undefined }), placeOf(isLocal));
  const ended = endOfInput();
  const handle = serveStdio(() => createMcpServer(host, { tools }), {
    onerror: (error) => process.stderr.write(`${safeLine(error.message)}\n`),
  });
  await ended;
  await handle.close(); // Calls off what runs: what is not signed yet signs nothing any more.
  await paid.ended(PAID_CALLS_MS); // What is signed comes to its end, for money may move.
  setTimeout(() => process.exit(EXIT.done), LAST_WORDS_MS).unref();
  return EXIT.done;
}

const trackedBy = (paid: RunningCalls, service: ServiceSide): ServiceSide => ({
  ...service,
  call: (call) => paid.track(() => service.call(call)),
});

const endOfInput = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });

/** What the credentials open at the service; a text says why they do not. Loaded when needed: a wallet takes its time. */
async function serviceSide(credentials: McpCredentials): Promise<ServiceSide | undefined | string> {
  const { origin } = credentials;
  if (origin === undefined) return undefined;
  const { remoteHost } = await import('./remote.ts');
  const { open, account } = mcpUrls(origin);
  const remote =
    credentials.by === 'token'
      ? remoteHost({ url: account, token: credentials.token, fetch })
      : remoteHost({ url: open, fetch });
  const index = () => remote.callTool({ name: INDEX_TOOL, arguments: {}, meta: {} });
  if (credentials.by !== 'wallet') return { call: remote.callTool, index, resources: remote };
  const [{ chooseWallet }, { callAndPay, payingWallet }] = await Promise.all([
    import('../buy/wallet.ts'),
    import('./wallet.ts'),
  ]);
  const wallet = await chooseWallet(origin, process.env, STACK_FILE);
  if (!wallet.ok) return `${wallet.reason}: ${wallet.detail}`;
  const paying = payingWallet(origin, wallet, credentials.caps);
  return { call: (call) => callAndPay(call, paying), index, resources: remote };
}

function parseWanted(args: readonly string[]): Wanted | string {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const given = parsed['allow-private'] ?? [];
  if (given.length > MAX_ALLOWED_ORIGINS) return `--allow-private may be given ${MAX_ALLOWED_ORIGINS} times.`;
  const allowed = given.map((text) => originOf(text));
  const wrong = allowed.indexOf(undefined);
  if (wrong !== -1)
    return `--allow-private takes an origin, such as http://127.0.0.1:3000, not ${safeLine(given[wrong] ?? '')}.`;
  const origins = new Set(allowed.filter((origin) => origin !== undefined));
  return { base: parsed.base, isLocal: parsed.local ?? false, allowed: origins };
}

/** The origin of a text that is one and nothing more. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        base: { type: 'string' },
        local: { type: 'boolean' },
        'allow-private': { type: 'string', multiple: true },
      },
    }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // parseArgs explains what it did not know.
  }
}
