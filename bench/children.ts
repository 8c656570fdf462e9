import { type ChildProcess, fork, spawn } from 'node:child_process';
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
  return { pid: child.pid, stop: () => stopped(child), child };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Starts a script of ours that prints `{ port }` as its first line. */
export async function startServer(script: string, args: readonly string[] = []): Promise<Child & { port: number }> {
  const { child, ...rest } = start(process.execPath, [script, ...args], true);
  if (!child.stdout) throw new Error('the output of the child is a pipe');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })) as [string];
  return { ...rest, port: (JSON.parse(line) as { port: number }).port };
}

/** A child that answers each message with one of its own; undefined when that takes longer than `timeoutMs`. */
export type Answering = Child & { ask: <T>(question: object, timeoutMs: number) => Promise<T | undefined> };

/** Starts a script of ours that answers messages. @throws Error from `ask` when the child ends instead of answering. */
export function startAnswering(script: string, args: readonly string[] = []): Answering {
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (child.pid === undefined) throw new Error(`${script} did not start`);
  const ask = <T>(question: object, timeoutMs: number): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`${script} ended with ${code}`));
      const settle = (answer: T | undefined): void => {
        clearTimeout(timer);
        child.off('exit', ended).off('message', settle);
        resolve(answer);
      };
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      child.once('exit', ended).once('message', settle);
      child.send(question);
    });
  return { pid: child.pid, stop: () => stopped(child), ask };
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
