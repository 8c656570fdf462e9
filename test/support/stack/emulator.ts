import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** The program as the build made it. */
export const EMULATOR = fileURLToPath(new URL('../../../dist/emulator/sightline-emulator.js', import.meta.url));
const HANGS_MS = 60_000;

const factsSchema = z.object({
  control: z.url(),
  token: z.string(),
  no_auth: z.boolean(),
  pid: z.int(),
  workerd: z.int(),
  grpc_port: z.int().optional(),
  keys: z.array(z.object({ tenant: z.string(), account: z.string(), file: z.string(), acts_for: z.array(z.string()) })),
  env: z.record(z.string(), z.string()),
});

export type StartedEmulator = z.output<typeof factsSchema> & {
  child: ChildProcess;
  /** Calls it: JSON in, status and JSON out. */
  call: (path: string, options?: CallOptions) => Promise<{ status: number; body: any }>;
  /** Ends it by a signal. @returns its exit status, and what it wrote to standard error */
  stop: (signal?: NodeJS.Signals) => Promise<Ended>;
};

type CallOptions = { method?: string; body?: unknown; headers?: Record<string, string> };
export type Ended = { code: number | null; signal: NodeJS.Signals | null; said: string };

const running = new Set<ChildProcess>();

/** Starts an emulator on a free port, and returns when it is ready. @throws Error with what it said when it ends before */
export async function startEmulator(
  args: readonly string[] = ['--no-auth'],
  program = EMULATOR,
): Promise<StartedEmulator> {
  const { child, ended, firstLine } = spawnEmulator(['--port', '0', '--json', ...args], program);
  const line = await Promise.race([firstLine, ended]);
  if (typeof line !== 'string') throw new Error(`The emulator ended with ${line.code}: ${line.said}`);
  const facts = factsSchema.parse(JSON.parse(line));
  return {
    ...facts,
    child,
    call: async (path, { method, body, headers } = {}) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${facts.control}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...sent,
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs one that is expected to end by itself. */
export async function runEmulatorToItsEnd(args: readonly string[]): Promise<Ended & { printed: string }> {
  const { ended, printed } = spawnEmulator(args, EMULATOR);
  return { ...(await ended), printed: printed() };
}

function spawnEmulator(args: readonly string[], program: string) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let [said, printed] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('\n')) resolve(printed.split('\n')[0] ?? '');
    });
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, said });
    });
  });
  return { child, ended, firstLine, printed: () => printed };
}

/** Ends what a test left running. */
export function killEmulators(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

/** A file in a folder of its own. */
export function writeTemporaryFile(name: string, content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'emulator-test-')), name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // It is gone.
  }
}

/** Waits until a process is gone, as long as a machine that hangs would take. */
export async function waitUntilGone(pid: number): Promise<void> {
  for (const endMs = Date.now() + HANGS_MS; isRunning(pid); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > endMs) throw new Error(`process ${pid} is still there`);
}

export const USERS = '/admin/directory/v1/users';
export const LIST_USERS = `${USERS}?customer=my_customer`;

/** A user as `users.insert` takes it. */
export const userBody = (name: string, domain = 'example.com') => ({
  primaryEmail: `${name}@${domain}`,
  password: 'correct horse battery',
  name: { givenName: name, familyName: 'Test' },
});

/** Addresses of the users that a list has. */
export const emailsOf = (list: { users?: { primaryEmail: string }[] }): string[] =>
  (list.users ?? []).map(({ primaryEmail }) => primaryEmail);
