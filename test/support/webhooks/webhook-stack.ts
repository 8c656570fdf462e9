import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorAccess } from '../../../local/operator.ts';
import { reservePort } from '../../../local/ports.ts';
import { startWorkers, type WorkerChoices } from '../../../local/stack-workers.ts';
import { requestTokenByKey } from '../../../src/cli/login/key-token.ts';
import { TENANT, worldOf } from '../../conformance/support/control-stack.ts';
import type { World } from '../../conformance/support/method-cases.ts';

export type Answer = { status: number; body: unknown };
type TokenOrder = {
  /** A service account of its own in this tenant; that of the stack when absent. */
  tenant?: string;
  scope?: string;
  /** What the token is for: the webhook Worker when absent. */
  resource?: string;
};

/** The api, the control and the webhook Worker of the local stack, without chain and sites. */
export type WebhookStack = {
  /** The official clients at the control Worker: the vendor. */
  world: World;
  /** Origins. */
  api: string;
  webhook: string;
  /** Signs the operator in. */
  operatorSecret: string;
  tokenFor: (order?: TokenOrder) => Promise<string>;
  /** Asks the operator's API of the webhook Worker, with a token of every scope unless another one is given. */
  operate: (call: `GET ${string}` | `POST ${string}`, body?: object, token?: string | null) => Promise<Answer>;
  /** What the cron trigger does each minute. */
  cron: () => Promise<void>;
  /** Kills workerd and waits until it runs again on the same state. */
  crash: () => Promise<void>;
  /** Every log line of all Workers that is JSON, and all of the log as text. */
  lines: Record<string, unknown>[];
  logged: () => string;
  stop: () => Promise<void>;
};

/** Starts within a few seconds. State is temporary. Log lines are kept and go to `choices.log` besides. */
export async function startWebhookStack(choices: WorkerChoices = {}): Promise<WebhookStack> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-webhook-'));
  const operatorSecret = randomBytes(32).toString('base64url');
  const log = logKeeper(choices.log);
  let directoryKey: string | undefined;
  const workers = await startWorkers({
    ...choices,
    log: log.keep,
    ports: {
      api: await reservePort(0, 'the api', '--port'),
      control: await reservePort(0, 'the control Worker', '--control-port'),
      webhook: await reservePort(0, 'the webhook Worker', '--webhook-port'),
    },
    persistTo: join(folder, 'state'),
    blockedPorts: [],
    directoryKey: () => directoryKey,
    bindings: { ANSWER_ENGINE: 'none', OPERATOR_SECRET: operatorSecret, ...choices.bindings },
  });
  const { api, controlUrl = '', webhookUrl = '' } = workers;
  const access = async (tenant: string) => {
    const keyFile = join(folder, `key-${tenant}.json`);
    const made = await createOperatorAccess(api.url, { secret: operatorSecret, keyFile, resource: controlUrl, tenant });
    if (made === undefined) throw new Error('the api Worker has no operator sign-in');
    return { token: made.access.token, key: readFileSync(keyFile, 'utf8') };
  };
  const own = await access(TENANT.customerId);
  // Whoever brings a directory of their own brings its token.
  if (choices.webhookBindings?.['DIRECTORY_TOKEN'] === undefined) directoryKey = own.key;
  const tokenFor = async ({ tenant, scope, resource = webhookUrl }: TokenOrder = {}): Promise<string> => {
    const keyFile = tenant === undefined ? own.key : (await access(tenant)).key;
    const token = await requestTokenByKey({ keyFile, resource, scope }, fetch, Date.now());
    if (!token.ok) throw new Error(`no token: ${token.detail}`);
    return token.accessToken;
  };
  const everyScope = await tokenFor();
  return {
    world: worldOf(controlUrl, own.token),
    api: api.url,
    webhook: webhookUrl,
    operatorSecret,
    tokenFor,
    operate: (call, body, token = everyScope) => operate(webhookUrl, call, body, token),
    cron: workers.webhookCron,
    crash: api.crash,
    lines: log.lines,
    logged: log.text,
    stop: async () => {
      await api.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function operate(origin: string, call: string, body: object | undefined, token: string | null): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ');
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

function logKeeper(further: WorkerChoices['log']) {
  const lines: Record<string, unknown>[] = [];
  const texts: string[] = [];
  return {
    lines,
    text: () => texts.join('\n'),
    keep: (level: string, message: string): void => {
      texts.push(message);
      further?.(level, message);
      const line = jsonLine(message);
      if (line !== undefined) lines.push(line);
    },
  };
}

function jsonLine(message: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(message);
    return typeof line === 'object' && line !== null ? (line as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // Lines of the runtime itself.
  }
}
