import { getTextMember } from '../../../../lib/json.ts';
import { defineCollectionHandlers, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { COLLECTIONS } from '../collections.ts';
import { requireUser } from '../keys.ts';
import { putUser } from './rows.ts';

const CODES = 10;
const CODE_DIGITS = 8;
/** 40 random bits for 27 bits of code: no value is noticeably likelier. */
const CODE_BYTES = 5;
const MAX_ASP_ID = 2_147_483_647;

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
export const credentialHandlers: Handlers = {
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

/**
 * Puts an application password into a user's list: by itself none ever comes there, for they are made by people at the
 * vendor's account pages. The emulator's seed calls it. The password itself does not exist.
 * @param given an Asp. `codeId` is 1 to 2,147,483,647; times are Unix milliseconds, now and never used when absent
 * @returns its id
 * @throws Refusal for an unknown user, or an id that is none or that the user has already
 */
export function seedAsp(context: Context, userKey: string, given: JsonObject): number {
  const { codeId } = given;
  const isId = typeof codeId === 'number' && Number.isInteger(codeId) && codeId >= 1 && codeId <= MAX_ASP_ID;
  if (!isId) throw vendorRefusals.invalidInput('codeId');
  seed(context, COLLECTIONS.asps, userKey, String(codeId), {
    codeId,
    name: getTextMember(given, 'name'),
    creationTime: getTextMember(given, 'creationTime') || String(context.now()),
    lastTimeUsed: getTextMember(given, 'lastTimeUsed') || '0',
  });
  return codeId;
}

/**
 * Puts the token of an application into a user's list, as when the user had allowed it. There is no secret in it.
 * @param given a Token. `clientId` is required; `displayText` is the same when absent
 * @returns its client id
 * @throws Refusal for an unknown user, or an application that has a token of the user already
 */
export function seedToken(context: Context, userKey: string, given: JsonObject): string {
  const clientId = getTextMember(given, 'clientId');
  if (clientId === '') throw vendorRefusals.required('clientId');
  seed(context, COLLECTIONS.tokens, userKey, clientId, {
    clientId,
    displayText: getTextMember(given, 'displayText') || clientId,
    scopes: Array.isArray(given['scopes']) ? given['scopes'] : [],
    anonymous: given['anonymous'] === true,
    nativeApp: given['nativeApp'] === true,
  });
  return clientId;
}

/** Enrols a user in 2-step verification, which only the user can do at the vendor. @returns the user's id. @throws Refusal for an unknown user */
export function seedEnrolment(context: Context, userKey: string): string {
  const user = requireUser(userKey, context);
  return putUser(user, { ...user.body, isEnrolledIn2Sv: true }, context).id;
}

function seed(context: Context, collection: string, userKey: string, id: string, body: JsonObject): void {
  const { id: parent } = requireUser(userKey, context);
  const row = context.store.insert({ collection, parent, id, body: { ...body, userKey: parent } });
  if (row === undefined) throw vendorRefusals.duplicate();
}

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
