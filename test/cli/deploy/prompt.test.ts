import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const TERMINAL = fileURLToPath(new URL('../../support/runner/terminal.py', import.meta.url));
const source = (path: string): string => new URL(`../../../src/${path}`, import.meta.url).href;
const PAYEE = `0x${'bb'.repeat(20)}`;
/** Erases what is on the line. */
const CLEARED = '\u001B[0J';
const RPC = 'https://rpc.example/the-key';
/** Asks for what a bare deployment needs, by the ports of the command, and says what came of it. */
const PROGRAM = `import { askForAccount, askForSetting, canAsk } from '${source('cli/deploy/prompt.ts')}';
import { askNeeded } from '${source('deploy/ask-settings.ts')}';
import { judgeSettingValues } from '${source('settings/judge-values.ts')}';
const account = await askForAccount([{ id: 'acc-1', name: 'First' }, { id: 'acc-2', name: 'Second' }]);
const facts = { chosen: [{ worker: 'api', name: 'sightline-api' }], state: { workers: new Map() }, settings: new Map(), isDryRun: false };
const judgeSettings = (values) => judgeSettingValues(values, Date.now());
const asked = await askNeeded(facts, { judgeSettings, ask: canAsk() ? askForSetting : undefined });
const values = asked.ok ? Object.fromEntries(asked.values) : { reason: asked.reason };
const key = values.RPC_URL?.length ?? 0;
console.log('ended ' + JSON.stringify({ account: account?.id, values: { ...values, RPC_URL: key } }));`;

type Terminal = { typed: (after: string, text: string) => Promise<void>; output: () => string; close: () => void };

/** The program in a terminal. `typed` waits for a question, and answers it. */
function openTerminal(): Terminal {
  const words = [TERMINAL, process.execPath, '--no-warnings', '--input-type=module', '-e', PROGRAM];
  const child = spawn('python3', words, {
    env: { ...process.env, TERM: 'xterm' }, // Another one may not know the marks below.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [output, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    output: () => output,
    close: () => void child.stdin.end(),
    typed: async (after, text) => {
      await expect.poll(() => output.slice(seen), { timeout: 30_000 }).toContain(after);
      seen = output.length;
      child.stdin.write(text);
    },
  };
}

test('a person in a terminal is asked again after a wrong answer, and a secret is not shown', async () => {
  const { typed, output } = openTerminal();
  await typed('Number of the account: ', '2\r');
  await typed('PAY_TO: ', '0x12\r');
  await typed('PAY_TO: ', `${PAYEE}\r`);
  await typed('RPC_URL: ', 'http://rpc.example/the-key\r');
  await typed('RPC_URL: ', `${RPC}\r`);
  await typed('FACILITATOR_URL: ', 'https://pay.example\r');
  await expect.poll(output, { timeout: 10_000 }).toMatch(/ended .*\r/);
  expect(JSON.parse(/ended (.*)/.exec(output())?.[1] ?? '')).toEqual({
    account: 'acc-2',
    values: { PAY_TO: PAYEE, RPC_URL: RPC.length, FACILITATOR_URL: 'https://pay.example' },
  });
  expect(output()).toContain('The address on Base that receives USDC');
  expect(output()).toContain('PAY_TO: it does not have its form');
  expect(output()).toContain('RPC_URL: it is an http address');
  // What is cleared by the line editor is drawn again.
  expect(output()).toContain(`${CLEARED}PAY_TO: `);
  expect(output()).not.toContain('the-key');
});

test.each([
  ['an empty answer', '\r'],
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s ends the questions, and nothing is guessed', async (_what, keys) => {
  const { typed, output } = openTerminal();
  await typed('Number of the account: ', '7\r');
  await typed('PAY_TO: ', keys);
  await expect.poll(output, { timeout: 10_000 }).toMatch(/ended .*\r/);
  expect(output()).toContain('settings_missing');
  expect(output()).not.toContain('"account"');
});
