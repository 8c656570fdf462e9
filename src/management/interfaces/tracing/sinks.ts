import { refuseExhausted, refuseField } from '../../core/conventions/invalid.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import {
  refuseExistingName,
  buildChangedBody,
  listNamed,
  maskPaths,
  type CollectionDefinition,
  requireNamedRow,
  buildNewBody,
  putChanged,
  splitName,
} from '../../core/engine/named-collection.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, type JsonObject, getObjectMember, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';

/** Trace sinks of one project. */
export const MAX_SINKS = 100;

/** Sinks in the store: parent = `projects/p`, id = the sink's id; the body is without its name. */
export const TRACE_SINKS = 'tracing.sinks';

const SINK_NAME = /^projects\/[^/]+\/traceSinks\/[A-Za-z0-9_.-]{1,256}$/;
const DESTINATION = /^bigquery\.googleapis\.com\/projects\/[^/]{1,256}\/datasets\/\w{1,1024}$/;
const ACCOUNT_BYTES = 4;

const sinks: CollectionDefinition = {
  name: TRACE_SINKS,
  schema: 'TraceSink',
  items: 'sinks',
  page: { default: 100, max: 1_000 },
  view: ({ parent, id, body }) => ({ name: `${parent}/traceSinks/${id}`, ...body }),
};

/** Sinks of spans: they are kept and shown, and nothing is exported through them. */
export const traceSinkHandlers: Handlers = {
  'cloudtrace.projects.traceSinks.create': create,
  'cloudtrace.projects.traceSinks.get': (call, context) => toSinkResource(requireSinkRow(call, context), call, context),
  'cloudtrace.projects.traceSinks.list': (call, context) => {
    const { pageSize } = call.query;
    // What is not above 0 is as if it were not there, as the vendor documents it.
    const isLess = typeof pageSize === 'number' && pageSize < 0;
    const asked = isLess ? { ...call, query: { ...call.query, pageSize: 0 } } : call;
    return listNamed(sinks, call.path['parent'] ?? '', asked, context);
  },
  'cloudtrace.projects.traceSinks.patch': patch,
  'cloudtrace.projects.traceSinks.delete': (call, context) => {
    context.store.remove(requireSinkRow(call, context));
    return {};
  },
};

function create(call: Call, context: Context): JsonObject {
  const parent = call.path['parent'] ?? '';
  const { name, ...body } = buildNewBody(sinks, call.body, context);
  if (!isText(name) || name === '') throw vendorRefusals.required('traceSink.name');
  if (!SINK_NAME.test(name) || splitName(name).parent !== parent)
    throw refuseField(
      'traceSink.name',
      `must be ${parent}/traceSinks/[SINK_ID] with an id of 1 to 256 of A-Z a-z 0-9 _ . -`,
    );
  requireDestination(body);
  if (context.store.count(TRACE_SINKS, parent) >= MAX_SINKS)
    throw refuseExhausted(`A project has at most ${MAX_SINKS} trace sinks`);
  const { id } = splitName(name);
  const made = { ...body, writerIdentity: generateServiceAccount(context) };
  const row = context.store.insert({ collection: TRACE_SINKS, parent, id, body: made });
  if (row === undefined) throw refuseExistingName(name);
  return toSinkResource(row, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const row = requireSinkRow(call, context);
  const paths = maskPaths(call, sinks.schema, context);
  const isWhole = call.query['updateMask'] === '*';
  if (!isWhole && paths?.some(([field]) => field === 'name') === true)
    throw refuseField('updateMask', 'must not have the name: it cannot be changed');
  const { name: _unchanged, ...body } = buildChangedBody(sinks, row.body, call.body, call, context, 'required');
  requireDestination(body);
  return toSinkResource(putChanged(row, body, context), call, context);
}

function requireSinkRow({ path }: Call, context: Context): ResourceRow {
  return requireNamedRow(sinks, path['name'] ?? '', context);
}

const toSinkResource = (row: ResourceRow, call: Call, context: Context): JsonObject => sinks.view(row, call, context);

function requireDestination(body: JsonObject): void {
  const destination = getTextMember(getObjectMember(body, 'outputConfig'), 'destination');
  if (destination === '') throw vendorRefusals.required('traceSink.outputConfig.destination');
  if (!DESTINATION.test(destination))
    throw refuseField(
      'traceSink.outputConfig.destination',
      'must be bigquery.googleapis.com/projects/[PROJECT_ID]/datasets/[DATASET]',
    );
}

/** The account that would write to the destination, as the vendor's look. */
function generateServiceAccount({ random }: Context): string {
  const digits = (): string => String(Number.parseInt(random(ACCOUNT_BYTES), 16)).padStart(10, '0');
  return `service-${digits()}@${digits()}.iam.gserviceaccount.com`;
}
