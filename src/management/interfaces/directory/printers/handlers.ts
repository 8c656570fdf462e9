import {
  getMember,
  getObjectMember,
  getTextList,
  getTextMember,
  isText,
  toObjects,
  type JsonObject,
} from '../../../../lib/json.ts';
import { Refusal, type RefusalData, vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { toCamelCase } from '../../../core/conventions/names.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import { listAtHand } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson, selectWritable } from '../../../core/engine/write.ts';
import { generateDirectoryId } from '../rows.ts';
import { PRINTER_MODELS } from './models-data.ts';
import {
  listOwnerIds,
  listSortedPrinters,
  MAX_PRINTERS,
  type PrinterKind,
  printers,
  printServers,
  requireOwnerId,
  toPrinterResource,
} from './rows.ts';
import { parsePrinterFilter, readPrinterOrder, validatePrinter } from './schemas.ts';

/** The vendor's limits of a batch and of a page. */
const MAX_CREATED = 50;
const MAX_DELETED = 100;
const PAGE = { parameter: 'pageSize', default: 100, max: 100 } as const;
const MODELS_PAGE = { default: 100, max: 1_000 } as const;

/** Printers and print servers of Chrome: the same methods for both, and the models that printers may be. */
export const handlers: Handlers = {
  ...definePrinterHandlers('printers', printers),
  'admin.customers.chrome.printers.batchCreatePrinters': (call, context) => createMany(printers, call, context),
  'admin.customers.chrome.printers.batchDeletePrinters': (call, context) => deleteMany(printers, call, context),
  'admin.customers.chrome.printers.listPrinterModels': listModels,
  ...definePrinterHandlers('printServers', printServers),
  'admin.customers.chrome.printServers.batchCreatePrintServers': (call, context) =>
    createMany(printServers, call, context),
  'admin.customers.chrome.printServers.batchDeletePrintServers': (call, context) =>
    deleteMany(printServers, call, context),
};

function definePrinterHandlers(resource: string, kind: PrinterKind): Handlers {
  const prefix = `admin.customers.chrome.${resource}`;
  return {
    [`${prefix}.create`]: ({ body }, context) => create(kind, body, context),
    [`${prefix}.get`]: ({ path }, context) =>
      toPrinterResource(kind, requirePrinter(kind, path['name'] ?? '', context), context),
    [`${prefix}.list`]: (call, context) => list(kind, call, context),
    [`${prefix}.patch`]: (call, context) => change(kind, call, context),
    [`${prefix}.delete`]: ({ path }, context) => {
      context.store.remove(requirePrinter(kind, path['name'] ?? '', context));
      return {};
    },
  };
}

/** By the name that it is shown with, whatever its customer: that was judged before. @throws Refusal 404 */
function requirePrinter({ collection, one }: PrinterKind, name: string, { store }: Context): ResourceRow {
  const row = store.get(collection, '', name.slice(name.lastIndexOf('/') + 1));
  if (row === undefined) throw vendorRefusals.notFound(one);
  return row;
}

function create(kind: PrinterKind, sent: JsonObject, context: Context): JsonObject {
  const { collection, schema } = kind;
  const { name: _name, id: _id, orgUnitId, ...rest } = selectWritable(schema, sent, context.row);
  const body = validatePrinter(rest, kind);
  const owner = requireOwnerId(isText(orgUnitId) ? orgUnitId : '', context);
  if (context.store.count(collection, '') >= MAX_PRINTERS)
    throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_PRINTERS} ${kind.items}`);
  const id = generateDirectoryId(context);
  const createTime = formatIsoTimestamp(context.now());
  const stored = { ...body, orgUnitId: owner, createTime };
  const row = context.store.insert({ collection, parent: '', id, body: stored, ref: owner });
  if (row === undefined) throw vendorRefusals.duplicate();
  return toPrinterResource(kind, row, context);
}

/** Makes those that can be made, and says of the others why not. */
function createMany(kind: PrinterKind, { body }: Call, context: Context): JsonObject {
  const requests = toObjects(getMember(body, 'requests'));
  if (requests.length === 0) throw vendorRefusals.required('requests');
  if (requests.length > MAX_CREATED)
    throw vendorRefusals.invalid(`A batch creates at most ${MAX_CREATED} ${kind.items}`);
  const made: JsonObject[] = [];
  const failures: JsonObject[] = [];
  for (const request of requests) {
    const sent = getObjectMember(request, kind.one);
    const refusal = findBatchRefusal(() => made.push(create(kind, sent, context)));
    if (refusal !== undefined) failures.push({ ...toFailure(refusal), [kind.one]: sent });
  }
  return {
    ...(made.length > 0 && { [kind.items]: made }),
    ...(failures.length > 0 && { failures }),
  };
}

function deleteMany(kind: PrinterKind, { body }: Call, context: Context): JsonObject {
  const ids = getTextList(body, kind.ids);
  if (ids.length === 0) throw vendorRefusals.required(kind.ids);
  if (ids.length > MAX_DELETED) throw vendorRefusals.invalid(`A batch deletes at most ${MAX_DELETED} ${kind.items}`);
  const gone: string[] = [];
  const failed: JsonObject[] = [];
  for (const id of ids) {
    const refusal = findBatchRefusal(() => context.store.remove(requirePrinter(kind, id, context)));
    if (refusal === undefined) gone.push(id);
    else failed.push({ ...toFailure(refusal), [kind.one]: { id }, [`${kind.one}Id`]: id });
  }
  return { ...(gone.length > 0 && { [kind.ids]: gone }), ...(failed.length > 0 && { [kind.failed]: failed }) };
}

/** Why a part of a batch was refused: before it wrote anything. */
function findBatchRefusal(work: () => unknown): RefusalData | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.data;
    throw error;
  }
}

const toFailure = ({ word, message }: RefusalData): JsonObject => ({ errorCode: word, errorMessage: message });

/** What is sent is merged, or only what `updateMask` names; `clearMask` clears. Other fields than the editable ones stay. */
function change(kind: PrinterKind, { path, query, body: sent }: Call, context: Context): JsonObject {
  const before = requirePrinter(kind, path['name'] ?? '', context);
  const wanted = readNames(query['updateMask']) ?? Object.keys(sent);
  const cleared = readNames(query['clearMask']) ?? [];
  const body = new Map(Object.entries(before.body));
  for (const name of wanted.filter((each) => kind.editable.includes(each))) {
    const value = getMember(sent, name) ?? null;
    if (value === null || value === '') body.delete(name);
    else body.set(name, value);
  }
  for (const name of cleared.filter((each) => kind.editable.includes(each))) body.delete(name);
  const changed = validatePrinter(Object.fromEntries(body), kind);
  if (isSameJson(before.body, changed)) return toPrinterResource(kind, before, context);
  const ref = getTextMember(changed, 'orgUnitId');
  const row = context.store.put({ collection: kind.collection, parent: '', id: before.id, body: changed, ref });
  return toPrinterResource(kind, row, context);
}

/** Names of a mask, in camel case; undefined for none. */
const readNames = (mask: unknown): readonly string[] | undefined =>
  isText(mask) && mask.trim() !== '' ? mask.split(',').map((name) => toCamelCase(name.trim())) : undefined;

function list(kind: PrinterKind, call: Call, context: Context): JsonObject {
  const { by, descending } = readPrinterOrder(call, kind);
  const fits = parsePrinterFilter(call, kind);
  const { orgUnitId } = call.query;
  const owners = isText(orgUnitId) && orgUnitId !== '' ? listOwnerIds(orgUnitId, context) : undefined;
  const found = listSortedPrinters(kind, { by, descending, after: context.pages.open() }, context).filter(
    ({ row: { body } }) => fits(body) && (owners === undefined || owners.has(getTextMember(body, 'orgUnitId'))),
  );
  const limit = readPageSize(call.query['pageSize'], PAGE);
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.cursor : undefined;
  return {
    ...(page.length > 0 && { [kind.items]: page.map(({ row }) => toPrinterResource(kind, row, context)) }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

function listModels(call: Call, context: Context): JsonObject {
  const { filter } = call.query;
  const [, manufacturer] = /^manufacturer:(.{1,100})$/i.exec(isText(filter) ? filter.trim() : '') ?? [];
  if (isText(filter) && filter !== '' && manufacturer === undefined)
    throw vendorRefusals.invalid('Invalid Input: filter');
  const found = PRINTER_MODELS.filter(
    (model) => manufacturer === undefined || model.manufacturer.toLowerCase() === manufacturer.toLowerCase(),
  );
  const models = found.map((model) => ({ id: model.makeAndModel, body: { ...model } }));
  return listAtHand({ items: 'printerModels', page: MODELS_PAGE }, models, call, context);
}
