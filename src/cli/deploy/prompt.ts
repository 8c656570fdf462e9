import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { PlatformAccount } from '../../deploy/account.ts';
import type { DeploySetting } from '../../deploy/settings-data.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Longest answer that is taken. */
const MAX_CHARS = 16_384;

/** Whether a person can be asked: both ends are a terminal. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks for a setting. What is secret is not shown while it is typed. @param faults what is wrong with the last answer */
export async function askForSetting(
  { name, ask, hidden }: DeploySetting,
  faults: readonly string[],
): Promise<string | undefined> {
  for (const fault of faults) process.stderr.write(`${formatSafeLine(fault)}\n`);
  if (faults.length === 0) process.stderr.write(`${ask ?? name}\n`);
  return askLine(`${name}: `, hidden === true);
}

/** Asks which of several accounts is meant. */
export async function askForAccount(accounts: readonly PlatformAccount[]): Promise<PlatformAccount | undefined> {
  process.stderr.write('This login has several accounts.\n');
  for (const [at, { id, name }] of accounts.entries())
    process.stderr.write(`  ${at + 1}  ${formatSafeLine(name)} (${formatSafeLine(id)})\n`);
  const typed = await askLine('Number of the account: ', false);
  return accounts[Number(typed) - 1];
}

async function askLine(question: string, isHidden: boolean): Promise<string | undefined> {
  if (isHidden) process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isHidden ? silent : process.stderr, terminal: true });
  try {
    // The line editor clears its line, so it must draw the question itself.
    const typed = await lines.question(isHidden ? '' : question);
    if (isHidden) process.stderr.write('\n');
    return typed.trim().slice(0, MAX_CHARS);
  } catch {
    return undefined; // The terminal was closed.
  } finally {
    lines.close();
  }
}
