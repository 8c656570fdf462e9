import * as z from 'zod';
import { parseJson } from '../lib/json.ts';
import { computeMean } from '../lib/numbers.ts';
import { engineKeyNames, engineTraits } from './kinds-data.ts';
import type { EngineKind } from './port.ts';

/** Engines of one panel. */
export const MAX_PANEL_ENGINES = 8;
/** Longest list of them, in characters. */
const MAX_LIST_CHARS = 16_384;
/** Faults that are said at once. */
const MAX_FAULTS = 5;
/** Tokens that an answer may have: fewer than the first would cut off every fourth name. */
const MIN_TOKENS = 1200;
const MAX_TOKENS = 100_000;
const DEFAULT_TOKENS = 1500;

/** Name of an engine in a panel. */
export const ENGINE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const buildMessage = (error: string) => ({ error });

/** A row of `ANSWER_ENGINES`. Keys are never in it: it names the secret variable that holds one. */
const rowSchema = z.strictObject({
  name: z
    .string(buildMessage('it is missing, or no text'))
    .regex(ENGINE_NAME, buildMessage('it is 1 to 40 of a-z, 0-9 and - between them')),
  kind: z
    .string(buildMessage('it is missing, or no text'))
    .min(1, buildMessage('it is empty'))
    .max(40, buildMessage('it is too long')),
  model: z
    .string(buildMessage('it is no text'))
    .min(1, buildMessage('it is empty'))
    .max(200, buildMessage('it is too long'))
    .optional(),
  url: z.url({ protocol: /^https?$/, error: 'it is no http(s) address' }).optional(),
  // No row may have another secret of the deployment sent to its address.
  key_secret: z.enum(engineKeyNames, buildMessage(`it is none of ${engineKeyNames.join(', ')}`)).optional(),
  usd_per_run: z
    .number(buildMessage('it is missing, or no number'))
    .gt(0, buildMessage('it is not above 0'))
    .max(100, buildMessage('it is above 100')),
  web_search: z.boolean(buildMessage('it is neither true nor false')).optional(),
  country: z
    .string(buildMessage('it is no text'))
    .regex(/^[A-Z]{2}$/, buildMessage('it is no country code of two capital letters, such as DE'))
    .optional(),
  max_tokens: z
    .int(buildMessage('it is no whole number'))
    .min(MIN_TOKENS, buildMessage(`it is below ${MIN_TOKENS}`))
    .max(MAX_TOKENS, buildMessage(`it is above ${MAX_TOKENS}`))
    .default(DEFAULT_TOKENS),
});
export type EngineRow = z.infer<typeof rowSchema>;

export type RowsReading = { ok: true; rows: readonly EngineRow[] } | { ok: false; detail: string };

/**
 * The rows of `ANSWER_ENGINES`, or what is wrong with them by row (from 1) and field, in our buildMessage: no value is quoted.
 * Whether a deployment has a kind is its registry's matter.
 */
export function parseEngineRows(text: string): RowsReading {
  if (text.length > MAX_LIST_CHARS) return fail(`it has over ${MAX_LIST_CHARS} characters`);
  const list = parseJson(text);
  if (!Array.isArray(list)) return fail('it is no JSON list');
  if (list.length < 1 || list.length > MAX_PANEL_ENGINES) return fail(`it has not 1 to ${MAX_PANEL_ENGINES} rows`);
  const read = list.map((row: unknown) => rowSchema.safeParse(row));
  const faults = read.flatMap(({ error }, at) => (error?.issues ?? []).map((issue) => describeIssue(issue, at)));
  if (faults.length > 0) return fail(faults.slice(0, MAX_FAULTS).join('; '));
  const rows = read.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const misfits = rows.flatMap((row, at) => findRowMisfits(row).map((misfit) => `row ${at + 1}, ${misfit}`));
  const twice = rows.findIndex(({ name }, at) => rows.findIndex((other) => other.name === name) < at);
  misfits.push(...findSharedKeys(rows));
  if (twice !== -1) misfits.push(`row ${twice + 1}, name: an earlier row has it`);
  return misfits.length > 0 ? fail(misfits.slice(0, MAX_FAULTS).join('; ')) : { ok: true, rows };
}

/** Rows whose key an earlier row sends to another host: the one host would learn what opens the other. */
function findSharedKeys(rows: readonly EngineRow[]): readonly string[] {
  return rows.flatMap((row, at) => {
    const earlier = rows.findIndex((other) => other.key_secret === row.key_secret);
    const other = row.key_secret === undefined || earlier === at ? undefined : rows[earlier];
    if (other === undefined || findHost(other) === findHost(row)) return [];
    return [`row ${at + 1}, key_secret: row ${earlier + 1} sends it to another host`];
  });
}

/** The host that a row asks; undefined for a kind without one. */
function findHost({ kind, url }: EngineRow): string | undefined {
  const usual = Object.hasOwn(engineTraits, kind) ? engineTraits[kind as EngineKind].usualUrl : undefined;
  const address = url ?? usual;
  return address === undefined ? undefined : new URL(address).hostname;
}

const fail = (detail: string): RowsReading => ({ ok: false, detail: `ANSWER_ENGINES: ${detail}` });

function describeIssue(issue: z.core.$ZodIssue, at: number): string {
  const row = `row ${at + 1}`;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.includes('key')
      ? `${row}, key: a key is never in the list; name its secret variable in key_secret`
      : `${row} has a field that rows do not have`;
  const [field] = issue.path;
  return field === undefined ? `${row} is no object` : `${row}, ${String(field)}: ${issue.message}`;
}

/** What a row says that its kind cannot do: an answer would be sold as what it is not. */
export function findRowMisfits({
  kind,
  key_secret: key,
  web_search: search,
  country,
  url,
}: Partial<EngineRow>): readonly string[] {
  const traits =
    kind !== undefined && Object.hasOwn(engineTraits, kind)
      ? engineTraits[kind as keyof typeof engineTraits]
      : undefined;
  if (traits === undefined) return [];
  const misfits: string[] = [];
  if (traits.key === 'needed' && key === undefined)
    misfits.push('key_secret: it is missing, and this kind needs a key');
  if (traits.key === 'none' && key !== undefined) misfits.push('key_secret: this kind takes no key');
  if (traits.url === 'needed' && url === undefined) misfits.push('url: it is missing, and this kind needs one');
  if (traits.url === 'none' && url !== undefined) misfits.push('url: this kind takes none');
  if (traits.search === 'never' && search === true) misfits.push('web_search: this kind cannot search the web');
  if (country !== undefined && !traits.country) misfits.push('country: this kind takes none');
  else if (country !== undefined && traits.search === 'asked' && search === false)
    misfits.push('country: it says where to search from, and web_search is false');
  return misfits;
}

/** What a run of one engine costs as a rule, in USD: the mean over the rows, where there are several. */
export function computeUsualRunUsd(settings: {
  ANSWER_ENGINES?: string | undefined;
  ANSWER_ENGINE_USD_PER_RUN: number;
}): number {
  const read = settings.ANSWER_ENGINES === undefined ? undefined : parseEngineRows(settings.ANSWER_ENGINES);
  return read?.ok === true ? computeMean(read.rows.map((row) => row.usd_per_run)) : settings.ANSWER_ENGINE_USD_PER_RUN;
}
