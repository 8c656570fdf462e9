/** Characters of a header value, challenges and parameters that are read; the rest is cut. */
export const MAX_CHALLENGE_CHARS = 8192;
export const MAX_CHALLENGES = 16;
export const MAX_CHALLENGE_PARAMS = 32;

/**
 * One challenge of a `WWW-Authenticate` value. `scheme` and parameter names are lower case; `token68` is set instead of
 * parameters when the scheme carries one. `malformed` means that the value breaks the grammar or repeats a parameter.
 */
export type Challenge = {
  scheme: string;
  params: ReadonlyMap<string, string>;
  token68?: string;
  malformed: boolean;
};

type Cursor = { text: string; at: number };

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const TOKEN68 = /[A-Za-z0-9._~+/-]+=*/y;
const COMMAS = /[ \t,]*/y;
const SPACES = /[ \t]*/y;
/** Bad whitespace around `=` is allowed by RFC 9110 section 5.6.3. */
const PARAM_NAME = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const END_OF_ITEM = /[ \t]*(?:,|$)/y;

/**
 * Reads every challenge of a `WWW-Authenticate` value, several in one line included. Never throws; linear in its length.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const cursor: Cursor = { text: header.slice(0, MAX_CHALLENGE_CHARS), at: 0 };
  const challenges: Challenge[] = [];
  while (challenges.length < MAX_CHALLENGES) {
    take(cursor, COMMAS);
    if (cursor.at >= cursor.text.length) return challenges;
    const scheme = take(cursor, TOKEN)?.[0];
    if (scheme === undefined) return markMalformed(challenges);
    challenges.push(readChallenge(scheme.toLowerCase(), cursor));
  }
  return challenges;
}

/** Something follows that is no challenge: the value as a whole is malformed, and the last challenge shows it. */
function markMalformed(challenges: readonly Challenge[]): readonly Challenge[] {
  const last = challenges.at(-1) ?? { scheme: '', params: new Map() };
  return [...challenges.slice(0, -1), { ...last, malformed: true }];
}

function readChallenge(scheme: string, cursor: Cursor): Challenge {
  take(cursor, SPACES);
  const token68 = readToken68(cursor);
  if (token68 !== undefined) return { scheme, params: new Map(), token68, malformed: false };
  const params = new Map<string, string>();
  let malformed = false;
  for (let count = 0; count < MAX_CHALLENGE_PARAMS; count += 1) {
    const resume = cursor.at;
    take(cursor, COMMAS);
    const name = take(cursor, PARAM_NAME)?.[1]?.toLowerCase();
    if (name === undefined) {
      cursor.at = resume; // Another scheme, or the end: the caller looks.
      return { scheme, params, malformed };
    }
    const value = readValue(cursor);
    if (value === undefined) return { scheme, params, malformed: true };
    // A missing comma is common in the wild: it is reported, and the parameters are read all the same.
    malformed ||= params.has(name) || take(cursor, END_OF_ITEM) === undefined;
    params.set(name, value);
  }
  return { scheme, params, malformed: true };
}

/** A token68 is alone up to the next comma: `Basic abc=` has one, `Basic realm="x"` and `Basic, Bearer` do not. */
function readToken68(cursor: Cursor): string | undefined {
  const start = cursor.at;
  const value = take(cursor, TOKEN68)?.[0];
  if (value !== undefined && take(cursor, END_OF_ITEM) !== undefined) return value;
  cursor.at = start;
  return undefined;
}

function readValue(cursor: Cursor): string | undefined {
  const quoted = take(cursor, QUOTED)?.[1];
  return quoted === undefined ? take(cursor, TOKEN)?.[0] : quoted.replaceAll(/\\(.)/g, '$1');
}

/** Matches a sticky pattern at the cursor and moves behind it; undefined, and no move, when it does not match. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (!match) return undefined;
  cursor.at = pattern.lastIndex;
  return match;
}
