import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { StackFile } from '../src/cli/buy/wallet.ts';
import { MINUTE_MS } from '../src/lib/time.ts';
import { type Account, type Chain, startChain } from './chain/chain.ts';
import { startGrpcFront } from './grpc/front.ts';
import { type Facilitator, startFacilitator } from './chain/facilitator.ts';
import { CARD_WEBHOOK_PATH } from '../src/payment/cards/webhook.ts';
import { createOperatorAccess } from './operator.ts';
import { LOOPBACK, reservePort } from './ports.ts';
import { type LocalStripe, startStripe } from './stripe/server.ts';
import { startChainSaver } from './chain/chain-state.ts';
import { type Sites, startSites } from './sites/sites.ts';
import { createPassingState, type StackState } from './stack-state.ts';
import { readOwnSettings, startWorkers, type WorkerChoices } from './stack-workers.ts';
import { startTxtResolver } from './txt-resolver.ts';
import type { LocalWorker, WorkerLog } from './worker.ts';

/** What the stack gives its api Worker for the demo buyer: its key, and a token that is made anew at each start. */
export const buildDemoBuyerBindings = (privateKey: string, token: string): Record<string, string> => ({
  LOCAL_DEMO_BUYER_KEY: privateKey,
  LOCAL_DEMO_BUYER_TOKEN: token,
});

type CronSettings = { everyMs: number; log?: WorkerLog | undefined };

/**
 * Calls `run` again and again, as the platform's cron trigger would, one call at a time. One that fails is logged, and
 * the next comes all the same. `stop` waits for a call under way.
 */
export function startCron(run: () => Promise<void>, { everyMs, log }: CronSettings): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const tick = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log?.('error', `cron: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    running ??= tick().finally(() => (running = undefined));
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

const BUYER_MICRO_USDC = 1_000_000_000n;
const READY_TIMEOUT_MS = 20_000;
const PROBE_EVERY_MS = 50;
const KEY_FILE_NAME = 'operator-key.json';
const TXT_RECORDS_NAME = 'txt-records.txt';

/** Ports of the parts; 0 or absent takes a free one. */
export type StackPorts = {
  api?: number;
  control?: number;
  webhook?: number;
  /** gRPC in front of the control Worker. */
  grpc?: number;
  rpc?: number;
  facilitator?: number;
  /** The stand-in of Stripe. */
  stripe?: number;
  good?: number;
  poor?: number;
};

export type StackSettings = WorkerChoices & {
  ports?: StackPorts;
  /** Seconds between blocks; without it a block is made for each transaction only. */
  blockTimeS?: number;
  /** State of its own, which goes with the stack, when absent. `stop` releases it. */
  state?: StackState;
  /** The TXT records that the api Worker sees; among the stack's own state when absent. */
  txtRecordsFile?: string;
  /** Where the key file of the operator's service account goes; among the stack's own state when absent. Removed by `stop`. */
  operatorKeyFile?: string;
  /** Factories of wallets that the facilitator calls before the first payment of a wallet (ERC-6492). */
  walletFactories?: readonly Account['address'][];
  /**
   * Puts something between the api Worker and the facilitator at `url`: returns the URL for the Worker. The caller
   * stops it.
   */
  facilitatorFor?: (url: string) => string | Promise<string>;
};

/** A running local stack. Its keys are of its state: made at its start, or at that of the first stack with the same state. */
export type Stack = {
  /** The api Worker, and with it control and webhook Worker: they share a process, which crashes and restarts as one. */
  api: LocalWorker;
  chain: Chain;
  facilitator: Facilitator;
  stripe: LocalStripe;
  sites: Sites;
  buyer: Account;
  seller: Account;
  /** The TXT records that the api Worker sees: a name and a value on each line. */
  txtRecordsFile?: string;
  /** What scripts get to know of it (`.local/stack.json`). */
  file: StackFile;
  stop: () => Promise<void>;
};

type Stoppable = { stop: () => Promise<void> };

/**
 * Starts chain, facilitator, demo sites and the Workers, and returns when each answers as itself.
 * @throws AnvilMissing, PortTaken, BuildFailure of esbuild; what was started by then is stopped.
 */
export async function startStack(settings: StackSettings = {}): Promise<Stack> {
  const startedParts: Stoppable[] = [];
  const keep = <T extends Stoppable>(part: T): T => {
    startedParts.push(part);
    return part;
  };
  try {
    return await startParts(settings, keep, () => stopAll(startedParts));
  } catch (error) {
    await stopAll(startedParts);
    throw error;
  }
}

async function startParts(
  settings: StackSettings,
  keep: <T extends Stoppable>(part: T) => T,
  stop: () => Promise<void>,
): Promise<Stack> {
  const state = settings.state ?? createPassingState();
  keep({ stop: async () => state.release() });
  const { identity } = state;
  const operatorSecret = settings.bindings?.['OPERATOR_SECRET'] ?? identity.operatorSecret;
  const ports = await claimPorts(settings.ports ?? {});
  const blockTime = settings.blockTimeS === undefined ? {} : { blockTimeS: settings.blockTimeS };
  const { minterKey } = identity;
  const chain = keep(await startChain({ port: ports.rpc, ...blockTime, minterKey, savedChain: state.chainFile }));
  const facilitator = keep(
    await startFacilitator({
      rpcUrl: chain.rpcUrl,
      port: ports.facilitator,
      walletFactories: settings.walletFactories,
    }),
  );
  const stripe = keep(
    await startStripe({ port: ports.stripe, webhookUrl: `http://${LOOPBACK}:${ports.api}${CARD_WEBHOOK_PATH}` }),
  );
  const sites = keep(await startSites({ good: ports.good, poor: ports.poor }));
  const buyer = await chain.fundAccount(identity.buyerKey, BUYER_MICRO_USDC);
  const seller = await chain.fundAccount(identity.sellerKey);
  if (state.chainFile !== undefined) keep(await startChainSaver(chain.client, state.chainFile, settings.log));
  const facilitatorUrl = (await settings.facilitatorFor?.(facilitator.url)) ?? facilitator.url;
  const proxyPort = Number(new URL(facilitatorUrl).port); // The facilitator's own where nothing is before it.
  const txtRecordsFile = settings.txtRecordsFile ?? join(state.folder, TXT_RECORDS_NAME);
  const resolver = keep(await startTxtResolver(txtRecordsFile));
  let directoryKey: string | undefined;
  const { api, controlUrl, webhookUrl, webhookCron, apiCron } = await startWorkers({
    ...settings,
    ports,
    persistTo: state.folder,
    webhookBindings: { CHANNEL_TOKEN_KEYS: identity.channelTokenKeys, ...settings.webhookBindings },
    directoryKey: () => directoryKey,
    blockedPorts: [...[chain, facilitator, resolver, stripe].map(({ port }) => port), proxyPort, ports.grpc],
    bindings: {
      ...readOwnSettings(process.env),
      PAY_TO: seller.address,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_URL: facilitatorUrl,
      DNS_RESOLVER_URL: resolver.url,
      LEDGER_SECRET: identity.ledgerSecret,
      RESULT_SIGNING_KEY: deriveResultKey(identity.ledgerSecret),
      OPERATOR_SECRET: operatorSecret,
      PAYMENTS_SINCE: String(identity.sinceS),
      TRANSFER_CONFIRMATIONS: '1',
      CONFIRMATIONS_ABOVE_1_USD: '1',
      ...stripe.bindings,
      ...buildDemoBuyerBindings(buyer.privateKey, randomBytes(32).toString('base64url')),
      ...settings.bindings,
    },
  });
  keep(api);
  await waitForOwnServices(api, seller, facilitator);
  const operator = await createOperatorAccess(api.url, {
    secret: operatorSecret,
    keyFile: settings.operatorKeyFile ?? join(state.folder, KEY_FILE_NAME),
    resource: settings.bindings?.['CONTROL_URL'] ?? controlUrl,
    replacesFormer: state.chainFile !== undefined,
  });
  keep({ stop: async () => operator?.forget() });
  directoryKey = operator && readFileSync(operator.access.keyFile, 'utf8');
  if (webhookUrl !== undefined) keep(startCron(webhookCron, { everyMs: MINUTE_MS, log: settings.log }));
  if (apiCron !== undefined) keep(startCron(apiCron, { everyMs: MINUTE_MS, log: settings.log }));
  const grpc = controlUrl === undefined ? undefined : await startGrpc(ports.grpc, controlUrl, settings, keep);
  const file: StackFile = {
    api: api.url,
    ...(controlUrl === undefined ? {} : { control: controlUrl }),
    ...(grpc === undefined ? {} : { grpc }),
    ...(webhookUrl === undefined ? {} : { webhook: webhookUrl }),
    rpc: chain.rpcUrl,
    facilitator: facilitator.url,
    stripe: stripe.url,
    sites: { good: sites.good, poor: sites.poor },
    buyer: { address: buyer.address, privateKey: buyer.privateKey },
    seller: { address: seller.address },
    ...(operator === undefined ? {} : { operator: operator.access }),
  };
  return { api, chain, facilitator, stripe, sites, buyer, seller, txtRecordsFile, file, stop };
}

/** As lasting as the secret of the state is, without a member of its own there. */
const deriveResultKey = (secret: string): string =>
  createHmac('sha256', secret).update('result signing key').digest('base64url');

/** Host and port of the gRPC front of a control Worker. */
async function startGrpc(
  port: number,
  control: string,
  { log }: StackSettings,
  keep: <T extends Stoppable>(part: T) => T,
): Promise<string> {
  const front = await startGrpcFront({ port, control, ...(log === undefined ? {} : { log }) });
  keep({ stop: front.close });
  return `${LOOPBACK}:${front.port}`;
}

/**
 * Looks at every port before the first part starts: a taken one is reported at once, and nothing has to be stopped
 * again.
 */
async function claimPorts(wanted: StackPorts): Promise<Required<StackPorts>> {
  return {
    api: await reservePort(wanted.api ?? 0, 'the api', '--port'),
    control: await reservePort(wanted.control ?? 0, 'the control Worker', '--control-port'),
    webhook: await reservePort(wanted.webhook ?? 0, 'the webhook Worker', '--webhook-port'),
    grpc: await reservePort(wanted.grpc ?? 0, 'the gRPC front', '--grpc-port'),
    rpc: await reservePort(wanted.rpc ?? 0, 'the local chain', '--rpc-port'),
    facilitator: await reservePort(wanted.facilitator ?? 0, 'the facilitator', '--facilitator-port'),
    stripe: await reservePort(wanted.stripe ?? 0, 'the imitation of Stripe', '--stripe-port'),
    good: await reservePort(wanted.good ?? 0, 'the good demo site', '--site-port'),
    poor: await reservePort(wanted.poor ?? 0, 'the poor demo site (one above the good one)', '--site-port'),
  };
}

const indexSchema = z.object({ payment: z.object({ payTo: z.string() }) });
const supportedSchema = z.object({ signers: z.record(z.string(), z.array(z.string())) });

/** Waits until api and facilitator answer, and with OUR keys: another program's 200 on a port does not count. */
async function waitForOwnServices(api: LocalWorker, seller: Account, facilitator: Facilitator): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let seen = 'nothing yet';
  while (Date.now() < deadline) {
    const index = indexSchema.safeParse(await readJson(`${api.url}/api/agent/index`));
    const supported = supportedSchema.safeParse(await readJson(`${facilitator.url}/supported`));
    const isOurApi = index.success && index.data.payment.payTo.toLowerCase() === seller.address.toLowerCase();
    const isOurFacilitator =
      supported.success && Object.values(supported.data.signers).flat().includes(facilitator.address);
    if (isOurApi && isOurFacilitator) return;
    seen = `the api ${isOurApi ? 'is ours' : 'does not name our seller'}, the facilitator ${isOurFacilitator ? 'is ours' : 'does not name our signer'}`;
    await sleep(PROBE_EVERY_MS);
  }
  throw new Error(`The local stack was not ready within ${READY_TIMEOUT_MS / 1000} s: ${seen}.`);
}

async function readJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
    return response.status === 200 ? await response.json() : undefined;
  } catch {
    return undefined; // Not up yet; the caller asks again until its deadline.
  }
}

/** Stops in the opposite order of starting, and all of them even when one fails. */
async function stopAll(parts: Stoppable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts.splice(0).toReversed()) {
    try {
      await part.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'parts of the local stack did not stop');
}
