import { formatNanos, parseNanos } from '../../../../lib/nanos.ts';
import { truncateSentText, refuseViolation } from '../../../core/conventions/invalid.ts';
import { MAX_LONG_TEXT_CHARS } from '../../../core/conventions/names.ts';
import type { Call } from '../../../core/engine/operation.ts';
import { isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { V1Span } from './spans.ts';

export type TraceView = 'MINIMAL' | 'ROOTSPAN' | 'COMPLETE';
/** Columns that traces are sorted by. */
export type TraceOrder = { by: 'trace' | 'name' | 'duration' | 'start'; isDescending: boolean };

/** What `traces.list` asks for. Times are of fixed width; both ends belong to the interval. */
export type TraceQuery = {
  view: TraceView;
  size: number;
  from?: string;
  until?: string;
  order: TraceOrder;
  terms: readonly Term[];
};

/** Traces of a page; the most are the vendor's (docs/trace/quotas). */
const SIZES: Readonly<Record<TraceView, { default: number; max: number }>> = {
  MINIMAL: { default: 100, max: 1_000 },
  ROOTSPAN: { default: 100, max: 1_000 },
  COMPLETE: { default: 20, max: 100 },
};
/** Words of `view`, in the order of their numbers. */
const VIEWS = ['VIEW_TYPE_UNSPECIFIED', 'MINIMAL', 'ROOTSPAN', 'COMPLETE'];
const ORDERS: ReadonlyMap<string, TraceOrder['by']> = new Map([
  ['trace_id', 'trace'],
  ['name', 'name'],
  ['duration', 'duration'],
  ['start', 'start'],
]);
/** Without an order, the newest come first. */
const NEWEST_FIRST: TraceOrder = { by: 'start', isDescending: true };

/** The query of a call of `traces.list`, judged. @throws Refusal */
export function parseTraceQuery({ query }: Call): TraceQuery {
  const text = (name: string): string => (isText(query[name]) ? query[name] : '');
  const view = parseView(text('view'));
  const [from, until] = [parseTime('startTime', text('startTime')), parseTime('endTime', text('endTime'))];
  if (from !== undefined && until !== undefined && until < from)
    throw refuseViolation('endTime', 'End time must not be before start time.');
  const order = parseOrder(text('orderBy'));
  const terms = parseTraceTerms(text('filter'));
  return {
    view,
    size: computePageSize(query['pageSize'], view),
    order,
    terms,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}

function parseView(text: string): TraceView {
  const word = VIEWS[Number(text)] ?? text;
  if (word === 'ROOTSPAN' || word === 'COMPLETE') return word;
  if (text === '' || VIEWS.includes(word)) return 'MINIMAL';
  throw refuseViolation('view', `Invalid value at 'view' (TYPE_ENUM), ${JSON.stringify(truncateSentText(text))}`);
}

/** What is not above 0 is as if it were not there. */
function computePageSize(asked: unknown, view: TraceView): number {
  const { default: usual, max } = SIZES[view];
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, max) : usual;
}

function parseTime(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  const nanos = parseNanos(text);
  if (nanos !== undefined) return formatNanos(nanos);
  const shown = JSON.stringify(truncateSentText(text));
  throw refuseViolation(name, `Invalid value at '${name}' (type.googleapis.com/google.protobuf.Timestamp), ${shown}`);
}

function parseOrder(text: string): TraceOrder {
  if (text.trim() === '') return NEWEST_FIRST;
  const [field = '', direction = '', ...more] = text.trim().split(/\s+/, 3);
  const by = ORDERS.get(field);
  if (by === undefined || !['', 'asc', 'desc'].includes(direction) || more.length > 0)
    throw refuseViolation(
      'orderBy',
      `Invalid order ${JSON.stringify(truncateSentText(text))}: one of ${[...ORDERS.keys()].join(', ')}`,
    );
  return { by, isDescending: direction === 'desc' };
}

/** One comparison of a filter of traces. `isExact` is false where the text need only begin so. */
export type Term =
  | { is: 'root' | 'span'; text: string; isExact: boolean }
  | { is: 'hasLabel'; key: string }
  | { is: 'label'; key: string; text: string; isExact: boolean }
  | { is: 'latency'; nanos: number };

/** What of a trace is known without its spans. */
export type TraceSummary = { rootName: string; durationNanos: number };

/** Terms of one filter. */
export const MAX_TERMS = 50;

/** `+`, a name or quoted text, and behind a colon a value that may be quoted. Sticky: one term after the other. */
const TERM = /\s*(\+?)(?:"((?:[^"\\]|\\.)*)"|([^\s":+][^\s":]*))(?:(:)(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?(?=\s|$)/y;
const LATENCY = /^(\d{1,15}(?:\.\d{1,9})?)(ns|us|ms|s)?$/;
const UNIT_NANOS: Readonly<Record<string, number>> = { ns: 1, us: 1_000, ms: 1_000_000, s: 1_000_000_000 };
/** Short forms of labels. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['method', '/http/method'],
  ['url', '/http/url'],
]);

/**
 * The terms of a filter of traces, all of which must hold: `root:prefix` or `prefix`, `span:prefix`, `latency:1s`,
 * `label:key`, `method:prefix`, `url:prefix`, `key:prefix`; with `+` before it, the whole text must be the same.
 * @throws Refusal for a text that is no filter, too long, or of more than 50 terms
 * @see https://cloud.google.com/trace/docs/trace-filters
 */
export function parseTraceTerms(filter: string): readonly Term[] {
  if (filter.length > MAX_LONG_TEXT_CHARS)
    throw vendorRefusals.invalid(`Invalid filter: it has more than ${MAX_LONG_TEXT_CHARS} characters`);
  const text = filter.trim();
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    if (match === null)
      throw vendorRefusals.invalid(`Invalid filter: no term at ${JSON.stringify(truncateSentText(text.slice(at)))}`);
    if (terms.length === MAX_TERMS) throw vendorRefusals.invalid(`Invalid filter: it has more than ${MAX_TERMS} terms`);
    terms.push(parseTerm(match));
    at = TERM.lastIndex;
  }
  return terms;
}

/**
 * Whether a trace fits all terms. What its spans do not decide is asked first.
 * @param spans reads them, once at most
 */
export function isTraceMatch(terms: readonly Term[], summary: TraceSummary, spans: () => readonly V1Span[]): boolean {
  const [cheap, dear] = [terms.filter(isCheap), terms.filter((term) => !isCheap(term))];
  if (!cheap.every((term) => isSummaryMatch(term, summary))) return false;
  if (dear.length === 0) return true;
  const all = spans();
  return dear.every((term) => all.some((span) => isSpanMatch(term, span)));
}

function parseTerm([, plus, quotedName, bareName = '', colon, quotedValue, bareValue = '']: RegExpExecArray): Term {
  const isExact = plus === '+';
  const name = unescapeText(quotedName) ?? bareName;
  if (colon === undefined) return { is: 'root', text: name, isExact };
  const text = unescapeText(quotedValue) ?? bareValue;
  const word = quotedName === undefined ? name : '';
  if (word === 'root' || word === 'span') return { is: word, text, isExact };
  if (word === 'label') return { is: 'hasLabel', key: text };
  if (word === 'latency') return { is: 'latency', nanos: parseLatency(text) };
  return { is: 'label', key: LABELS.get(word) ?? name, text, isExact };
}

function parseLatency(text: string): number {
  const [, number, unit = 'ms'] = LATENCY.exec(text) ?? [];
  if (number === undefined)
    throw vendorRefusals.invalid(`Invalid filter: no latency ${JSON.stringify(truncateSentText(text))}`);
  return Number(number) * (UNIT_NANOS[unit] ?? 0);
}

const unescapeText = (quoted: string | undefined): string | undefined => quoted?.replaceAll(/\\(.)/g, '$1');

const isCheap = ({ is }: Term): boolean => is === 'root' || is === 'latency';

function isSummaryMatch(term: Term, { rootName, durationNanos }: TraceSummary): boolean {
  if (term.is === 'latency') return durationNanos >= term.nanos;
  return term.is === 'root' && isLike(rootName, term);
}

function isSpanMatch(term: Term, { name, labels }: V1Span): boolean {
  if (term.is === 'span') return isLike(name, term);
  if (term.is === 'hasLabel') return Object.hasOwn(labels, term.key);
  if (term.is !== 'label' || !Object.hasOwn(labels, term.key)) return false;
  return isLike(labels[term.key] ?? '', term);
}

const isLike = (text: string, wanted: { text: string; isExact: boolean }): boolean =>
  wanted.isExact ? text === wanted.text : text.startsWith(wanted.text);
