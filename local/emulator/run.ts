import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PortTaken, reservePort } from '../ports.ts';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { formatExportLines, listClientVariables } from './client-variables.ts';
import { writeTenants, takeFolder } from './folder.ts';
import { type EmulatorOptions, readEmulatorOptions, USAGE } from './options.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { type Beginning, findProject, planSetups, readBeginning, writeKeyFiles, type WrittenKey } from './setups.ts';
import { WrongInput } from './wrong-input.ts';

const EXIT = { stopped: 0, failed: 1, usage: 2 } as const;
const TOKEN_BYTES = 24;
const LOOK_AT_PARENT_MS = 250;
const FIRST_TENANT = 'C00000001';
/** Beside the bundle of this program; in a checkout, where the build puts it. */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/emulator/', import.meta.url));

/** An emulator that runs. */
type Running = {
  control: string;
  token: string;
  /** Of the first tenant. */
  project: string;
  keys: readonly WrittenKey[];
  grpcPort?: number;
  runtime: Runtime;
  /** Writes what is there, where that is wanted. @returns whether all of it could be written */
  save: () => Promise<boolean>;
  stop: () => Promise<void>;
};

/**
 * Runs an emulator until a signal ends it.
 * @returns the exit status: 0 when it was stopped, 2 for input that cannot be used, 1 for anything else
 */
export async function runEmulator(args: readonly string[]): Promise<number> {
  const asked = waitForStop();
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const options = readEmulatorOptions(args);
    if (options === 'help') return printText(USAGE);
    const running = await startEmulator(options, cleanups);
    printReady(running, options);
    const ended = await Promise.race([asked, running.runtime.ended.then((said) => ({ said }))]);
    if (typeof ended === 'object') throw new Error(`The emulator's Worker ended:\n${ended.said}`);
    return (await running.save()) ? EXIT.stopped : EXIT.failed;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return error instanceof WrongInput || error instanceof PortTaken ? EXIT.usage : EXIT.failed;
  } finally {
    for (const clean of cleanups.toReversed()) await clean();
  }
}

async function startEmulator(options: EmulatorOptions, cleanups: (() => void | Promise<void>)[]): Promise<Running> {
  const { exportTo, host, noAuth } = options;
  if (exportTo !== undefined) cleanups.push(takeFolder(resolve(exportTo), '--export-on-exit'));
  const beginning = readBeginning(options);
  const port = await reservePort(options.port, 'the emulator', '--port');
  const grpcPort =
    options.grpcPort === undefined ? undefined : await reservePort(options.grpcPort, 'gRPC', '--grpc-port');
  const control = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;
  const [token, secret] = [generateToken(), generateToken()];
  const bindings = buildBindings({
    control,
    token,
    secret,
    ports: [port, ...(grpcPort === undefined ? [] : [grpcPort])],
  });
  const log = options.verbose ? (text: string) => void process.stderr.write(text) : undefined;
  const runtime = await startRuntime({ script: findBuiltFile('worker.js'), host, port, noAuth, bindings, log });
  cleanups.push(runtime.stop);
  const admin = createAdminClient(control, secret);
  for (const setup of planSetups(beginning, options)) {
    const untaken = await admin.setUpTenant(setup);
    if (untaken !== undefined) process.stderr.write(`${untaken}\n`);
  }
  const keys = await writeKeyFiles(beginning, openKeyFolder(options, beginning, cleanups), admin);
  if (grpcPort !== undefined) cleanups.push((await startGrpc(grpcPort, control, host)).close);
  return {
    control,
    token,
    project: findProject(FIRST_TENANT, beginning),
    keys,
    runtime,
    ...(grpcPort === undefined ? {} : { grpcPort }),
    stop: runtime.stop,
    save: async () => (exportTo === undefined ? true : saveTenants(resolve(exportTo), exportTo, admin)),
  };
}

/** Exports to a folder, and says what came of it. @returns whether every tenant is in it */
async function saveTenants(folder: string, name: string, admin: AdminClient): Promise<boolean> {
  const { written, unread } = await writeTenants(folder, admin);
  process.stderr.write(`Exported ${written} tenants to ${name}.\n`);
  for (const { id, reason } of unread)
    process.stderr.write(`Not exported: ${id}, which the folder keeps as it had it before, if it did: ${reason}\n`);
  return unread.length === 0;
}

type BindingFacts = { control: string; token: string; secret: string; ports: readonly number[] };

/** Everything is a sandbox, full URLs of our own origin are taken in batches, and chats cost nothing. */
const buildBindings = ({ control, token, secret, ports }: BindingFacts): Record<string, string> => ({
  BASE_URL: control,
  CONTROL_URL: control,
  EMULATOR: 'all',
  TELEMETRY: 'none',
  BATCH_FULL_URLS: 'own-origin',
  ANSWER_ENGINE: 'simulated',
  CHAT_USD: '0',
  EMULATOR_TOKEN: token,
  ADMIN_TOKEN: secret,
  LOCAL_BLOCKED_PORTS: ports.join(','),
});

const generateToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** A file of the build. @throws Error where it was not built */
function findBuiltFile(name: string): string {
  const found = [join(HERE, name), join(BUILT, name)].find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(`${name} is not built: run "node scripts/build-emulator.js" in the checkout.`);
  return found;
}

function openKeyFolder({ keys }: EmulatorOptions, { seeds }: Beginning, cleanups: (() => void)[]): string {
  if (keys !== undefined || seeds.every(({ accounts }) => accounts.length === 0)) return resolve(keys ?? '.');
  const folder = mkdtempSync(join(tmpdir(), 'sightline-keys-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Codes of a module that is not installed, by `import` and by `require`. */
const MISSING: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

type GrpcFront = { port: number; close: () => Promise<void> };
type GrpcModule = {
  startGrpcFront: (options: { port: number; control: string; host?: string }) => Promise<GrpcFront>;
};

/** The gRPC front is loaded only when it is asked for: its packages are optional. @throws WrongInput saying what to install */
async function startGrpc(port: number, control: string, host: string): Promise<GrpcFront> {
  const built = join(HERE, 'grpc-front.js');
  const file = existsSync(built) ? built : join(HERE, '../grpc/front.ts');
  try {
    const { startGrpcFront } = (await import(pathToFileURL(file).href)) as GrpcModule;
    return await startGrpcFront({ port, control, host });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MISSING.has(error.code))) throw error;
    throw new WrongInput(
      '--grpc-port needs three more packages: npm install --save-dev @grpc/grpc-js @grpc/proto-loader google-proto-files',
    );
  }
}

function printReady({ control, token, project, keys, grpcPort, runtime }: Running, options: EmulatorOptions): void {
  const keyFile = keys[0]?.file;
  const variables = listClientVariables({
    control,
    token,
    project,
    ...(grpcPort === undefined ? {} : { grpcPort }),
    ...(keyFile === undefined ? {} : { keyFile }),
  });
  if (options.json) {
    const facts = { control, token, no_auth: options.noAuth, pid: process.pid, workerd: runtime.pid() };
    const more = {
      ...(grpcPort === undefined ? {} : { grpc_port: grpcPort }),
      keys: keys.map(toPrintedKey),
      env: variables,
    };
    printText(`${JSON.stringify({ ...facts, ...more })}\n`);
    return;
  }
  const named = keys.map(({ tenant, account, file }) => `# key file of ${account} (${tenant}): ${file}\n`).join('');
  const open = options.noAuth ? '# any token or none is the operator of C00000001\n' : '';
  printText(`# The emulator is ready: ${control}/\n${open}${named}${formatExportLines(variables)}# Ctrl-C stops it.\n`);
}

const toPrintedKey = ({ tenant, account, file, actsFor }: WrittenKey) => ({ tenant, account, file, acts_for: actsFor });

function printText(text: string): number {
  process.stdout.write(text);
  return EXIT.stopped;
}

/**
 * The first signal asks to stop; a second one ends the process at once, and workerd with it. npx and npm pass no signal on: under
 * them, that they are gone asks too.
 */
function waitForStop(): Promise<NodeJS.Signals | 'parent gone'> {
  return new Promise((stop) => {
    let asked = false;
    const parent = process.ppid;
    const isUnderNpm = process.env['npm_execpath'] !== undefined;
    if (isUnderNpm) setInterval(() => void (process.ppid === parent || stop('parent gone')), LOOK_AT_PARENT_MS).unref();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.failed);
        asked = true;
        stop(signal);
      });
    }
  });
}

/** What a person can act on needs no stack trace. */
function explain(error: unknown): string {
  if (error instanceof WrongInput || error instanceof PortTaken) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
