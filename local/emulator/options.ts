import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { faultBody, type FaultBody, type ClockBody } from '../../src/management/emulator/bodies.ts';
import { WrongInput } from './wrong-input.ts';

export const USAGE = `usage: sightline emulator [options]

  --port <port>            port of the emulator (9099); 0 takes a free one
  --host <address>         127.0.0.1, localhost or ::1: an emulator listens on this machine only
  --grpc-port <port>       also speak gRPC for Logging, Trace and Quotas; 0 takes a free one
  --seed <file>            what tenants begin with (JSON; docs/platform/emulator.md)
  --import <dir>           begin with what an emulator exported
  --export-on-exit <dir>   write what is there to a folder when the emulator stops
  --no-auth                take any token, or none: every caller is the operator of a sandbox tenant
  --clock <time|running>   frozen clock of every tenant, such as 2026-01-15T09:00:00Z
  --random-seed <text>     the same ids in every run
  --faults <file>          faults of every tenant: a JSON list of bodies of POST /v1/faults
  --keys <dir>             where key files of the seed's accounts are written (default: a folder that goes with the emulator)
  --verbose                show what the emulator's Worker logs, on standard error
  --json                   print what runs as one line of JSON instead of export lines
`;

export type EmulatorOptions = {
  port: number;
  host: '127.0.0.1' | '::1';
  grpcPort?: number;
  seed?: string;
  importFrom?: string;
  exportTo?: string;
  noAuth: boolean;
  clock?: ClockBody;
  randomSeed?: string;
  faults: readonly FaultBody[];
  keys?: string;
  json: boolean;
  verbose: boolean;
};

const DEFAULT_PORT = 9099;
const MAX_PORT = 65_535;
const MAX_FAULTS_FILE_BYTES = 1_048_576;
const MAX_RANDOM_SEED = 100;
const LOOPBACK_HOSTS: Readonly<Record<string, EmulatorOptions['host']>> = {
  '127.0.0.1': '127.0.0.1',
  localhost: '127.0.0.1',
  '::1': '::1',
};
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Reads the command line. `help`: only the usage is asked for. @throws WrongInput saying what is wrong */
export function readEmulatorOptions(args: readonly string[]): EmulatorOptions | 'help' {
  const values = parseWords(args);
  if (values.help === true) return 'help';
  const { seed, import: importFrom, 'export-on-exit': exportTo, keys, clock, 'grpc-port': grpc } = values;
  const randomSeed = values['random-seed'];
  if (randomSeed !== undefined && (randomSeed === '' || randomSeed.length > MAX_RANDOM_SEED))
    throw new WrongInput(`--random-seed takes 1 to ${MAX_RANDOM_SEED} characters.`);
  return {
    port: parsePort('--port', values.port) ?? DEFAULT_PORT,
    host: parseHost(values.host ?? '127.0.0.1'),
    noAuth: values['no-auth'] === true,
    json: values.json === true,
    verbose: values.verbose === true,
    faults: values.faults === undefined ? [] : readFaultsFile(values.faults),
    ...(grpc === undefined ? {} : { grpcPort: parsePort('--grpc-port', grpc) ?? 0 }),
    ...(clock === undefined ? {} : { clock: parseClock(clock) }),
    ...(seed === undefined ? {} : { seed }),
    ...(importFrom === undefined ? {} : { importFrom }),
    ...(exportTo === undefined ? {} : { exportTo }),
    ...(randomSeed === undefined ? {} : { randomSeed }),
    ...(keys === undefined ? {} : { keys }),
  };
}

function parseWords(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        host: text,
        'grpc-port': text,
        seed: text,
        import: text,
        'export-on-exit': text,
        'no-auth': flag,
        clock: text,
        'random-seed': text,
        faults: text,
        keys: text,
        json: flag,
        verbose: flag,
        help: { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new WrongInput(error instanceof Error ? error.message : String(error));
  }
}

/** Who reaches an emulator may do anything with it, so no other address is taken. */
function parseHost(host: string): EmulatorOptions['host'] {
  const own = Object.hasOwn(LOOPBACK_HOSTS, host) ? LOOPBACK_HOSTS[host] : undefined;
  if (own !== undefined) return own;
  const what = isIP(host) === 0 ? 'a name' : 'an address';
  throw new WrongInput(
    `--host ${host}: ${what} that others can reach is refused. An emulator listens on 127.0.0.1, localhost or ::1 only.`,
  );
}

function parsePort(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (!/^\d{1,5}$/.test(given) || port > MAX_PORT) throw new WrongInput(`${name} takes a port number, not "${given}".`);
  return port;
}

function parseClock(given: string): ClockBody {
  if (given === 'running') return { mode: 'running' };
  const nowMs = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(nowMs) || nowMs < 0)
    throw new WrongInput(`--clock takes "running" or a time such as 2026-01-15T09:00:00Z, not "${given}".`);
  return { mode: 'frozen', nowMs };
}

function readFaultsFile(file: string): readonly FaultBody[] {
  const faults = z.array(faultBody).safeParse(readJsonFile(file, MAX_FAULTS_FILE_BYTES, '--faults'));
  if (faults.success) return faults.data;
  const { path, message } = faults.error.issues[0] ?? { path: [], message: '' };
  throw new WrongInput(`--faults ${file}: ${path.join('.') || 'the file'}: ${message}`);
}

/** What a JSON file holds. @throws WrongInput where it cannot be read or is none */
export function readJsonFile(file: string, maxBytes: number, option: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongInput(
      `${option} ${file}: it cannot be read (${error instanceof Error ? error.message : 'no reason'}).`,
    );
  }
  if (Buffer.byteLength(content) > maxBytes)
    throw new WrongInput(`${option} ${file}: it has more than ${maxBytes} bytes.`);
  try {
    return JSON.parse(content) as unknown;
  } catch (error) {
    throw new WrongInput(`${option} ${file}: it is no JSON (${error instanceof Error ? error.message : 'no reason'}).`);
  }
}
