import * as z from 'zod';
import { isCalendarDay } from '../../lib/time.ts';
import { formatSpans, MIN_PREFIX_BITS, parsePrefix, type AddressSpan } from './prefixes.ts';

/** Most prefixes of one list; the longest that is known has about 1,000. */
export const MAX_LIST_PREFIXES = 20_000;
const MAX_PREFIX_CHARS = 64;
const MAX_DATE_CHARS = 64;
const DAY_CHARS = 10;

/** Why a list is not taken. */
export type ListRefusal = 'not_a_list' | 'empty_list' | 'too_many_prefixes' | 'bad_prefix' | 'prefix_too_wide';

/** A list as it was read: `date` is '' where it names none; prefixes are the fewest that are the same addresses. */
export type ReadList =
  | { ok: true; date: string; prefixes: readonly string[] }
  | { ok: false; reason: ListRefusal; detail: string };

/** The form that owners share, Google's. Amazon writes `ip_prefix`. */
const publishedForm = z.object({
  creationTime: z.string().max(MAX_DATE_CHARS).optional(),
  prefixes: z.array(
    z
      .object({ ipv4Prefix: z.string(), ipv6Prefix: z.string(), ip_prefix: z.string() })
      .partial()
      .refine((entry) => pickPrefix(entry) !== ''),
  ),
});

type Entry = { ipv4Prefix?: string | undefined; ipv6Prefix?: string | undefined; ip_prefix?: string | undefined };
const pickPrefix = (entry: Entry): string => (entry.ipv4Prefix ?? entry.ipv6Prefix ?? entry.ip_prefix ?? '').trim();

/** Reads the list of an owner: `{creationTime, prefixes: [{ipv4Prefix} | {ipv6Prefix}]}`, parsed JSON. */
export function readPublishedList(json: unknown): ReadList {
  const read = publishedForm.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuseList('not_a_list', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not the form of a list'}`);
  }
  const day = read.data.creationTime?.slice(0, DAY_CHARS) ?? '';
  return readPrefixes(read.data.prefixes.map(pickPrefix), isCalendarDay(day) ? day : '');
}

/** Judges and merges prefixes. One that is refused refuses the list: half a list would call real agents pretenders. */
export function readPrefixes(prefixes: readonly string[], date: string): ReadList {
  if (prefixes.length === 0) return refuseList('empty_list', 'the list has no prefixes');
  if (prefixes.length > MAX_LIST_PREFIXES)
    return refuseList('too_many_prefixes', `${prefixes.length} prefixes; at most ${MAX_LIST_PREFIXES} are read`);
  const spans: AddressSpan[] = [];
  for (const text of prefixes) {
    const span = text.length > MAX_PREFIX_CHARS ? 'bad_prefix' : parsePrefix(text);
    if (typeof span === 'string') return refusePrefix(span, text);
    spans.push(span);
  }
  return { ok: true, date, prefixes: formatSpans(spans) };
}

function refusePrefix(reason: 'bad_prefix' | 'prefix_too_wide', text: string): ReadList {
  const shown = JSON.stringify(text.slice(0, MAX_PREFIX_CHARS));
  if (reason === 'bad_prefix') return refuseList(reason, `${shown} is neither a CIDR block nor an address`);
  return refuseList(reason, `${shown} is wider than /${MIN_PREFIX_BITS[4]} (IPv4) or /${MIN_PREFIX_BITS[6]} (IPv6)`);
}

const refuseList = (reason: ListRefusal, detail: string): ReadList => ({ ok: false, reason, detail });
