import { randomUUID } from 'node:crypto';
import { describeUnknownValue, parseByRow } from '../commands/parse.ts';
import type { ActionRow } from '../commands/rows.ts';
import { monitorCommand, monitorOptions } from '../commands/monitor-commands-data.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { getMember, isObject } from '../../lib/json.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeJson } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { monitorCalls, type MonitorWords } from './calls.ts';
import { askMonitors, type MonitorAccess, openMonitorAccess } from './client.ts';
import { monitorPrinters, printWhole, SHOWN_ITEMS } from './print.ts';

const actionRows: Readonly<Record<string, ActionRow>> = monitorCommand.actions;

type Values = MonitorWords['option'] & {
  base?: string;
  token?: string;
  json?: boolean;
  format?: string;
  output?: string;
  quiet?: boolean;
};

/** `sightline monitor create|list|show|pause|resume|run|delete`. */
export async function runMonitorCommand([name = '', ...args]: readonly string[]): Promise<CommandEnd> {
  const row = Object.hasOwn(actionRows, name) ? actionRows[name] : undefined;
  const build = monitorCalls[name];
  if (row === undefined || build === undefined) {
    if (name === '') return refuseUsage(`<action> is missing: one of ${Object.keys(actionRows).join(', ')}.`);
    return refuseUsage(describeUnknownValue('monitor', name, Object.keys(actionRows)));
  }
  const given = parseByRow(args, { ...row, options: { ...row.options, ...monitorOptions } });
  if (isFailure(given)) return given;
  const { base, token, json, format, output, quiet, ...option } = given.values as Values;
  const order = build({ words: given.words, option });
  if (isFailure(order)) return order;
  const access = await openMonitorAccess({ base, token }, process.env);
  if (isFailure(access)) return access;
  const answer = await askMonitors(access, order, randomUUID(), fetch);
  if (isFailure(answer)) return answer;
  const [id = ''] = given.words;
  const asked = name === 'show' ? await askWhole(access, order.path, answer.body) : undefined;
  if (isFailure(asked)) return asked;
  const lines = asked?.lines ?? monitorPrinters[name]?.(answer.body, id);
  if (lines === undefined)
    return refuseCommand(
      'answer_unreadable',
      `${access.origin} does not answer like this service: check --base.`,
      EXIT.below,
    );
  const isJson = json === true || format === 'json';
  const text = isJson ? formatSafeJson(asked?.body ?? answer.body ?? { deleted: id }) : lines.join('\n');
  return writeResult(`${text}\n`, { output, quiet, json, format });
}

const pick = (body: unknown, name: string): unknown => (isObject(body) ? getMember(body, name) : undefined);

type Whole = { lines: readonly string[] | undefined; body: unknown };

/** What `show` prints besides the monitor. */
async function askWhole(access: MonitorAccess, path: string, monitor: unknown): Promise<Whole | CommandFailure> {
  const query = { limit: String(SHOWN_ITEMS) };
  const read = (list: string) => askMonitors(access, { method: 'GET', path: `${path}/${list}`, query }, '', fetch);
  const [runs, alerts] = [await read('runs'), await read('alerts')];
  if (isFailure(runs)) return runs;
  if (isFailure(alerts)) return alerts;
  // Each list has a cursor of its own, and the command takes none.
  const body = { monitor, runs: pick(runs.body, 'runs'), alerts: pick(alerts.body, 'alerts') };
  return { lines: printWhole(monitor, runs.body, alerts.body), body };
}
