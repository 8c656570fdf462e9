import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOOPBACK } from '../../../local/ports.ts';
import { type StackWorkers, startWorkers } from '../../../local/stack-workers.ts';

/**
 * Stored tokens name origins, so each recording has ports of its own: the first of them is had by who uses the others. They
 * are outside of what `reservePort` and systems give.
 */
const FIRST_PORTS = { finished: 32_610, inFlight: 32_620 } as const;
const TURN_WAIT_MS = 90_000;
const TURN_LOOK_MS = 500;
const MAX_OUTPUT_BYTES = 100_000_000;

export type Place = 'api' | 'control' | 'webhook' | 'outside';
const portsAfter = (turn: number) => ({ api: turn + 1, control: turn + 2, webhook: turn + 3, outside: turn + 4 });
const originsAfter = (turn: number): Record<Place, string> => {
  const origin = (port: number): string => `http://${LOOPBACK}:${port}`;
  const { api, control, webhook, outside } = portsAfter(turn);
  return { api: origin(api), control: origin(control), webhook: origin(webhook), outside: origin(outside) };
};

let turnPort: number = FIRST_PORTS.finished;
/** Of the Workers, and of what they read and send to on this machine. */
export const ORIGINS = originsAfter(turnPort);

/** Changes `ORIGINS` to those of another recording, for this process. */
export function useOriginsOf(recording: keyof typeof FIRST_PORTS): void {
  turnPort = FIRST_PORTS[recording];
  Object.assign(ORIGINS, originsAfter(turnPort));
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const CLI = fileOf('../../../dist/cli.js');

export type StoredStack = {
  /** Of the Workers' state. */
  folder: string;
  bindings: Record<string, string>;
  webhookBindings: Record<string, string>;
  /** The key file that the webhook Worker reads the directory with. */
  directoryKey: () => string | undefined;
  controlBindings?: Record<string, string>;
  /** How far the clock is set back. */
  setBackMs: number;
  /** Gives the ports to the next run: where they were waited for before. */
  release?: () => void;
};

/** The Workers of the local stack on a folder of stored data, always on the same ports: one run after the other. */
export async function startStored({ folder, setBackMs, ...settings }: StoredStack): Promise<StackWorkers> {
  // Stored tokens and payments name the origin of then, as an upgrade of a deployment leaves it: the address, and not the name.
  const own = { BASE_URL: ORIGINS.api, CLOCK_SET_BACK_MS: String(setBackMs) };
  const release = settings.release ?? (await waitForPorts());
  try {
    const workers = await startWorkers({
      ports: portsAfter(turnPort),
      persistTo: folder,
      blockedPorts: [],
      entry: fileOf('api-worker.ts'),
      controlEntry: fileOf('control-worker.ts'),
      webhookEntry: fileOf('webhook-worker.ts'),
      bindings: { ANSWER_ENGINE: 'simulated', ...settings.bindings, ...own },
      controlBindings: { EMBEDDING_ENGINE: 'simulated', ...settings.controlBindings, ...own },
      webhookBindings: { ...settings.webhookBindings, ...own },
      directoryKey: settings.directoryKey,
    });
    return { ...workers, api: { ...workers.api, stop: () => workers.api.stop().finally(release) } };
  } catch (error) {
    release();
    throw error;
  }
}

/** Waits while another run has the ports. @returns gives them to the next one; the end of this process does it too */
export async function waitForPorts(): Promise<() => void> {
  const deadline = Date.now() + TURN_WAIT_MS;
  for (;;) {
    const sign = createServer((socket) => socket.destroy());
    const isOurs = await new Promise((resolve) => {
      sign.once('error', () => resolve(false)).listen(turnPort, LOOPBACK, () => resolve(true));
    });
    if (isOurs === true) {
      sign.unref();
      return () => void sign.close();
    }
    if (Date.now() > deadline) throw new Error(`port ${turnPort} is taken: another run reads stored data`);
    await sleep(TURN_LOOK_MS);
  }
}

export type Asked = {
  at: Place;
  /** `GET /path` */
  call: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  token?: string | undefined;
};

/** One request to a Worker. */
export function ask({ at, call, body, headers = {}, token }: Asked): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  return fetch(`${ORIGINS[at]}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export type Ended = { status: number; out: string; err: string };

/** Runs the built command line in a folder of its own, with its settings there too. */
export function sightlineAt(folder: string, setBackMs: number, args: readonly string[]): Promise<Ended> {
  const options = {
    cwd: folder,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { PATH: '/nowhere', HOME: folder, XDG_CONFIG_HOME: folder, CLOCK_SET_BACK_MS: String(setBackMs) },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', fileOf('node-clock.ts'), CLI, ...args], options, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
}
