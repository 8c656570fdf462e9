import { getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { readPageSize } from '../../core/engine/collection.ts';
import { hashNumber } from '../../core/engine/hash.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ListedRow, ResourceRow } from '../../core/engine/stored-row.ts';
import { COLLECTIONS, requireCustomer, requireUser } from '../directory/rows.ts';
import { countCustomer, describeUser } from './rows.ts';
import { readWantedParameters, requireReportDate } from './schemas.ts';

const PAGE = { parameter: 'maxResults', default: 1_000, max: 1_000 } as const;
/** What would choose other users than we can: not passed over in silence. */
const NOT_SERVED = ['filters', 'groupIdFilter', 'orgUnitID'];

/** Reports of the customer and of its users. */
export const handlers: Handlers = {
  'reports.customerUsageReports.get': (call, context) => {
    requireReportCustomer(call, context);
    const date = requireReportDate(call, context);
    const parameters = countCustomer(readWantedParameters(call), context);
    const entity = { type: 'CUSTOMER', customerId: context.tenant.id };
    return buildReports([buildReport(date, entity, parameters, context)], context);
  },
  'reports.userUsageReport.get': reportUsers,
};

function requireReportCustomer({ query }: Call, context: Context): void {
  const { customerId } = query;
  if (isText(customerId) && customerId !== '') requireCustomer(customerId, context);
}

function reportUsers(call: Call, context: Context): JsonObject {
  requireReportCustomer(call, context);
  const parameter = NOT_SERVED.find((name) => !['', undefined].includes(call.query[name] as string | undefined));
  if (parameter !== undefined)
    throw new Refusal({
      status: 501,
      word: 'UNIMPLEMENTED',
      reason: 'notImplemented',
      message: `The parameter ${parameter} is not supported.`,
      location: { name: parameter, type: 'parameter' },
    });
  const date = requireReportDate(call, context);
  const isWanted = readWantedParameters(call);
  const limit = readPageSize(call.query['maxResults'], PAGE);
  const found = findReportedUsers(call, limit + 1, context);
  const next = found.length > limit ? found[limit - 1]?.cursor : undefined;
  const all = found.slice(0, limit).map(({ row }) => {
    const userEmail = getTextMember(row.body, 'primaryEmail');
    const entity = { type: 'USER', customerId: context.tenant.id, profileId: row.id, userEmail };
    return buildReport(date, entity, describeUser(row, isWanted), context);
  });
  const page = next === undefined ? {} : { nextPageToken: context.pages.seal(next) };
  return { ...buildReports(all, context), ...page };
}

function findReportedUsers({ path }: Call, limit: number, context: Context): readonly ListedRow[] {
  const { userKey = '' } = path;
  if (userKey === 'all')
    return context.store.list({ collection: COLLECTIONS.users, parent: '', after: context.pages.open(), limit });
  const row: ResourceRow = requireUser(userKey, context);
  return [{ row, cursor: { sort: row.id, id: row.id } }];
}

function buildReport(date: string, entity: JsonObject, parameters: JsonObject[], context: Context): JsonObject {
  const etag = context.etagOf(hashNumber(JSON.stringify([entity, parameters])));
  return { kind: 'admin#reports#usageReport', date, etag, entity, parameters };
}

const buildReports = (usageReports: JsonObject[], context: Context): JsonObject => ({
  kind: 'admin#reports#usageReports',
  etag: context.etagOf(hashNumber(JSON.stringify(usageReports))),
  ...(usageReports.length > 0 && { usageReports }),
});
