import { countOccurrences } from '../../../lib/numbers.ts';
import { isJsonRecord, formatMemberPointer } from '../../structured-data/facts/json-document.ts';

/** Values and levels of a document that are looked at: a hostile file must not cost more. */
export const MAX_SECRET_VALUES = 5000;
export const MAX_SECRET_DEPTH = 32;
export const MAX_SECRETS = 20;

/** A published secret: where it is, why we think so, and no more of it than four characters. */
export type PublishedSecret = { pointer: string; why: string; starts: string };

/** Members whose strings carry credentials when any do. */
const CREDENTIAL_PLACES = new Set([
  'headers',
  'env',
  'args',
  'variables',
  'authorization',
  'apikey',
  'api_key',
  'token',
]);

/** Prefixes by which providers mark live keys. */
const KNOWN_TOKEN =
  /(?<![a-z0-9])(?:sk-[a-z0-9_-]{16}|sk_live_[a-z0-9]{16}|gh[pousr]_[a-z0-9]{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abprs]-[\w-]{10}|AKIA[0-9A-Z]{16}|AIza[\w-]{30}|(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10})[\w-]*/i;

const TOKEN_LIKE = /[A-Za-z0-9_+/=.~-]{20,512}/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds secrets that a published card or mcp.json gives away: an input marked `isSecret` that carries its value, and
 * high-entropy tokens in headers, env, args, variables and URL queries. `{placeholders}` are not secrets.
 */
export function findSecrets(document: unknown): readonly PublishedSecret[] {
  const found: PublishedSecret[] = [];
  const waiting: Place[] = [{ value: document, path: [], credential: false }];
  for (let seen = 0; seen < MAX_SECRET_VALUES && found.length < MAX_SECRETS; seen += 1) {
    const place = waiting.pop();
    if (!place) break;
    found.push(...listSecrets(place));
    waiting.push(...listChildren(place));
  }
  // An input marked isSecret is examined as such, and again as one of the headers that contain it.
  return [...new Map(found.toReversed().map((secret) => [secret.pointer, secret])).values()]
    .toReversed()
    .slice(0, MAX_SECRETS);
}

type Place = { value: unknown; path: readonly string[]; credential: boolean };

/** Pushed in reverse, so that a stack visits them in document order. */
function listChildren({ value, path, credential }: Place): readonly Place[] {
  if (path.length >= MAX_SECRET_DEPTH || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_SECRET_VALUES)
    .map(([key, child]) => ({
      value: child as unknown,
      path: [...path, key],
      credential: credential || CREDENTIAL_PLACES.has(key.toLowerCase()),
    }))
    .toReversed();
}

function listSecrets({ value, path, credential }: Place): readonly PublishedSecret[] {
  if (isJsonRecord(value) && value['isSecret'] === true) {
    return ['value', 'default'].flatMap((key) => listInputSecrets(value[key], [...path, key]));
  }
  if (typeof value !== 'string') return [];
  const text = value.slice(0, 4096);
  const texts = credential ? [text] : listQueryValues(text);
  const token = texts.map(findSecretToken).find((candidate) => candidate !== undefined);
  return token === undefined ? [] : [buildPublishedSecret(path, 'a high-entropy token', token)];
}

/** A secret input may show its template (`Bearer {token}`), never a literal. */
function listInputSecrets(value: unknown, path: readonly string[]): readonly PublishedSecret[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  if (/\{\w+\}/.test(value) && findSecretToken(value) === undefined) return [];
  return [buildPublishedSecret(path, 'an input marked isSecret carries a value', value)];
}

const buildPublishedSecret = (path: readonly string[], why: string, secret: string): PublishedSecret => ({
  pointer: formatMemberPointer(path),
  why,
  starts: secret.slice(0, 4),
});

function listQueryValues(text: string): readonly string[] {
  if (!/^https?:\/\//i.test(text)) return [];
  const url = URL.parse(text);
  return url ? [...url.searchParams.values(), url.password] : [];
}

/** The first part of `text` that is a live-looking token; undefined when there is none. */
function findSecretToken(text: string): string | undefined {
  const known = KNOWN_TOKEN.exec(text)?.[0];
  if (known !== undefined) return known.replace(/^[^a-z0-9]/i, '');
  const visible = text.replaceAll(/[{<][^{}<>]{0,200}[}>]/g, ' ');
  return [...visible.matchAll(TOKEN_LIKE)].map((match) => match[0]).find(isHighEntropy);
}

/** Mixed letters and digits whose characters are spread as in random text: 3.5 bits each, or 3 in pure hexadecimal. */
function isHighEntropy(token: string): boolean {
  if (UUID.test(token) || !/[0-9]/.test(token) || !/[a-z]/i.test(token)) return false;
  if (/^[0-9a-f]{32,}$/i.test(token)) return computeEntropy(token) >= 3;
  const words = token.split(/[-_./=+~]/).filter((word) => word.length >= 16);
  return words.some((word) => /[0-9]/.test(word) && /[a-z]/i.test(word) && computeEntropy(word) >= 3.5);
}

function computeEntropy(text: string): number {
  return [...countOccurrences(text).values()].reduce(
    (bits, count) => bits - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}
