import type { Monitor, MonitorInterval } from '../../monitors/core/monitor.ts';
import { MAX_RECEIVERS } from '../../monitors/core/receiver.ts';
import { listOrderTexts } from '../capability/address.ts';
import { type FieldFault, type FieldReader, judgeOrder } from '../capability/faults.ts';
import { listLeaves, listOrderFields } from '../capability/fields.ts';
import type { PageLanguage } from '../language/language.ts';
import { getFormKind, getFormRow, type MonitorFormKind } from './form-kinds.ts';
import { monitorFormWords } from './form-words.ts';

/** Lines of receivers that a form has for new ones. */
export const RECEIVER_LINES = MAX_RECEIVERS;

/** A filled form: the texts of its fields, and of a field with several boxes the chosen ones. */
export type FilledMonitorForm = { read: FieldReader; all: (name: string) => readonly string[] };

/** `fields`: the field of each receiver of the body, in its order. */
type ReadMonitorForm = { body: Record<string, unknown>; fields: readonly string[] };
type Reading = { kind: MonitorFormKind; language: PageLanguage; free: boolean; isNew: boolean };

/** What a filled form asks for, as the interface takes it, and what is wrong with the fields of what is watched. */
export async function readMonitorForm(
  form: FilledMonitorForm,
  { kind, language, free, isNew }: Reading,
): Promise<ReadMonitorForm & { faults: readonly FieldFault[] }> {
  const read = joinLines(form, kind);
  const order = await judgeOrder(getFormRow(kind), read, language);
  const competitors = listLines(read('compare_sites'));
  const subject =
    kind === 'site'
      ? { kind: 'site', ...order.body, ...(competitors.length === 0 ? {} : { competitors }) }
      : { kind: 'brand', capability: kind, body: order.body };
  const receivers = listReceivers(form, language);
  const name = readText(read, 'monitor_name');
  const body = {
    ...(name === undefined ? {} : { name }),
    subject,
    interval: readInterval(read),
    rules: readRules(form, kind),
    receivers: receivers.map(({ receiver }) => receiver),
    quiet_hours: readQuietHours(read),
    ...(isNew && free ? { payment: 'operator' } : {}),
  };
  return { body, fields: receivers.map(({ field }) => field), faults: order.faults };
}

/** Boxes of one name are lines of one field, as on the page of a row. */
export function joinLines({ read, all }: FilledMonitorForm, kind: MonitorFormKind): FieldReader {
  const leaves = listLeaves(listOrderFields(getFormRow(kind)));
  const lists = new Set(leaves.filter((leaf) => leaf.kind === 'lines').map(({ name }) => name));
  return (name) => (lists.has(name) && all(name).length > 1 ? all(name).join('\n') : read(name));
}

const readText = (read: FieldReader, name: string): string | undefined => read(name)?.trim() || undefined;

export const listLines = (text = ''): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A text that is no number stays one, so that it is refused with its field. */
function readNumber(read: FieldReader, name: string): number | string | undefined {
  const text = readText(read, name);
  return text === undefined || !Number.isFinite(Number(text)) ? text : Number(text);
}

/** Only what goes with how often it runs: the other fields of the form are for other choices. */
function readInterval(read: FieldReader): Record<string, unknown> {
  const every = readText(read, 'every') ?? 'weekly';
  const zone = readText(read, 'time_zone');
  const time_zone = zone === undefined ? {} : { time_zone: zone };
  if (every === 'cron') return { cron: readText(read, 'cron') ?? '', ...time_zone };
  const at = readText(read, 'at');
  const weekday = every === 'weekly' ? readNumber(read, 'weekday') : undefined;
  const day = every === 'monthly' ? readNumber(read, 'day') : undefined;
  return {
    every,
    ...(at === undefined ? {} : { at }),
    ...(weekday === undefined ? {} : { weekday }),
    ...(day === undefined ? {} : { day }),
    ...time_zone,
  };
}

function readRules({ read }: FilledMonitorForm, kind: MonitorFormKind): Record<string, unknown> {
  const improvements = read('improvements') === 'yes';
  if (kind !== 'site') return { improvements };
  const [minWeight, points] = [readNumber(read, 'min_weight'), readNumber(read, 'score_points')];
  return {
    ...(minWeight === undefined ? {} : { min_weight: minWeight }),
    ...(points === undefined ? {} : { score_points: points }),
    improvements,
    competitors: read('ring_competitors') === 'yes',
  };
}

function readQuietHours(read: FieldReader): Record<string, unknown> | null {
  const [from, to, zone] = [readText(read, 'quiet_from'), readText(read, 'quiet_to'), readText(read, 'quiet_zone')];
  if (from === undefined && to === undefined) return null;
  return { from: from ?? '', to: to ?? '', ...(zone === undefined ? {} : { time_zone: zone }) };
}

function listReceivers(
  { read, all }: FilledMonitorForm,
  language: PageLanguage,
): readonly { field: string; receiver: Record<string, unknown> }[] {
  const kept = all('keep').slice(0, MAX_RECEIVERS);
  const added = Array.from({ length: RECEIVER_LINES }, (_, at) => at).flatMap((at) => {
    const kind = readText(read, `receiver_kind.${at}`);
    if (kind === undefined) return [];
    return [
      { field: `receiver_to.${at}`, receiver: buildReceiver(kind, read(`receiver_to.${at}`)?.trim() ?? '', language) },
    ];
  });
  return [...kept.map((id) => ({ field: 'keep', receiver: { id } })), ...added];
}

function buildReceiver(kind: string, to: string, language: PageLanguage): Record<string, unknown> {
  if (kind === 'feed') return { kind };
  return kind === 'email' ? { kind, address: to, language } : { kind, url: to };
}

type Errors = readonly { pointer?: string | undefined; message: string }[];

/** What the interface refused, at the fields of the form that it comes from. */
export function listFormFaults(
  errors: Errors,
  { fields }: Pick<ReadMonitorForm, 'fields'>,
  language: PageLanguage,
): readonly FieldFault[] {
  const words = monitorFormWords[language];
  return errors.map(({ pointer = '', message }) => ({
    name: findFormField(pointer, fields),
    text: words.byMessage[message] ?? words.faultOf(message),
  }));
}

const OWN_FIELDS: Readonly<Partial<Record<string, string>>> = {
  '/name': 'monitor_name',
  '/interval': 'every',
  '/rules/competitors': 'ring_competitors',
  '/quiet_hours/from': 'quiet_from',
  '/quiet_hours/to': 'quiet_to',
  '/quiet_hours/time_zone': 'quiet_zone',
};

/** Undefined: the form as a whole. */
function findFormField(pointer: string, receivers: readonly string[]): string | undefined {
  const own = OWN_FIELDS[pointer];
  if (own !== undefined) return own;
  const [, member = '', first = '', ...rest] = pointer.split('/');
  if (member === 'receivers') return receivers[Number(first)] ?? 'receiver_to.0';
  if (member === 'subject' && first === 'competitors') return 'compare_sites';
  if (member === 'subject') return (first === 'body' ? rest : [first, ...rest])[0];
  return (member === 'interval' || member === 'rules') && first !== '' ? first : undefined;
}

/** The texts that the form of a monitor that is there begins with. */
export function fillMonitorForm(monitor: Monitor): FilledMonitorForm {
  const { name, subject, interval, rules, quietHours, receivers } = monitor;
  const {
    competitors,
    kind: _kind,
    ...options
  } = subject.kind === 'site' ? subject : { competitors: undefined, ...subject };
  const texts = new Map<string, string>([
    ...listOrderTexts(subject.kind === 'site' ? options : subject.body),
    ['monitor_name', name],
    ['compare_sites', competitors?.join('\n') ?? ''],
    ...listIntervalTexts(interval),
    ['min_weight', String(rules.min_weight ?? '')],
    ['score_points', String(rules.score_points ?? '')],
    ['improvements', rules.improvements === false ? '' : 'yes'],
    ['ring_competitors', rules.competitors === true ? 'yes' : ''],
    ['quiet_from', quietHours?.from ?? ''],
    ['quiet_to', quietHours?.to ?? ''],
    ['quiet_zone', quietHours?.time_zone ?? ''],
  ]);
  const kept = receivers.map(({ id }) => id);
  const lines = joinLines({ read: (field) => texts.get(field), all: () => [] }, getFormKind(monitor));
  return {
    read: lines,
    all: (field) => (field === 'keep' ? kept : [lines(field)].filter((text) => text !== undefined)),
  };
}

function listIntervalTexts(interval: MonitorInterval): readonly [string, string][] {
  const zone: [string, string] = ['time_zone', interval.time_zone ?? ''];
  if ('cron' in interval) return [['every', 'cron'], ['cron', interval.cron], zone];
  return [
    ['every', interval.every],
    ['at', interval.at ?? ''],
    ['weekday', interval.every === 'weekly' ? String(interval.weekday ?? '') : ''],
    ['day', interval.every === 'monthly' ? String(interval.day ?? '') : ''],
    zone,
  ];
}

/** The texts of a new form: those of its address, such as `?url=`, and the usual choices. */
export function startMonitorForm(asked: FieldReader): FilledMonitorForm {
  const usual: Readonly<Partial<Record<string, string>>> = { every: 'weekly', improvements: 'yes' };
  const read: FieldReader = (name) => asked(name) ?? usual[name];
  return { read, all: (name) => [read(name)].filter((text) => text !== undefined) };
}
