import { badRequest, shownText } from '../../core/conventions/invalid.ts';
import type { Call } from '../../core/engine/operation.ts';
import { isText } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { nanosOf, timestampOf } from './times.ts';
import { type Term, termsOf } from './trace-filter.ts';

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
export function traceQueryOf({ query }: Call): TraceQuery {
  const text = (name: string): string => (isText(query[name]) ? query[name] : '');
  const view = viewOf(text('view'));
  const [from, until] = [timeOf('startTime', text('startTime')), timeOf('endTime', text('endTime'))];
  if (from !== undefined && until !== undefined && until < from)
    throw invalid('endTime', 'End time must not be before start time.');
  const order = orderOf(text('orderBy'));
  const terms = termsOf(text('filter'));
  return {
    view,
    size: sizeOf(query['pageSize'], view),
    order,
    terms,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}

function viewOf(text: string): TraceView {
  const word = VIEWS[Number(text)] ?? text;
  if (word === 'ROOTSPAN' || word === 'COMPLETE') return word;
  if (text === '' || VIEWS.includes(word)) return 'MINIMAL';
  throw invalid('view', `Invalid value at 'view' (TYPE_ENUM), ${JSON.stringify(shownText(text))}`);
}

/** What is not above 0 is as if it were not there. */
function sizeOf(asked: unknown, view: TraceView): number {
  const { default: usual, max } = SIZES[view];
  return typeof asked === 'number' && asked > 0 ? Math.min(asked, max) : usual;
}

function timeOf(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  const nanos = nanosOf(text);
  if (nanos !== undefined) return timestampOf(nanos);
  const shown = JSON.stringify(shownText(text));
  throw invalid(name, `Invalid value at '${name}' (type.googleapis.com/google.protobuf.Timestamp), ${shown}`);
}

function orderOf(text: string): TraceOrder {
  if (text.trim() === '') return NEWEST_FIRST;
  const [field = '', direction = '', ...more] = text.trim().split(/\s+/, 3);
  const by = ORDERS.get(field);
  if (by === undefined || !['', 'asc', 'desc'].includes(direction) || more.length > 0)
    throw invalid(
      'orderBy',
      `Invalid order ${JSON.stringify(shownText(text))}: one of ${[...ORDERS.keys()].join(', ')}`,
    );
  return { by, isDescending: direction === 'desc' };
}

const invalid = (field: string, description: string): Refusal => new Refusal(badRequest([{ field, description }]));
