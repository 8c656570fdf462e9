import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { COLLECTIONS, requireUser } from '../rows.ts';

const CODES = 10;
const CODE_DIGITS = 8;
/** 40 random bits for 27 bits of code: no value is noticeably likelier. */
const CODE_BYTES = 5;

const asps: Collection = {
  ...defineUserCollection(COLLECTIONS.asps, 'codeId'),
  schema: 'Asp',
  kind: 'admin#directory#asp',
  listKind: 'admin#directory#aspList',
};

const tokens: Collection = {
  ...defineUserCollection(COLLECTIONS.tokens, 'clientId'),
  schema: 'Token',
  kind: 'admin#directory#token',
  listKind: 'admin#directory#tokenList',
};

const codes: Collection = {
  ...defineUserCollection(COLLECTIONS.verificationCodes, ''),
  schema: 'VerificationCode',
  kind: 'admin#directory#verificationCode',
  listKind: 'admin#directory#verificationCodesList',
};

/** What users have to sign in with: application passwords, tokens, backup codes. No snapshot holds any of them (rule K3). */
export const handlers: Handlers = {
  ...defineCollectionHandlers(asps, {
    list: 'directory.asps.list',
    get: 'directory.asps.get',
    delete: 'directory.asps.delete',
  }),
  ...defineCollectionHandlers(tokens, {
    list: 'directory.tokens.list',
    get: 'directory.tokens.get',
    delete: 'directory.tokens.delete',
  }),
  ...defineCollectionHandlers(codes, { list: 'directory.verificationCodes.list' }),
  'directory.verificationCodes.generate': generate,
  'directory.verificationCodes.invalidate': invalidate,
};

/** What all collections below one user have alike. `key` is the path parameter that names one of them. */
function defineUserCollection(
  name: string,
  key: string,
): Pick<Collection, 'name' | 'items' | 'parentOf' | 'find' | 'create'> {
  const parentOf = (call: Call, context: Context): string => requireUser(call.path['userKey'] ?? '', context).id;
  return {
    name,
    items: 'items',
    parentOf,
    find: (call, context) => {
      const found = context.store.get(name, parentOf(call, context), call.path[key] ?? '');
      if (found === undefined) throw vendorRefusals.notFound(key);
      return found;
    },
    create: () => {
      throw new Error(`${name} has no insert method`);
    },
  };
}

/** Ten fresh codes in place of all that were there: random, never derived (rule K7). */
function generate(call: Call, context: Context): undefined {
  const { id: userId } = requireUser(call.path['userKey'] ?? '', context);
  const collection = COLLECTIONS.verificationCodes;
  context.store.removeAll(collection, userId);
  for (let n = 0; n < CODES; n += 1) {
    const drawn = BigInt(`0x${context.secret(CODE_BYTES)}`) % 10n ** BigInt(CODE_DIGITS);
    const verificationCode = drawn.toString().padStart(CODE_DIGITS, '0');
    context.store.insert({ collection, parent: userId, id: String(n), body: { userId, verificationCode } });
  }
}

function invalidate(call: Call, context: Context): undefined {
  const { id } = requireUser(call.path['userKey'] ?? '', context);
  context.store.removeAll(COLLECTIONS.verificationCodes, id);
}
