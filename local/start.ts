// `npm start`: the whole service on this machine until Ctrl-C. No account, no internet, nothing is sent anywhere.
import { PRODUCT } from '../src/lib/product.ts';
import { parseArgs } from 'node:util';
import { AnvilMissing } from './chain/anvil.ts';
import { chooseDemoEngines } from './demo-engines.ts';
import { buildDocsBeside } from './docs-site.ts';
import { PortTaken } from './ports.ts';
import { type StopReason, waitForStopReason } from './processes/stop-reason.ts';
import type { Stack, StackPorts } from './stack.ts';
import { OPERATOR_KEY_FILE, STACK_FILE, TXT_RECORDS_FILE, writeStackFile } from './stack-file.ts';
import { findMailFolder, openLastingState, STATE_PARENT, type StackState, StateUnreadable } from './stack-state.ts';

const USAGE = `usage: npm start -- [options]

  --port <port>              api (8787); 0 takes random ports for everything that has no port of its own
  --control-port <port>      control Worker: management interfaces (8789)
  --webhook-port <port>      webhook Worker: push notifications and their channels (8788)
  --grpc-port <port>         gRPC in front of the control Worker (8790)
  --rpc-port <port>          local chain (8545)
  --facilitator-port <port>  x402 facilitator (4022)
  --stripe-port <port>       imitation of Stripe, for cards (4242)
  --site-port <port>         good demo site (8080); the poor one is on the next port
  --fresh                    new keys, chain and data; those of the last start are deleted
  --render                   audits with scores look at the start page in Chromium of this machine as well
`;
const DEFAULTS = {
  api: 8787,
  control: 8789,
  webhook: 8788,
  grpc: 8790,
  rpc: 8545,
  facilitator: 4022,
  stripe: 4242,
  good: 8080,
  poor: 8081,
};
const MAX_PORT = 65_535;
/** As on Base. */
const BLOCK_TIME_S = 2;
/** Longest time that stopping may take; then the process ends, and what it started with it. */
const STOP_TIMEOUT_MS = 10_000;
/** So much of it running requests have to finish, purchases among them; a Worker that hangs is killed then. */
const DRAIN_MS = 7_000;
/** What still keeps the process after that does not for longer. */
const LEFT_OVER_MS = 500;
/** Levels of the Workers' logs. */
const FAULTS: readonly string[] = ['warn', 'error'];
/** Lines of the Workers' logs that wait until the addresses are printed. */
const MAX_WAITING_LINES = 1_000;
type StartOptions = { ports: StackPorts; render: boolean; fresh: boolean };
const EXIT = { stopped: 0, failed: 1, usage: 2 } as const;

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options}\n${USAGE}`);
  process.exitCode = EXIT.usage;
} else {
  process.exitCode = await run(options);
  // A part that hangs must not keep the process: everything it started ends with it.
  setTimeout(() => process.exit(), LEFT_OVER_MS).unref();
}

async function run({ ports, render, fresh }: StartOptions): Promise<number> {
  const stopAsked = waitForStopReason(EXIT.failed);
  const logs = createLogPrinter();
  try {
    const state = openLastingState({ fresh });
    // Loaded only now: wrong usage is reported without waiting for the whole runtime.
    const { startStack } = await import('./stack.ts');
    // A signal during the start waits for the parts that are coming up, so that they can be stopped in order.
    const stack = await startStack({
      ports,
      render,
      state,
      blockTimeS: BLOCK_TIME_S,
      log: logs.print,
      operatorKeyFile: OPERATOR_KEY_FILE,
      txtRecordsFile: TXT_RECORDS_FILE,
      bindings: chooseDemoEngines(process.env),
    });
    return await serve(stack, findMailFolder(state.folder), stopAsked, () => {
      printState(state, fresh);
      logs.open();
    });
  } catch (error) {
    logs.open();
    process.stderr.write(`${explain(error)}\n`);
    return EXIT.failed;
  }
}

async function serve(
  stack: Stack,
  mailFolder: string,
  stopAsked: Promise<StopReason>,
  onReady: () => void,
): Promise<number> {
  try {
    const removeFile = writeStackFile(stack.file);
    process.once('exit', removeFile);
    const docs = buildDocsBeside((line) => process.stdout.write(`${line}\n`));
    process.once('exit', docs.stop);
    printReady(stack, docs.note, mailFolder);
    onReady();
    const chainEnded = stack.chain.ended.then(() => 'the local chain ended' as const);
    const reason = await Promise.race([stopAsked, chainEnded]);
    process.stdout.write(`Stopping (${reason}) ...\n`);
    docs.stop();
    removeFile();
    return reason === 'the local chain ended' ? EXIT.failed : EXIT.stopped;
  } finally {
    await waitWithinLimit(drainAndStop(stack));
  }
}

async function drainAndStop(stack: Stack): Promise<void> {
  try {
    const isDone = await stack.api.drain(DRAIN_MS);
    if (!isDone) process.stderr.write(`Requests that ran longer than ${DRAIN_MS / 1000} s were broken off.\n`);
  } finally {
    await stack.stop();
  }
}

function waitWithinLimit(stopping: Promise<void>): Promise<void> {
  const limit = new Promise<void>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`stopping took longer than ${STOP_TIMEOUT_MS} ms`)), STOP_TIMEOUT_MS).unref();
  });
  return Promise.race([stopping, limit]);
}

function printReady({ file }: Stack, docsNote: string, mailFolder: string): void {
  const rows = [
    ['api', file.api],
    ['docs', `${file.api}/docs/${docsNote}`],
    ['sign in', `${file.api}/signin  ("Sign in as the demo buyer")`],
    ['operators', `${file.api}/console/  (operator.secret in ${STACK_FILE})`],
    ['mcp', `${file.api}/mcp  (paid per call), ${file.api}/mcp-account  (sign-in, credits)`],
    ...(file.control
      ? [
          ['control', `${file.control}  (management interfaces, for the vendors' clients)`],
          ['console', `${file.control}/console/`],
        ]
      : []),
    ...(file.grpc ? [['grpc', `${file.grpc}  (logging, tracing, quotas; in plain text)`]] : []),
    ...(file.webhook
      ? [['webhook', `${file.webhook}  (push notifications of the directory; its cron runs each minute)`]]
      : []),
    ['chain', `${file.rpc}  (id 8453, only on this machine)`],
    ['facilitator', file.facilitator],
    ['cards', `${file.stripe} (imitation of Stripe)`],
    ['good site', file.sites.good],
    ['poor site', file.sites.poor],
    ['dns', `${TXT_RECORDS_FILE}  (TXT records that prove hosts, for you to edit)`],
    ['buyer', `${file.buyer.address}  (1000 demo USDC)`],
    ['seller', file.seller.address],
    ['mails', `${file.api}/local/mails  (nothing is sent; files in ${mailFolder})`],
    ...(file.operator
      ? [
          ['key file', `${file.operator.keyFile}  (service account of the operator, every scope)`],
          ['token', `${file.operator.token}  (its first token for control, one hour; also in .local/stack.json)`],
        ]
      : []),
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(12)} ${value}`);
  process.stdout.write(
    `${PRODUCT} is ready. Open ${file.api}/ in a browser.\n${lines.join('\n')}\n\nBuy an audit:  npm run buy -- full_audit ${file.sites.good}/\nStop:          Ctrl-C\n\n`,
  );
}

function printState({ holder, chainFile }: StackState, fresh: boolean): void {
  const line =
    chainFile === undefined
      ? `Another stack (process ${holder}) uses ${STATE_PARENT}: this one's data is gone when it stops.`
      : `Data stays in ${STATE_PARENT}${fresh ? '' : '; --fresh begins with none'}.`;
  process.stdout.write(`${line}\n\n`);
}

/**
 * Prints what the Workers log from the moment on that the addresses are printed, and faults of before: nothing goes above
 * what a reader looks for, and the stack's own calls of its start are no news.
 */
function createLogPrinter(): { print: (level: string, message: string) => void; open: () => void } {
  let waiting: string[] | undefined = [];
  return {
    print: (level, message) => {
      const line = `[worker ${level}] ${message.trimEnd()}\n`;
      if (waiting === undefined) process.stdout.write(line);
      else if (FAULTS.includes(level) && waiting.length < MAX_WAITING_LINES) waiting.push(line);
    },
    open: () => {
      for (const line of waiting ?? []) process.stdout.write(line);
      waiting = undefined;
    },
  };
}

/** What a person can act on needs no stack trace. */
function explain(error: unknown): string {
  if (error instanceof PortTaken || error instanceof AnvilMissing || error instanceof StateUnreadable)
    return error.message;
  if (error instanceof AggregateError) return [error.message, ...error.errors.map(explain)].join('\n');
  if (error instanceof Error && 'errors' in error) return error.message; // esbuild names the file and line itself.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function readOptions(args: string[]): StartOptions | string {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: option,
        'control-port': option,
        'webhook-port': option,
        'grpc-port': option,
        'rpc-port': option,
        'facilitator-port': option,
        'stripe-port': option,
        'site-port': option,
        fresh: { type: 'boolean' },
        render: { type: 'boolean' },
      },
    });
    const api = parsePortOption('--port', values.port);
    const isRandom = api === 0;
    const good = parsePortOption('--site-port', values['site-port']) ?? (isRandom ? 0 : DEFAULTS.good);
    const ports = {
      api: api ?? DEFAULTS.api,
      control: parsePortOption('--control-port', values['control-port']) ?? (isRandom ? 0 : DEFAULTS.control),
      webhook: parsePortOption('--webhook-port', values['webhook-port']) ?? (isRandom ? 0 : DEFAULTS.webhook),
      grpc: parsePortOption('--grpc-port', values['grpc-port']) ?? (isRandom ? 0 : DEFAULTS.grpc),
      rpc: parsePortOption('--rpc-port', values['rpc-port']) ?? (isRandom ? 0 : DEFAULTS.rpc),
      facilitator:
        parsePortOption('--facilitator-port', values['facilitator-port']) ?? (isRandom ? 0 : DEFAULTS.facilitator),
      stripe: parsePortOption('--stripe-port', values['stripe-port']) ?? (isRandom ? 0 : DEFAULTS.stripe),
      good,
      poor: good === 0 ? 0 : good + 1,
    };
    return { ports, render: values.render === true, fresh: values.fresh === true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function parsePortOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port >= MAX_PORT) throw new Error(`${name} takes a port number, not "${text}".`);
  return port;
}
