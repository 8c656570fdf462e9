import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const SOURCE = new URL('../../../local/processes/stop-reason.ts', import.meta.url);
const TERMINAL = fileURLToPath(new URL('../../support/runner/terminal.py', import.meta.url));
const SECOND_CODE = 7;
/** Says that it is up, and then its reason on another output: the first may be gone. It goes on until it is killed. */
const PROGRAM = `import { writeSync } from 'node:fs';
import { waitForStopReason } from '${SOURCE.href}';
setInterval(() => undefined, 1_000);
const reason = waitForStopReason(${SECOND_CODE});
process.stdout.write('up ' + process.pid + '\\n');
writeSync(3, (await reason) + '\\n');
setTimeout(() => writeSync(3, 'still here\\n'), 200);`;

type Program = { child: ChildProcessWithoutNullStreams; pid: number; reasons: () => string };
const running: Program[] = [];

afterEach(() => {
  for (const { child, pid } of running.splice(0)) {
    child.kill('SIGKILL');
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

/** @param before words of a command that starts the program */
async function launch(before: readonly string[] = [], more: Record<string, string> = {}): Promise<Program> {
  const [command, ...args] = [...before, process.execPath, '--input-type=module', '-e', PROGRAM];
  const { npm_lifecycle_event: _own, ...env } = process.env;
  const child = spawn(command, args, { env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  let [output, reasons] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdio[3]?.on('data', (bytes: Buffer) => (reasons += bytes.toString()));
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/up \d+/);
  const program = { child, pid: Number(/up (\d+)/.exec(output)?.[1]), reasons: () => reasons };
  running.push(program);
  return program;
}

async function expectReason({ reasons }: Program, reason: string): Promise<void> {
  await expect.poll(reasons, { timeout: 10_000 }).toMatch(new RegExp(`^${reason}\n`));
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s is a reason to stop', async (signal) => {
  const program = await launch();
  process.kill(program.pid, signal);
  await expectReason(program, signal);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to all of a group, which npm passes on as well, is one signal; a later one ends the program at once',
  async (signal) => {
    const { child, pid, ...program } = await launch([], { npm_lifecycle_event: 'start' });
    process.kill(pid, signal);
    await expectReason({ child, pid, ...program }, signal);
    process.kill(pid, signal);
    const sendAgain = (): number | null => {
      if (child.exitCode === null) process.kill(pid, signal);
      return child.exitCode;
    };
    await expect.poll(program.reasons, { timeout: 10_000 }).toContain('still here');
    await expect.poll(sendAgain, { timeout: 10_000 }).toBe(SECOND_CODE);
  },
);

test('without npm a second signal ends the program at once, however soon it comes', async () => {
  const program = await launch();
  process.kill(program.pid, 'SIGTERM');
  await expectReason(program, 'SIGTERM');
  process.kill(program.pid, 'SIGTERM');
  await expect.poll(() => program.child.exitCode, { timeout: 10_000 }).toBe(SECOND_CODE);
});

test('an output that no one reads any more is noticed by a program that prints nothing', async () => {
  const program = await launch();
  program.child.stdout.destroy();
  await expectReason(program, 'the terminal is gone');
});

test('the end of a terminal is noticed, by its signal, and where another session gets none', async () => {
  const program = await launch(['python3', TERMINAL]);
  program.child.stdin.end();
  await expectReason(program, 'SIGHUP');
  const other = await launch(['python3', TERMINAL, 'setsid', '--wait']);
  other.child.stdin.end();
  await expectReason(other, 'the terminal is gone');
});
