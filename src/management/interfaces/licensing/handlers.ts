import { getTextMember, isText, type JsonObject } from '../../../lib/json.ts';
import { extractEmailDomain } from '../../../lib/email.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { hashNumber } from '../../core/engine/hash.ts';
import { readPageSize } from '../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isOwnDomain, LICENSE_ROWS, requireCustomer, requireUser } from '../directory/rows.ts';
import { refuseMissingLicense, refuseSecondLicense } from './refusals.ts';
import { findProductLicense, listLicenses, requireSkus, toLicenseResource } from './rows.ts';

const PAGE = { parameter: 'maxResults', default: 100, max: 1_000 } as const;

/** Licences of users. */
export const handlers: Handlers = {
  'licensing.licenseAssignments.get': (call, context) => toLicenseResource(requireLicense(call, context), context),
  'licensing.licenseAssignments.insert': insert,
  'licensing.licenseAssignments.patch': move,
  'licensing.licenseAssignments.update': move,
  'licensing.licenseAssignments.delete': (call, context) => {
    context.store.remove(requireLicense(call, context));
    return {};
  },
  'licensing.licenseAssignments.listForProduct': list,
  'licensing.licenseAssignments.listForProductAndSku': list,
};

/** The licence that a path names. @throws Refusal 404 */
function requireLicense({ path }: Call, context: Context): ResourceRow {
  const [sku] = requireSkus(path['productId'] ?? '', path['skuId'] ?? '');
  const user = requireUser(path['userId'] ?? '', context);
  const row = sku && context.store.get(LICENSE_ROWS, sku.id, user.id);
  if (row === undefined) throw refuseMissingLicense();
  return row;
}

function insert({ path, body }: Call, context: Context): JsonObject {
  const [sku] = requireSkus(path['productId'] ?? '', path['skuId'] ?? '');
  const userId = getTextMember(body, 'userId');
  if (userId === '') throw vendorRefusals.required('userId');
  const user = requireUser(userId, context);
  if (sku === undefined || findProductLicense(sku.product, user, context) !== undefined) throw refuseSecondLicense();
  return toLicenseResource(assign(sku.id, user.id, context), context);
}

function assign(sku: string, user: string, { store }: Context): ResourceRow {
  const row = store.insert({ collection: LICENSE_ROWS, parent: sku, id: user, ref: user, body: {} });
  if (row === undefined) throw refuseSecondLicense();
  return row;
}

/** Moves a user to another SKU of the product: the one in the body. */
function move(call: Call, context: Context): JsonObject {
  const before = requireLicense(call, context);
  const wanted = getTextMember(call.body, 'skuId') || before.parent;
  const [sku] = requireSkus(call.path['productId'] ?? '', wanted);
  if (sku === undefined || sku.id === before.parent) return toLicenseResource(before, context);
  context.store.remove(before);
  return toLicenseResource(assign(sku.id, before.id, context), context);
}

function list(call: Call, context: Context): JsonObject {
  requireLicenseCustomer(call, context);
  const skus = requireSkus(call.path['productId'] ?? '', call.path['skuId']);
  const limit = readPageSize(call.query['maxResults'], PAGE);
  const found = listLicenses(skus, limit + 1, context.pages.open(), context);
  const next = found.length > limit ? found[limit - 1]?.cursor : undefined;
  const items = found.slice(0, limit).map(({ row }) => toLicenseResource(row, context));
  return {
    kind: 'licensing#licenseAssignmentList',
    etag: context.etagOf(hashNumber(JSON.stringify(items))),
    ...(items.length > 0 && { items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** By id, or by a domain of the customer, as older clients name it. @throws Refusal 403 for another */
function requireLicenseCustomer({ query }: Call, context: Context): void {
  const { customerId } = query;
  const key = isText(customerId) ? customerId : '';
  if (!isOwnDomain(extractEmailDomain(`@${key.toLowerCase()}`), context)) requireCustomer(key, context);
}
