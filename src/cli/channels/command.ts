import { openChannelsAccess, askChannels, refuseUnreadable } from './client.ts';
import { actions, type GivenArguments } from './actions.ts';
import { describeUnknownValue, parseByRow } from '../commands/parse.ts';
import type { ActionRow } from '../commands/rows.ts';
import { channelsOptions, serviceCommands } from '../commands/service-commands-data.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeJson } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';

const actionRows: Readonly<Record<string, ActionRow>> = serviceCommands.channels.actions;

/**
 * `sightline channels list|create|show|renew|stop|messages|replay|status`: operates the notification channels of a
 * webhook Worker by its interface for operators. The token comes from a key file or the environment, never from an
 * argument: arguments can be read by every process.
 */
export async function runChannelsCommand([name = '', ...args]: readonly string[]): Promise<CommandEnd> {
  const row = Object.hasOwn(actionRows, name) ? actionRows[name] : undefined;
  const action = actions[name];
  if (row === undefined || action === undefined) {
    if (name === '') return refuseUsage(`<action> is missing: one of ${Object.keys(actionRows).join(', ')}.`);
    return refuseUsage(describeUnknownValue('channels', name, Object.keys(actionRows)));
  }
  const given = parseByRow(args, { ...row, options: { ...row.options, ...channelsOptions } });
  if (isFailure(given)) return given;
  const { base, key, json, format, output, quiet, ...option } = given.values as GivenValues;
  const ask = action.ask({ words: given.words, option });
  if (typeof ask === 'string') return refuseUsage(ask);
  const access = await openChannelsAccess({ base, key, scope: action.scope }, process.env, fetch);
  if (!access.ok) return refuseAccess(access);
  const answer = await askChannels(access, ask, fetch);
  if (!answer.ok) return refuseAccess(answer);
  const lines = action.print(answer.body);
  if (lines === undefined) return refuseAccess(refuseUnreadable(access.origin));
  const text = json === true || format === 'json' ? formatSafeJson(answer.body) : lines.join('\n');
  const printed = writeResult(`${text}\n`, { output, quiet, json, format });
  if (isFailure(printed)) return printed;
  return action.isDone === undefined || action.isDone(answer.body) ? EXIT.done : EXIT.below;
}

type GivenValues = GivenArguments['option'] & {
  base?: string;
  key?: string;
  format?: string;
  output?: string;
} & OptionFlags;
type OptionFlags = { json?: boolean; quiet?: boolean };

/** The lines of a refusal: what happened, what is wrong in particular (indented), and what to do. */
function refuseAccess({ exitStatus, detail }: { exitStatus: number; detail: string }): CommandFailure {
  const [message = '', ...more] = detail.trimEnd().split('\n');
  const [reason = ''] = /^[a-z][a-z0-9_]+(?=: )/.exec(message) ?? ['refused'];
  const exit = exitStatus === EXIT.below || exitStatus === EXIT.unreachable ? exitStatus : EXIT.usage;
  const isDetail = (line: string): boolean => line.startsWith('  ');
  const next = more.filter((line) => !isDetail(line)).join(' ');
  return {
    ...refuseCommand(reason, message, exit, next === '' ? undefined : next),
    detail: more.filter(isDetail).map((line) => line.trim()),
  };
}
