// `node scripts/record-stored-data.ts`: makes test/data/stored anew, with the code as it is now. Only for a new format that
// later code has to read: what is there proves that data of its day can still be read. The command line is to be built before.
// `--days-ago <n>` sets all clocks back meanwhile, to see that old data can be read on a later day; do not commit that.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChain } from '../local/chain/chain.ts';
import { buildDemoBuyerBindings } from '../local/stack.ts';
import { startFacilitator } from '../local/chain/facilitator.ts';
import { createOperatorAccess } from '../local/operator.ts';
import { startSites } from '../local/sites/sites.ts';
import type { StackWorkers } from '../local/stack-workers.ts';
import { requestTokenByKey } from '../src/cli/login/key-token.ts';
import { setBack } from '../test/support/stored/clock.ts';
import { FACTS, PACK, PACKED, type Facts, type Read, type Secrets } from '../test/support/stored/facts.ts';
import { pack } from '../test/support/stored/pack.ts';
import { recordMcpSession, recordOperator, recordPerson } from '../test/support/stored/record-access.ts';
import {
  recordDirectory,
  recordLogs,
  recordMediation,
  recordOthers,
  recordSearch,
  recordSnapshot,
} from '../test/support/stored/record-control.ts';
import { recordFiles } from '../test/support/stored/record-files.ts';
import { recordNotifications } from '../test/support/stored/record-notifications.ts';
import { recordCredits, recordSales } from '../test/support/stored/record-payments.ts';
import type { Recording } from '../test/support/stored/recording.ts';
import { type RpcAnswers, startRpc } from '../test/support/stored/rpc.ts';
import { ask, ORIGINS, startStored } from '../test/support/stored/stack.ts';

const DAY_MS = 86_400_000;
const BUYER_MICRO_USDC = 1_000_000_000n;
/** Longer answers are kept in the pack. */
const MAX_FACT_CHARS = 6_000;
const OTHER_KEY = 'other-key.json';
/** What the Workers still write after an answer. */
const SETTLE_MS = 3_000;
/** What nothing is lost without. */
const PASSING = [join(PACKED.state, 'cache'), join(PACKED.state, 'ratelimit'), join(PACKED.cli, '.cache'), OTHER_KEY];

const { values } = parseArgs({ options: { 'days-ago': { type: 'string', default: '0' } } });
const setBackMs = Number(values['days-ago']) * DAY_MS;
/** The clock of the recording. */
const startS = Math.floor((Date.now() - setBackMs) / 1000);
process.env['TELEMETRY'] = 'none';

const newSecret = (): string => randomBytes(32).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'sightline-record-'));
const inFolder = (name: string): string => join(folder, name);
for (const name of [PACKED.cli, PACKED.answers]) mkdirSync(inFolder(name), { mode: 0o700 });
const keyFile = inFolder(PACKED.key);
const stops: (() => Promise<unknown>)[] = [];
const kept = <T extends { stop: () => Promise<unknown> }>(part: T): T => {
  stops.unshift(() => part.stop());
  return part;
};

try {
  const recording = await recorded();
  await stop();
  for (const name of PASSING) rmSync(inFolder(name), { recursive: true, force: true });
  writeFileSync(inFolder(PACKED.secrets), JSON.stringify(recording.secrets));
  mkdirSync(dirname(FACTS), { recursive: true });
  writeFileSync(FACTS, `${JSON.stringify(recording.facts, null, 1)}\n`);
  const bytes = pack(folder);
  writeFileSync(PACK, bytes);
  console.log(`${recording.reads.length} answers, ${bytes.length} bytes`);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function stop(): Promise<void> {
  for (const each of stops.splice(0)) await each();
}

async function recorded(): Promise<Recording> {
  const chain = kept(await startChain());
  if (setBackMs > 0) await chain.client.request({ method: 'evm_setTime', params: [startS] } as never);
  const facilitator = kept(await startFacilitator({ rpcUrl: chain.rpcUrl }));
  const sites = kept(await startSites());
  const buyer = await chain.freshAccount(BUYER_MICRO_USDC);
  const seller = await chain.freshAccount();
  const rpcAnswers: RpcAnswers = {};
  const rpc = kept(await startRpc(rpcAnswers, chain.rpcUrl));
  const bindings = {
    PAY_TO: seller.address,
    LEDGER_SECRET: newSecret(),
    OPERATOR_SECRET: newSecret(),
    PAYMENTS_SINCE: String(startS - 60),
    TRANSFER_CONFIRMATIONS: '1',
    CONFIRMATIONS_ABOVE_1_USD: '1',
    ...buildDemoBuyerBindings(buyer.privateKey, newSecret()),
  };
  const webhookBindings = { CHANNEL_TOKEN_KEYS: `1:${newSecret()}` };
  let directoryKey: string | undefined;
  const workers = await startStored({
    folder: inFolder(PACKED.state),
    setBackMs,
    bindings: { ...bindings, RPC_URL: rpc.url, FACILITATOR_URL: facilitator.url },
    webhookBindings,
    directoryKey: () => directoryKey,
  });
  kept(workers.api);
  setBack(setBackMs); // Not before: miniflare compares its compatibility date with the real day.
  const order = { secret: bindings.OPERATOR_SECRET, resource: ORIGINS.control };
  const operator = await createOperatorAccess(workers.api.url, { ...order, keyFile });
  const other = await createOperatorAccess(workers.api.url, {
    ...order,
    keyFile: inFolder(OTHER_KEY),
    tenant: 'C00000002',
  });
  directoryKey = readFileSync(keyFile, 'utf8');
  const recording: Recording = {
    stack: stackOf({ chain, facilitator, sites, buyer, seller }, workers),
    cli: inFolder(PACKED.cli),
    keyFile,
    setBackMs,
    tokens: { control: operator?.access.token ?? '', other: other?.access.token ?? '' },
    facts: {},
    secrets: { bindings, webhookBindings, rpcAnswers },
    reads: [],
  };
  recording.tokens.webhook = await webhookToken(directoryKey);
  await recordEverything(recording);
  await finish(recording);
  return recording;
}

type Parts = Pick<Recording['stack'], 'chain' | 'facilitator' | 'sites' | 'buyer' | 'seller'>;

function stackOf(parts: Parts, { api }: StackWorkers): Recording['stack'] {
  return {
    ...parts,
    api,
    file: {
      ...ORIGINS,
      rpc: parts.chain.rpcUrl,
      facilitator: parts.facilitator.url,
      sites: { good: parts.sites.good, poor: parts.sites.poor },
      buyer: { address: parts.buyer.address, privateKey: parts.buyer.privateKey },
      seller: { address: parts.seller.address },
    },
    stop,
  };
}

async function webhookToken(key: string): Promise<string> {
  const token = await requestTokenByKey(
    { keyFile: key, resource: ORIGINS.webhook, scope: undefined },
    fetch,
    Date.now(),
  );
  if (!token.ok) throw new Error(token.detail);
  return token.accessToken;
}

async function recordEverything(recording: Recording): Promise<void> {
  await recordFiles(recording);
  await recordSales(recording);
  await recordPerson(recording);
  await recordCredits(recording);
  await recordOperator(recording, recording.secrets.bindings?.['OPERATOR_SECRET'] ?? '');
  await recordDirectory(recording);
  await recordNotifications(recording);
  await recordLogs(recording);
  await recordOthers(recording);
  await recordMediation(recording);
  await recordSearch(recording);
  await recordSnapshot(recording);
  await recordMcpSession(recording);
}

/** Reads everything once what is done in the background is done. */
async function finish(recording: Recording): Promise<void> {
  const { facts, secrets, tokens, reads } = recording;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  secrets.tokens = tokens as Secrets['tokens'];
  facts.reads = [];
  for (const read of reads) facts.reads.push(await answered(recording, read));
  facts.recordedAt = new Date().toISOString();
}

async function answered({ tokens, facts }: Recording, read: Omit<Read, 'answer'>): Promise<Read> {
  const answer = await ask({ ...read, token: read.token && tokens[read.token] });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${read.name}: ${answer.status} ${text.slice(0, 600)}`);
  if (text.length <= MAX_FACT_CHARS) return { ...read, answer: JSON.parse(text) as unknown };
  const file = `${(facts as Facts).reads.length}.json`;
  writeFileSync(join(inFolder(PACKED.answers), file), text);
  return { ...read, answer: null, file };
}
