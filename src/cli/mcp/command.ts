import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Console } from 'node:console';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCapability } from '../../capabilities/catalog.ts';
import { INDEX_TOOL, listMcpUrls } from '../../capabilities/service.ts';
import { isReportTool } from '../../mcp/free-tools.ts';
import { buildIndexResult, buildProblemResult } from '../../mcp/result.ts';
import { CATALOGUE, CATALOGUE_URI, buildCatalogueResource } from '../../mcp/resources.ts';
import { createMcpServer } from '../../mcp/server.ts';
import type { ToolCall, ToolHost } from '../../mcp/tool-host.ts';
import { buildToolTable } from '../../mcp/tools.ts';
import { buildProblem } from '../../problems/codes.ts';
import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { createNodeFetch } from '../core/node-fetch.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { createKeptReports, MAX_KEPT_REPORTS } from './kept-reports.ts';
import { type PaymentNetwork, readNetwork } from '../buy/network.ts';
import { chooseCredentials, type McpCredentials } from './credentials.ts';
import { callHere, buildLocalIndex, type LocalReach, canRunHere, listLocalTools } from './local.ts';

/** What a service adds: `call` pays or hands on, `remote` reads its resources and lists them. */
export type ServiceSide = {
  call: (call: ToolCall) => Promise<CallToolResult>;
  /** Calls what is free, and hands on no credential of a payment. */
  free: (call: ToolCall) => Promise<CallToolResult>;
  /** The catalogue with the prices of the service. */
  index: () => Promise<CallToolResult>;
  resources: Pick<ToolHost, 'listResources' | 'readResource'>;
};

type StdioHostSettings = {
  reach: LocalReach;
  /** Whether what can run on this machine does, free. */
  isLocal: boolean;
  service: ServiceSide | undefined;
};

/** Tools that run on this machine: all that can, without credentials or with `--local`; otherwise none. */
export const describeToolPlace =
  (isLocal: boolean) =>
  (name: string): boolean =>
    isLocal && canRunHere(name);

/** What `sightline mcp` does: each tool either here or at the service, the same for the life of the server. */
export function createStdioHost({ reach, isLocal, service }: StdioHostSettings): ToolHost {
  const isHere = describeToolPlace(isLocal);
  const ownIndex = () => buildLocalIndex(service !== undefined);
  const indexService = isLocal ? undefined : service;
  const kept = createKeptReports();
  return {
    callTool: async (call) => {
      if (call.name === INDEX_TOOL) return indexService?.index() ?? buildIndexResult(ownIndex());
      const row = isHere(call.name) ? findCapability(call.name) : undefined;
      if (row) return callHere(row, call, { reach, kept });
      if (isReportTool(call.name))
        return (await kept.call(call)) ?? service?.free(call) ?? buildProblemResult(NOT_KEPT);
      return service === undefined ? buildProblemResult(NO_SERVICE) : service.call(call);
    },
    listResources: async () => service?.resources.listResources() ?? { resources: [CATALOGUE], isShared: true },
    readResource: async (uri) => {
      if (uri === CATALOGUE_URI && indexService === undefined) return buildCatalogueResource(ownIndex());
      return (await kept.readResource(uri)) ?? service?.resources.readResource(uri);
    },
  };
}

const NOT_KEPT = buildProblem('report_not_found', {
  detail: `Results of this machine can be read while this server runs, the last ${MAX_KEPT_REPORTS} of them`,
});

const NO_SERVICE = {
  status: 503,
  code: 'no_service',
  title: 'This tool asks an answer engine, which a service has and this machine does not',
  detail:
    'Start sightline mcp with --base <url> or SIGHTLINE_BASE_URL, and with SIGHTLINE_TOKEN, or with SIGHTLINE_WALLET_KEY and its limits',
  howToConfigure: [
    'Name a service: --base <url>, or SIGHTLINE_BASE_URL.',
    'Pay with prepaid credits: SIGHTLINE_TOKEN.',
    'Or pay per call: SIGHTLINE_WALLET_KEY, SIGHTLINE_MAX_USD_PER_CALL (1), SIGHTLINE_MAX_USD_PER_DAY (5).',
  ],
} as const;

/** Calls that still run. */
type RunningCalls = {
  /** Runs a call and knows of it until it ends. */
  track: <T>(call: () => Promise<T>) => Promise<T>;
  /** Resolves when none runs any more, or after `limitMs`. Never rejects. */
  ended: (limitMs: number) => Promise<void>;
};

/** Keeps an eye on calls that may move money, so that the process does not end under them. */
export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    track: async (call) => {
      const promise = call();
      running.add(promise);
      try {
        return await promise;
      } finally {
        running.delete(promise);
      }
    },
    ended: async (limitMs) => {
      if (running.size === 0) return;
      const over = new AbortController();
      const limit = sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined); // Cancelled below.
      await Promise.race([Promise.allSettled(running), limit]);
      over.abort();
    },
  };
}

const MAX_ALLOWED_ORIGINS = 20;
/** Longest wait for what still runs on this machine after the client has gone. */
const LAST_WORDS_MS = 500;
/** Longest wait for calls that the service may be paid for: the longest run, its settlement, and what is written down after. */
const PAID_CALLS_MS = 150_000;

type McpRequest = {
  base: string | undefined;
  isLocal: boolean;
  allowed: ReadonlySet<string>;
  /** Where the wallet pays. */
  network: PaymentNetwork;
};

/**
 * `sightline mcp`: the tools over stdio. Credentials come from the environment; without any, what asks no answer engine
 * runs here, free. Nothing but MCP goes to standard output. Ends when standard input does and no paid call runs.
 */
export async function runMcpCommand(args: readonly string[]): Promise<CommandEnd> {
  globalThis.console = new Console(process.stderr, process.stderr); // A library that logs must not break the protocol.
  const wanted = parseWanted(args);
  if (isFailure(wanted)) return wanted;
  const credentials = chooseCredentials(process.env, wanted.base);
  if (!credentials.ok) return refuseUsage(formatSafeLine(credentials.detail));
  const service = await connectServiceSide(credentials, wanted.network);
  if (typeof service === 'string') return refuseUsage(formatSafeLine(service));
  const isLocal = wanted.isLocal || credentials.by === 'none';
  const reach = { allowed: wanted.allowed, dial: createNodeFetch };
  const paid = createRunningCalls();
  const host = createStdioHost({ reach, isLocal, service: service && trackPaidCalls(paid, service) });
  const tools = listLocalTools(listStdioTools(credentials.by), describeToolPlace(isLocal));
  const ended = endOfInput();
  const handle = serveStdio(() => createMcpServer(host, { tools }), {
    onerror: (error) => process.stderr.write(`${formatSafeLine(error.message)}\n`),
  });
  await ended;
  await handle.close(); // Calls off what runs: what is not signed yet signs nothing any more.
  await paid.ended(PAID_CALLS_MS); // What is signed comes to its end, for money may move.
  setTimeout(() => process.exit(EXIT.done), LAST_WORDS_MS).unref();
  return EXIT.done;
}

/** Of the free tools those that this server can answer: without a service there is nothing to publish or list. */
function listStdioTools(by: McpCredentials['by']): readonly Tool[] {
  const tools = buildToolTable({ payTo: undefined, door: by === 'token' ? 'account' : 'stdio' });
  return by === 'none' ? tools.filter(({ name }) => name !== 'publish_report') : tools;
}

const trackPaidCalls = (paid: RunningCalls, service: ServiceSide): ServiceSide => ({
  ...service,
  call: (call) => paid.track(() => service.call(call)),
});

const endOfInput = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });

/** What the credentials open at the service; a text says why they do not. Loaded when needed: a wallet takes its time. */
async function connectServiceSide(
  credentials: McpCredentials,
  network: PaymentNetwork,
): Promise<ServiceSide | undefined | string> {
  const { origin } = credentials;
  if (origin === undefined) return undefined;
  const { createRemoteHost: remoteHost } = await import('./remote.ts');
  const { open, account } = listMcpUrls(origin);
  const remote =
    credentials.by === 'token'
      ? remoteHost({ url: account, token: credentials.token, fetch })
      : remoteHost({ url: open, fetch });
  const index = () => remote.callTool({ name: INDEX_TOOL, arguments: {}, meta: {} });
  const free = remote.callTool;
  if (credentials.by !== 'wallet') return { call: remote.callTool, free, index, resources: remote };
  const [{ chooseWallet, STACK_FILE }, { callAndPay, createPayingWallet: payingWallet }] = await Promise.all([
    import('../buy/wallet.ts'),
    import('./wallet.ts'),
  ]);
  const wallet = await chooseWallet(origin, process.env, STACK_FILE);
  if (!wallet.ok) return `${wallet.reason}: ${wallet.detail}`;
  const paying = payingWallet({ origin, wallet, caps: credentials.caps, network });
  return { call: (call) => callAndPay(call, paying), free, index, resources: remote };
}

function parseWanted(args: readonly string[]): McpRequest | CommandFailure {
  const parsed = parseCommand('mcp', args);
  if (isFailure(parsed)) return parsed;
  const { values } = parsed;
  const network = readNetwork(values);
  if (isFailure(network)) return network;
  const given = values['allow-private'] ?? [];
  if (given.length > MAX_ALLOWED_ORIGINS)
    return refuseUsage(`--allow-private may be given ${MAX_ALLOWED_ORIGINS} times.`);
  const allowed = given.map((text) => parseOrigin(text));
  const wrong = allowed.indexOf(undefined);
  if (wrong !== -1)
    return refuseUsage(
      `--allow-private takes an origin, such as http://127.0.0.1:3000, not ${formatSafeLine(given[wrong] ?? '')}.`,
    );
  const origins = new Set(allowed.filter((origin) => origin !== undefined));
  return { base: values.base, isLocal: values.local ?? false, allowed: origins, network };
}

/** The origin of a text that is one and nothing more. */
function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}
