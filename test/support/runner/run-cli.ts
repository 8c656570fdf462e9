import { runCommandLine } from '../../../src/cli/core/main.ts';

export type Ended = { status: number; out: string; err: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the command line in this process, one after another, with this environment and folder only. That a
 * process of its own starts, prints and ends is tested once for each command.
 */
export function runCli(args: readonly string[], at: { cwd: string; env?: Record<string, string> }): Promise<Ended> {
  const run = last.then(() => runHere(args, at));
  last = run.catch(() => undefined);
  return run;
}

async function runHere(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Ended> {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const texts = { out: '', err: '' };
  const { stdout, stderr } = process;
  const restore = [capture(stdout, (text) => (texts.out += text)), capture(stderr, (text) => (texts.err += text))];
  process.chdir(cwd);
  setEnvironment(env);
  try {
    const status = await runCommandLine(args);
    return { status, ...texts };
  } finally {
    setEnvironment(before.env);
    process.chdir(before.cwd);
    for (const undo of restore) undo();
  }
}

function capture(stream: NodeJS.WriteStream, add: (text: string) => void): () => void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const written = rest.at(-1);
    if (typeof written === 'function') written();
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** On the real object: parts of Node read the environment of the process, not the one of JavaScript. */
function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}
