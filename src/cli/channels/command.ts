import { parseArgs } from 'node:util';
import { accessTo } from './access.ts';
import { type Action, actions, type Given } from './actions.ts';
import { askChannels, unreadable } from './client.ts';
import { EXIT, usageError } from '../core/usage.ts';
import { safeJson, safeLine } from '../core/safe-text.ts';

type Parsed = Given & { base: string | undefined; key: string | undefined; json: boolean };

/**
 * `sightline channels list|create|show|renew|stop|messages|replay|status`: operates the notification channels of a
 * webhook Worker by its interface for operators. The token comes from a key file or the environment, never from an
 * argument: arguments can be read by every process.
 */
export async function channelsCommand([name = '', ...args]: readonly string[]): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) return usageError(`sightline channels takes one of ${Object.keys(actions).join(', ')}.`);
  const given = parsed(action, args);
  if (typeof given === 'string') return usageError(given);
  const ask = action.ask(given);
  if (typeof ask === 'string') return usageError(ask);
  const access = await accessTo({ base: given.base, key: given.key, scope: action.scope }, process.env, fetch);
  if (!access.ok) return complain(access);
  const answer = await askChannels(access, ask, fetch);
  if (!answer.ok) return complain(answer);
  const lines = action.print(answer.body);
  if (lines === undefined) return complain(unreadable(access.origin));
  process.stdout.write(`${given.json ? safeJson(answer.body) : lines.join('\n')}\n`);
  return action.isDone === undefined || action.isDone(answer.body) ? EXIT.done : EXIT.below;
}

function parsed(action: Action, args: readonly string[]): Parsed | string {
  const text = { type: 'string' } as const;
  const own = Object.fromEntries(action.options.map((name) => [name, text]));
  const options = { ...own, base: text, key: text, json: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { base, key, json, ...rest } = values as Record<string, string | undefined> & { json: boolean };
    return { words: positionals, option: rest, base, key, json };
  } catch (error) {
    return safeLine(error instanceof Error ? error.message : String(error)); // parseArgs explains what it did not know.
  }
}

function complain({ detail, exitStatus }: { detail: string; exitStatus: number }): number {
  process.stderr.write(`${detail}\n`);
  return exitStatus;
}
