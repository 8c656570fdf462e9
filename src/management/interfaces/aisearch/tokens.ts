import * as z from 'zod';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';
import { listAllInstances } from './instances.ts';
import {
  hasSubstring,
  buildResultPage,
  parseValue,
  parseCallQuery,
  buildResult,
  searchPageQuery,
  withoutShown,
} from './parse.ts';
import { extractAccountId, getAccountId, AISEARCH, refuseMissingToken } from './rows.ts';

/** Tokens of an account. */
const MAX_TOKENS = 100;
const MAX_CHARS = 256;
const MAX_KEY_CHARS = 512;
const ID_BYTES = 16;

const body = z.strictObject({
  cf_api_id: z.string().min(1).max(MAX_CHARS),
  /** A secret: judged, and thrown away. Nothing here needs it (rules K3, K7). */
  cf_api_key: z.string().min(1).max(MAX_KEY_CHARS),
  name: z.string().min(1).max(MAX_CHARS),
  legacy: z.boolean().default(false),
});

/** Members that a read shows and that callers cannot set. */
const SHOWN: ReadonlySet<string> = new Set(['created_at', 'created_by', 'modified_at', 'modified_by', 'enabled']);

/** Credentials for data sources at the vendor. Here they are names only: websites are read without any. */
export const tokenHandlers: Handlers = {
  'aisearch.tokens.create': create,
  'aisearch.tokens.list': list,
  'aisearch.tokens.update': update,
  'aisearch.tokens.delete': remove,
  'aisearch.tokens.read': (call, context) => buildResult(toTokenResource(requireToken(call, context))),
};

function create(call: Call, context: Context): JsonObject {
  const { cf_api_key: _secret, ...sent } = parseValue(body, call.body);
  const account = getAccountId(call);
  if (context.store.count(AISEARCH.tokens, account) >= MAX_TOKENS)
    throw vendorRefusals.limitExceeded(`An account has at most ${MAX_TOKENS} tokens`);
  const [at, by] = [new Date(context.now()).toISOString(), call.caller.userId];
  const made = context.store.insert({
    collection: AISEARCH.tokens,
    parent: account,
    id: formatUuid(context.random(ID_BYTES)),
    body: { ...sent, created_at: at, created_by: by, modified_at: at, modified_by: by },
  });
  if (made === undefined) throw new Error('An id was drawn twice');
  return buildResult(toTokenResource(made));
}

function update(call: Call, context: Context): JsonObject {
  const row = requireToken(call, context);
  const { cf_api_key: _secret, ...sent } = parseValue(body, withoutShown(call.body, 'id', row.id, SHOWN));
  const modified = { modified_at: new Date(context.now()).toISOString(), modified_by: call.caller.userId };
  return buildResult(toTokenResource(context.store.put({ ...row, body: { ...row.body, ...sent, ...modified } })));
}

function remove(call: Call, context: Context): JsonObject {
  const row = requireToken(call, context);
  if (isUsed(row, context)) throw refuseTokenInUse();
  context.store.remove(row);
  return buildResult(toTokenResource(row));
}

function list(call: Call, context: Context): JsonObject {
  const query = parseCallQuery(searchPageQuery, call);
  const rows = context.store.list({ collection: AISEARCH.tokens, parent: getAccountId(call), limit: MAX_TOKENS });
  const found = rows.filter(({ row }) => isText(row.body['name']) && hasSubstring(row.body['name'], query.search));
  return buildResultPage(
    found.map(({ row }) => toTokenResource(row)),
    query,
  );
}

function requireToken(call: Call, { store }: Context): ResourceRow {
  const row = store.get(AISEARCH.tokens, getAccountId(call), call.path['id'] ?? '');
  if (row === undefined) throw refuseMissingToken();
  return row;
}

/** Whether an instance of the same account names it. */
const isUsed = ({ parent, id }: ResourceRow, { store }: Context): boolean =>
  listAllInstances(store).some((row) => extractAccountId(row.parent) === parent && getSetting(row, 'token_id') === id);

function getSetting({ body: { settings } }: ResourceRow, name: string): unknown {
  return isObject(settings) ? settings[name] : undefined;
}

const toTokenResource = ({ id, body: stored }: ResourceRow): JsonObject => ({ id, ...stored, enabled: true });

const formatUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

const refuseTokenInUse = (): Refusal => vendorRefusals.aborted('token_in_use_by_instances');
