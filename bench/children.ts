import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const READY_TIMEOUT_MS = 20_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export type Child = { pid: number; stop: () => Promise<void> };

/** Starts a program that ends with this one. What it writes is dropped, but for errors when `loud`. */
export function start(file: string, args: readonly string[], loud = false): Child & { child: ChildProcess } {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', loud ? 'inherit' : 'ignore'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { pid: child.pid, stop, child };
}

/** Starts a script of ours that prints `{ port }` as its first line. */
export async function startServer(script: string, args: readonly string[] = []): Promise<Child & { port: number }> {
  const { child, ...rest } = start(process.execPath, [script, ...args], true);
  if (!child.stdout) throw new Error('the output of the child is a pipe');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })) as [string];
  return { ...rest, port: (JSON.parse(line) as { port: number }).port };
}

/** Runs a Node script to its end and returns what it printed. @throws Error when it exits with another code than 0. */
export async function runNode(args: readonly string[]): Promise<string> {
  const { child } = start(process.execPath, args, true);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return text;
}
