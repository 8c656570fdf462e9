import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOPBACK } from '../../../local/ports.ts';
import { type Account, type AccountChoices, createAccount } from './account.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { ASSET_ROUTES } from './asset-routes.ts';
import { type ApiCall, type ApiRoute, ListedAnswer, matchPath, OWN_CREDENTIAL_PATH } from './calls.ts';
import { DATABASE_ROUTES } from './database-routes.ts';
import { DOMAIN_ROUTES } from './domain-routes.ts';
import { startEdge, type Edge, type Outside } from './edge.ts';
import type { FaultKind, FaultPlan, ReceivedCall } from './faults.ts';
import { RefusedCall } from './refusals-data.ts';
import { RESOURCE_ROUTES } from './resource-routes.ts';
import { SCRIPT_ROUTES } from './script-routes.ts';
import { VERSION_ROUTES } from './version-routes.ts';

const BASE = '/client/v4';
/** More than wrangler reads at a time, and more than our largest bundle. */
const MAX_BODY_BYTES = 100 * 1024 * 1024;
const ROUTES: readonly ApiRoute[] = [
  ...ACCOUNT_ROUTES,
  ...SCRIPT_ROUTES,
  ...VERSION_ROUTES,
  ...ASSET_ROUTES,
  ...RESOURCE_ROUTES,
  ...DATABASE_ROUTES,
  ...DOMAIN_ROUTES,
];

export type StandInChoices = AccountChoices & {
  /** An account of before, for a stand-in that starts again. */
  readonly account?: Account;
  /** Folder of the state of Workers; a temporary one when absent. */
  readonly folder?: string;
  readonly faults?: FaultPlan;
  /** Where requests of Workers go that are for none of their hosts; refused when absent. */
  readonly outside?: Outside;
  readonly log?: (level: string, message: string) => void;
};

/** The platform on this machine: its API, and what was uploaded to it. */
export type CloudflareStandIn = {
  /** For `CLOUDFLARE_API_BASE_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly accountId: string;
  readonly account: Account;
  /** What child processes need for wrangler to speak with it, and nothing to be asked or sent elsewhere. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls so far, oldest first. */
  readonly calls: readonly ReceivedCall[];
  /** Forgets the calls so far, and counts from 1 again. */
  readonly forgetCalls: () => void;
  readonly setFaults: (plan: FaultPlan | undefined) => void;
  /** Hears of each call before it is answered. @returns what ends that */
  readonly onCall: (hear: (call: ReceivedCall) => unknown) => () => void;
  /** The socket that answers by https for all hosts of Workers. */
  readonly edgeUrl: string;
  /** Hosts of the Workers as deployed now -> the loopback address that answers for them by https. */
  readonly hosts: () => ReadonlyMap<string, string>;
  /** File of the authority that vouches for those hosts. */
  readonly authority: string;
  /** Requests one of those hosts by https, as a client outside would. */
  readonly request: Edge['request'];
  /** Does what a cron trigger of a Worker does. */
  readonly cron: (script: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts it on a free port of loopback. Workers start when a request needs them. */
export async function startCloudflareStandIn(choices: StandInChoices = {}): Promise<CloudflareStandIn> {
  const account = choices.account ?? createAccount(choices);
  const folder = choices.folder ?? mkdtempSync(join(tmpdir(), 'stand-in-'));
  const edge = await startEdge({ account, folder, outside: choices.outside, log: choices.log });
  const calls: ReceivedCall[] = [];
  const listeners = new Set<(call: ReceivedCall) => unknown>();
  let faults = choices.faults;
  const server = createServer((request, response) => {
    answerApi({ request, response }, account, (received) => {
      const call = { ...received, n: calls.length + 1 };
      calls.push(call);
      for (const hear of listeners) hear(call);
      return faults?.(call);
    }).catch(() => response.destroy()); // A client that was killed has left.
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  const apiUrl = `http://${LOOPBACK}:${typeof address === 'object' ? address?.port : ''}${BASE}`;
  return {
    apiUrl,
    token: account.token,
    accountId: account.id,
    account,
    env: buildEnvironment(account, apiUrl, edge.authority),
    calls,
    forgetCalls: () => void calls.splice(0),
    setFaults: (plan) => void (faults = plan),
    onCall: (hear) => {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    edgeUrl: edge.url,
    hosts: edge.hosts,
    authority: edge.authority,
    request: edge.request,
    cron: async (script) => {
      for (const expression of account.scripts.get(script)?.schedules ?? []) await edge.cron(script, expression);
    },
    close: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), edge.stop()]);
      if (choices.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const buildEnvironment = (account: Account, apiUrl: string, authority: string) => ({
  CLOUDFLARE_API_BASE_URL: apiUrl,
  CLOUDFLARE_API_TOKEN: account.token,
  CLOUDFLARE_ACCOUNT_ID: account.id,
  NODE_EXTRA_CA_CERTS: authority,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CI: 'true',
});

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Received = Omit<ReceivedCall, 'n'>;

async function answerApi(
  { request, response }: Exchange,
  account: Account,
  receive: (call: Received) => FaultKind | undefined,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`);
  const { method = 'GET' } = request;
  const path = url.pathname.slice(BASE.length);
  const fault = receive({ method, path, isWrite: !['GET', 'HEAD'].includes(method) });
  const body = await readBody(request);
  if (fault === 'cut before') return void request.socket.destroy();
  if (fault?.endsWith('before') === true) return sendError(response, makeFault(fault));
  const bearer = (request.headers.authorization ?? '').replace('Bearer ', '');
  const contentType = request.headers['content-type'] ?? '';
  try {
    const result = await route({ account, method, path, query: url.searchParams, body, contentType, bearer });
    if (fault === 'cut after') return void request.socket.destroy();
    if (fault !== undefined) return sendError(response, makeFault(fault));
    const listed = result instanceof ListedAnswer ? { result: result.items, result_info: result.info } : { result };
    send(response, 200, { success: true, errors: [], messages: [], ...listed });
  } catch (error) {
    if (fault === 'cut after') return void request.socket.destroy();
    sendError(response, error instanceof RefusedCall ? error : new RefusedCall('invalidScript', [String(error)]));
  }
}

/** @throws RefusedCall for a call of someone else, of another account, or that no route knows */
function route(call: Omit<ApiCall, 'names'>): unknown {
  if (!call.path.endsWith(OWN_CREDENTIAL_PATH) && call.bearer !== call.account.token) throw new RefusedCall('badToken');
  for (const [method, pattern, answer] of ROUTES) {
    const names = method === call.method ? matchPath(pattern, call.path) : undefined;
    if (names === undefined) continue;
    if (pattern.startsWith('/accounts/*') && names[0] !== call.account.id) throw new RefusedCall('otherAccount');
    return answer({ ...call, names });
  }
  throw new RefusedCall('noRoute', [`${call.method} ${call.path}`]);
}

function makeFault(kind: FaultKind): RefusedCall {
  if (kind.startsWith('429')) return new RefusedCall('rateLimited');
  if (kind.startsWith('404')) return new RefusedCall('noRoute', ['the call']);
  return new RefusedCall(kind.startsWith('503') ? 'unavailable' : 'internal');
}

const sendError = (response: ServerResponse, { status, errors }: RefusedCall): void =>
  send(response, status, { success: false, errors, messages: [], result: null });

function send(response: ServerResponse, status: number, body: unknown): void {
  const wait = status === 429 ? { 'retry-after': '1' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...wait }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body of the call is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
