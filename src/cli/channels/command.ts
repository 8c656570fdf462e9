import { parseArgs } from 'node:util';
import { openChannelsAccess } from './access.ts';
import { type Action, actions, type GivenArguments } from './actions.ts';
import { askChannels, refuseUnreadable } from './client.ts';
import { EXIT, printUsageError } from '../core/usage.ts';
import { formatSafeJson, formatSafeLine } from '../core/safe-text.ts';

type Parsed = GivenArguments & { base: string | undefined; key: string | undefined; json: boolean };

/**
 * `sightline channels list|create|show|renew|stop|messages|replay|status`: operates the notification channels of a
 * webhook Worker by its interface for operators. The token comes from a key file or the environment, never from an
 * argument: arguments can be read by every process.
 */
export async function runChannelsCommand([name = '', ...args]: readonly string[]): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) return printUsageError(`sightline channels takes one of ${Object.keys(actions).join(', ')}.`);
  const given = parseActionArguments(action, args);
  if (typeof given === 'string') return printUsageError(given);
  const ask = action.ask(given);
  if (typeof ask === 'string') return printUsageError(ask);
  const access = await openChannelsAccess(
    { base: given.base, key: given.key, scope: action.scope },
    process.env,
    fetch,
  );
  if (!access.ok) return complain(access);
  const answer = await askChannels(access, ask, fetch);
  if (!answer.ok) return complain(answer);
  const lines = action.print(answer.body);
  if (lines === undefined) return complain(refuseUnreadable(access.origin));
  process.stdout.write(`${given.json ? formatSafeJson(answer.body) : lines.join('\n')}\n`);
  return action.isDone === undefined || action.isDone(answer.body) ? EXIT.done : EXIT.below;
}

function parseActionArguments(action: Action, args: readonly string[]): Parsed | string {
  const text = { type: 'string' } as const;
  const own = Object.fromEntries(action.options.map((name) => [name, text]));
  const options = { ...own, base: text, key: text, json: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { base, key, json, ...rest } = values as Record<string, string | undefined> & { json: boolean };
    return { words: positionals, option: rest, base, key, json };
  } catch (error) {
    return formatSafeLine(error instanceof Error ? error.message : String(error)); // parseArgs explains what it did not know.
  }
}

function complain({ detail, exitStatus }: { detail: string; exitStatus: number }): number {
  process.stderr.write(`${detail}\n`);
  return exitStatus;
}
