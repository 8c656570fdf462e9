import { isText, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';

const MIN_PASSWORD_CHARS = 8;
const MAX_PASSWORD_CHARS = 100;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** What a hashed password looks like, by `hashFunction` (vendor's User resource: hex, or C crypt of DES, MD5, SHA-256, SHA-512). */
const HASHES: Readonly<Record<string, RegExp>> = {
  MD5: /^[0-9a-f]{32}$/i,
  'SHA-1': /^[0-9a-f]{40}$/i,
  crypt: /^(?:[./0-9A-Za-z]{13}|\$[156]\$(?:rounds=[0-9]{1,9}\$)?[./0-9A-Za-z]{0,16}\$[./0-9A-Za-z]{22,86})$/,
};

/**
 * The body without its password, which is looked at and thrown away: nothing here signs users in, so nothing of it is
 * kept (rule K7). @throws Refusal for a password that the vendor would not take
 */
export function withoutPassword(body: JsonObject): JsonObject {
  const { password, hashFunction, ...rest } = body;
  const isHashed = hashFunction !== undefined && hashFunction !== '' && hashFunction !== null;
  if (isHashed && !(isText(hashFunction) && Object.hasOwn(HASHES, hashFunction)))
    throw refuse.invalidInput('hashFunction');
  if (password === undefined) return rest;
  const fits = isHashed ? isText(password) && HASHES[hashFunction]?.test(password) === true : isPassword(password);
  if (!fits) throw refuse.invalid('Invalid Password');
  return rest;
}

const isPassword = (text: unknown): boolean =>
  isText(text) && text.length >= MIN_PASSWORD_CHARS && text.length <= MAX_PASSWORD_CHARS && PRINTABLE_ASCII.test(text);
