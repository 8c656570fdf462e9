import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const READY_TIMEOUT_MS = 20_000;
/** For a child that takes parts of its own down before it ends. */
const FINISH_TIMEOUT_MS = 20_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export type Child = { pid: number; stop: () => Promise<void> };

/** Starts a program that ends with this one. What it writes is dropped, but for errors when `loud`. */
export function start(file: string, args: readonly string[], loud = false): Child & { child: ChildProcess } {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', loud ? 'inherit' : 'ignore'] });
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

/** Ends a child by the end of its input, which it waits for, so that it can clean up; kills it when that takes too long. */
async function finished(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  if (!isOver()) await once(child, 'exit', { signal: AbortSignal.timeout(FINISH_TIMEOUT_MS) }).catch(() => undefined); // Late: killed below.
  await stopped(child);
}

/** Starts a script of ours that prints `{ port }` as its first line. */
export async function startServer(script: string, args: readonly string[] = []): Promise<Child & { port: number }> {
  const { child, ...rest } = start(process.execPath, [script, ...args], true);
  const { port } = await firstLine<{ port: number }>(child, script, READY_TIMEOUT_MS);
  return { ...rest, port };
}

/** Starts a script of ours whose first line is JSON that says where it is, and which stops when its input ends. */
export async function startPrinting<T extends object>(
  script: string,
  args: readonly string[],
  readyMs = READY_TIMEOUT_MS,
): Promise<Child & T> {
  const { child, pid } = start(process.execPath, [script, ...args], true);
  return { ...(await firstLine<T>(child, script, readyMs)), pid, stop: () => finished(child) };
}

async function firstLine<T>(child: ChildProcess, script: string, timeoutMs: number): Promise<T> {
  if (!child.stdout) throw new Error('the output of the child is a pipe');
  const lines = createInterface({ input: child.stdout });
  const ended = new AbortController();
  child.once('exit', (code) => ended.abort(new Error(`${script} ended with ${code}`)));
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]);
  const [line] = (await once(lines, 'line', { signal })) as [string];
  return JSON.parse(line) as T;
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
