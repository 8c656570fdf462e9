import { openChannelsAccess, askChannels, refuseUnreadable } from './client.ts';
import { type Action, actions, type GivenArguments } from './actions.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';

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
  if (!access.ok) return printFailure(access.detail, access.exitStatus);
  const answer = await askChannels(access, ask, fetch);
  if (!answer.ok) return printFailure(answer.detail, answer.exitStatus);
  const lines = action.print(answer.body);
  if (lines === undefined) {
    const unreadable = refuseUnreadable(access.origin);
    return printFailure(unreadable.detail, unreadable.exitStatus);
  }
  process.stdout.write(`${given.json ? formatSafeJson(answer.body) : lines.join('\n')}\n`);
  return action.isDone === undefined || action.isDone(answer.body) ? EXIT.done : EXIT.below;
}

function parseActionArguments(action: Action, args: readonly string[]): Parsed | string {
  const text = { type: 'string' } as const;
  const own = Object.fromEntries(action.options.map((name) => [name, text]));
  const options = { ...own, base: text, key: text, json: { type: 'boolean', default: false } } as const;
  const parsed = parseArguments(args, options);
  if (typeof parsed === 'string') return formatSafeLine(parsed);
  const { base, key, json, ...rest } = parsed.values as Record<string, string | undefined> & { json: boolean };
  return { words: parsed.positionals, option: rest, base, key, json };
}
