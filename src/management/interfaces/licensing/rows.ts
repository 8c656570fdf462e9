import { getTextMember, type JsonObject } from '../../../lib/json.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from '../../core/engine/stored-row.ts';
import { LICENSE_ROWS, requireUser } from '../directory/rows.ts';
import { type Sku, SKUS } from '../reseller/skus-data.ts';
import { refuseMissingLicense } from './refusals.ts';

/** The most licences of one user that are read: one of each product. */
const MAX_USER_LICENSES = 100;

/** The SKUs of a product, or its one SKU of an id. @throws Refusal 404 where there is none */
export function requireSkus(productId: string, skuId?: string): readonly Sku[] {
  const found = SKUS.filter(({ product, id }) => product === productId && (skuId === undefined || id === skuId));
  if (found.length === 0) throw refuseMissingLicense();
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The licence that a user has of a product, whatever its SKU. */
export const findProductLicense = (product: string, user: ResourceRow, { store }: Context): ResourceRow | undefined =>
  store
    .byRef(LICENSE_ROWS, user.id, MAX_USER_LICENSES)
    .find(({ parent }) => SKUS.some((sku) => sku.id === parent && sku.product === product));

/** A licence as callers see it, under the user's present address. */
export function toLicenseResource({ parent, id, revision }: ResourceRow, context: Context): JsonObject {
  const sku = SKUS.find((each) => each.id === parent);
  const userId = getTextMember(requireUser(id, context, 'userKey').body, 'primaryEmail');
  return {
    kind: 'licensing#licenseAssignment',
    etags: context.etagOf(revision),
    productId: sku?.product ?? '',
    skuId: parent,
    skuName: sku?.name ?? '',
    userId,
  };
}

/** One page of the licences of these SKUs: SKU by SKU, each by the ids of its users. */
export function listLicenses(
  skus: readonly Sku[],
  limit: number,
  after: ListCursor | undefined,
  { store }: Context,
): readonly ListedRow[] {
  const found: ListedRow[] = [];
  for (const { id: parent } of skus) {
    if (after !== undefined && parent < after.sort) continue;
    const from = after?.sort === parent ? { sort: after.id, id: after.id } : undefined;
    const rows = store.list({ collection: LICENSE_ROWS, parent, after: from, limit: limit - found.length });
    found.push(...rows.map(({ row }) => ({ row, cursor: { sort: parent, id: row.id } })));
    if (found.length >= limit) break;
  }
  return found;
}
