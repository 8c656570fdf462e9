import * as z from 'zod';
import { isWithinBytes } from '../../lib/utf8.ts';
import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type { RangeRow } from './compile-ranges.ts';
import { type ListRefusal, readPrefixes, readPublishedList } from './read-published-list.ts';

/** Largest file of ranges. */
export const MAX_RANGES_FILE_BYTES = 4 * 1024 * 1024;
/** Most lists of one file; the roster has fewer agents. */
export const MAX_FILE_LISTS = 200;
const MAX_TOKENS = 50;
const MAX_NAME_CHARS = 200;

export type RangesFileRefusal =
  | ListRefusal
  | 'too_large'
  | 'not_json'
  | 'not_a_file'
  | 'too_many_lists'
  | 'unknown_token';

export type RangesFile =
  | { ok: true; rows: readonly RangeRow[] }
  | { ok: false; reason: RangesFileRefusal; detail: string };

/** The form that `npm run ranges -- --json FILE` writes. */
const ownForm = z.object({
  ranges: z.array(
    z.object({
      tokens: z.array(z.string().max(MAX_NAME_CHARS)).min(1).max(MAX_TOKENS),
      source: z.string().max(MAX_NAME_CHARS),
      date: z.string().max(10),
      prefixes: z.array(z.string()),
    }),
  ),
});

const agents = new Map(aiAgents.map((agent) => [agent.token.toLowerCase(), agent]));

/** Reads the text of a file for `--ranges`. */
export function readRangesText(text: string): RangesFile {
  if (!isWithinBytes(text, MAX_RANGES_FILE_BYTES))
    return refuseFile('too_large', `the file has more than ${MAX_RANGES_FILE_BYTES} bytes`);
  try {
    return readRangesFile(JSON.parse(text));
  } catch {
    return refuseFile('not_json', 'the file is not JSON');
  }
}

/**
 * Reads newer ranges: the lists of owners as they publish them under the token of each agent,
 * `{"GPTBot": {"creationTime": …, "prefixes": […]}}`, or the file of `npm run ranges`. A file with one bad list is refused
 * whole, with the token and the prefix in `detail`.
 */
export function readRangesFile(json: unknown): RangesFile {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return refuseFile('not_a_file', 'the file is no object with a list for each token');
  if (Array.isArray((json as { ranges?: unknown }).ranges)) return readOwnForm(json);
  if (Array.isArray((json as { prefixes?: unknown }).prefixes))
    return refuseFile(
      'not_a_file',
      'it is one list without the agent that it is of: write {"GPTBot": …} around it, with the token of its agent',
    );
  const lists = Object.entries(json);
  if (lists.length === 0) return refuseFile('empty_list', 'the file has no list');
  if (lists.length > MAX_FILE_LISTS) return refuseLists(lists.length);
  const rows: RangeRow[] = [];
  for (const [token, value] of lists) {
    const agent = agents.get(token.toLowerCase());
    if (agent === undefined) return refuseToken(token);
    const list = readPublishedList(value);
    if (!list.ok) return refuseFile(list.reason, `${agent.token}: ${list.detail}`);
    const { owner, ipList } = agent;
    rows.push({ owner, tokens: [agent.token], source: ipList ?? '', date: list.date, prefixes: list.prefixes });
  }
  return { ok: true, rows };
}

function readOwnForm(json: object): RangesFile {
  const read = ownForm.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuseFile('not_a_file', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not the form of the file'}`);
  }
  const lists = read.data.ranges;
  if (lists.length === 0) return refuseFile('empty_list', 'the file has no list');
  if (lists.length > MAX_FILE_LISTS) return refuseLists(lists.length);
  const rows: RangeRow[] = [];
  for (const { tokens, source, date, prefixes } of lists) {
    const named = tokens.map((token) => agents.get(token.toLowerCase()));
    const unknown = named.indexOf(undefined);
    if (unknown >= 0) return refuseToken(tokens[unknown] ?? '');
    const list = readPrefixes(prefixes, date);
    if (!list.ok) return refuseFile(list.reason, `${tokens.join(', ')}: ${list.detail}`);
    const known = named.flatMap((agent) => agent ?? []);
    const owner = known[0]?.owner ?? '';
    rows.push({ owner, tokens: known.map(({ token }) => token), source, date, prefixes: list.prefixes });
  }
  return { ok: true, rows };
}

const refuseLists = (count: number): RangesFile =>
  refuseFile('too_many_lists', `${count} lists; at most ${MAX_FILE_LISTS} are read`);

const refuseToken = (token: string): RangesFile =>
  refuseFile('unknown_token', `${JSON.stringify(token.slice(0, MAX_NAME_CHARS))} is no agent of the roster`);

const refuseFile = (reason: RangesFileRefusal, detail: string): RangesFile => ({ ok: false, reason, detail });
