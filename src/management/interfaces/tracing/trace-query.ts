import { refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';
import type { Call } from '../../core/engine/operation.ts';
import { isText } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { parseNanos, formatNanos } from '../../../lib/nanos.ts';
import { type Term, parseTraceTerms } from './trace-filter.ts';

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
    throw refuseTraceField('endTime', 'End time must not be before start time.');
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
  throw refuseTraceField('view', `Invalid value at 'view' (TYPE_ENUM), ${JSON.stringify(truncateSentText(text))}`);
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
  throw refuseTraceField(name, `Invalid value at '${name}' (type.googleapis.com/google.protobuf.Timestamp), ${shown}`);
}

function parseOrder(text: string): TraceOrder {
  if (text.trim() === '') return NEWEST_FIRST;
  const [field = '', direction = '', ...more] = text.trim().split(/\s+/, 3);
  const by = ORDERS.get(field);
  if (by === undefined || !['', 'asc', 'desc'].includes(direction) || more.length > 0)
    throw refuseTraceField(
      'orderBy',
      `Invalid order ${JSON.stringify(truncateSentText(text))}: one of ${[...ORDERS.keys()].join(', ')}`,
    );
  return { by, isDescending: direction === 'desc' };
}

const refuseTraceField = (field: string, description: string): Refusal =>
  new Refusal(refuseViolations([{ field, description }]));
