import type { JsonObject } from '../../lib/json.ts';
import { decodeJson } from '../../payment/rails/mpp/encoding.ts';
import { MAX_JUDGED_WAYS } from '../limits.ts';

/** One challenge of the scheme `Payment`. `request` is undefined where it is no base64url of a JSON object. */
export type MppChallenge = { params: ReadonlyMap<string, string>; request: JsonObject | undefined };

export type MppReading = { state: 'read'; challenges: readonly MppChallenge[] } | { state: 'none' };

/** The challenges of `Payment` among those of a WWW-Authenticate header (RFC 9110, section 11.6.1). */
export function readMppChallenges(header: string | undefined): MppReading {
  const challenges = parseChallenges(header ?? '')
    .filter(({ scheme }) => scheme === 'payment')
    .slice(0, MAX_JUDGED_WAYS)
    .map(({ params }) => ({ params, request: decodeJson(params.get('request') ?? '') }));
  return challenges.length === 0 ? { state: 'none' } : { state: 'read', challenges };
}

type Challenge = { scheme: string; params: Map<string, string> };

const TOKEN = /[\w!#$%&'*+.^`|~-]+/y;

/** Every challenge of a header. A word before another word is a scheme, one before `=` a parameter of the last scheme. */
export function parseChallenges(header: string): readonly Challenge[] {
  const found: Challenge[] = [];
  let at = 0;
  while (at < header.length) {
    const name = readToken(header, at);
    if (name === '') {
      at += 1;
      continue;
    }
    at += name.length;
    const equals = skipSpaces(header, at);
    if (header[equals] !== '=') {
      found.push({ scheme: name.toLowerCase(), params: new Map() });
      continue;
    }
    const value = readValue(header, skipSpaces(header, equals + 1));
    found.at(-1)?.params.set(name.toLowerCase(), value.text);
    at = value.end;
  }
  return found;
}

function readToken(text: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(text)?.[0] ?? '';
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

/** A token, or a quoted text without its escapes. */
function readValue(header: string, from: number): { text: string; end: number } {
  if (header[from] !== '"') {
    const token = readToken(header, from);
    return { text: token, end: Math.max(from + token.length, from) };
  }
  let text = '';
  let at = from + 1;
  while (at < header.length && header[at] !== '"') {
    if (header[at] === '\\') at += 1;
    text += header[at] ?? '';
    at += 1;
  }
  return { text, end: at + 1 };
}
