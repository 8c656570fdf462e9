/** Nesting that the relaxed parser follows; deeper JSON is read up to there. */
export const MAX_RELAXED_DEPTH = 64;

/** Where and how a text departs from RFC 8259. Lines and columns count from 1, columns in UTF-16 units. */
export type JsonFault = { reason: JsonFaultReason; line: number; column: number; offset: number };

export type JsonFaultReason =
  | 'empty'
  | 'comment'
  | 'trailing_comma'
  | 'missing_comma'
  | 'single_quotes'
  | 'unquoted_key'
  | 'control_character'
  | 'bad_escape'
  | 'bad_number'
  | 'unexpected_token'
  | 'unexpected_end'
  | 'trailing_content'
  | 'too_deep';

/**
 * `value` is what could be read (undefined when nothing was); `fault` the first departure, absent for strict JSON.
 * `complete`: all of the text was read into `value`, so that writing it out again loses nothing but the faults.
 */
export type RelaxedJson = { value: unknown; complete: boolean; fault?: JsonFault };

/** Thrown inside the parser when nothing more can be read; carries nothing, because the fault is already noted. */
class Stop extends Error {}

type State = { text: string; at: number; fault?: { reason: JsonFaultReason; offset: number } };

const LITERALS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\w$.+-]+/y;
const HEX4 = /[\da-fA-F]{4}/y;

/**
 * Reads JSON as people write it by mistake (comments, trailing or missing commas, single quotes, bare keys, raw control
 * characters) and says where the text first departs from RFC 8259. For types only: such a block is still broken.
 * A text without a fault is exactly what `JSON.parse` accepts, up to `MAX_RELAXED_DEPTH`. Time is linear in the text.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export function parseRelaxedJson(text: string): RelaxedJson {
  const state: State = { text, at: 0 };
  const holder: { value?: unknown } = {};
  let complete = false;
  try {
    skipBlank(state);
    if (state.at >= text.length) stop(state, 'empty');
    readValue(state, 0, (value) => (holder.value = value));
    skipBlank(state);
    if (state.at < text.length) recordFault(state, 'trailing_content');
    complete = state.at >= text.length;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  const { value } = holder;
  return state.fault === undefined
    ? { value, complete }
    : { value, complete, fault: { ...state.fault, ...computePosition(text, state.fault.offset) } };
}

/** Line and column (from 1) of an offset; CR, LF and CRLF each end a line. */
export function computePosition(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** `keep` receives a container as soon as it is opened, so that what was read before a stop is not lost. */
function readValue(state: State, depth: number, keep: (value: unknown) => void): void {
  if (depth > MAX_RELAXED_DEPTH) stop(state, 'too_deep');
  const char = state.text[state.at];
  if (char === undefined) stop(state, 'unexpected_end');
  if (char === '{') return readObject(state, depth, keep);
  if (char === '[') return readArray(state, depth, keep);
  if (char === '"' || char === "'") return keep(readString(state));
  keep(readBareValue(state));
}

function readObject(state: State, depth: number, keep: (value: unknown) => void): void {
  // No prototype: a key such as `__proto__` is data like any other.
  const object: Record<string, unknown> = Object.create(null);
  keep(object);
  readMembers(state, '}', () => {
    const key = readKey(state);
    skipBlank(state);
    if (state.text[state.at] !== ':') stop(state, 'unexpected_token');
    state.at += 1;
    skipBlank(state);
    readValue(state, depth + 1, (value) => (object[key] = value));
  });
}

function readArray(state: State, depth: number, keep: (value: unknown) => void): void {
  const array: unknown[] = [];
  keep(array);
  readMembers(state, ']', () => {
    const index = array.length;
    readValue(state, depth + 1, (value) => (array[index] = value));
  });
}

/** Reads members up to `close`, forgiving a comma too many or too few. Ends because every turn consumes or stops. */
function readMembers(state: State, close: string, readMember: () => void): void {
  state.at += 1;
  let commaAt = -1;
  for (let count = 0; ; count++) {
    skipBlank(state);
    const char = state.text[state.at];
    if (char === undefined) stop(state, 'unexpected_end');
    if (char === close) {
      if (commaAt >= 0) recordFault(state, 'trailing_comma', commaAt);
      state.at += 1;
      return;
    }
    if (char === ',') {
      if (count === 0 || commaAt >= 0) recordFault(state, 'unexpected_token');
      commaAt = state.at;
      state.at += 1;
      continue;
    }
    if (count > 0 && commaAt < 0) recordFault(state, 'missing_comma');
    commaAt = -1;
    readMember();
  }
}

function readKey(state: State): string {
  const char = state.text[state.at];
  if (char === '"' || char === "'") return readString(state);
  const word = match(state, WORD);
  if (word === undefined) stop(state, 'unexpected_token');
  recordFault(state, 'unquoted_key', state.at - word.length);
  return word;
}

function readBareValue(state: State): unknown {
  const from = state.at;
  const number = match(state, NUMBER);
  if (number !== undefined && number !== '') {
    const rest = match(state, WORD);
    if (rest !== undefined) recordFault(state, 'bad_number', from);
    return rest === undefined ? Number(number) : number + rest;
  }
  const word = match(state, WORD);
  if (word === undefined) stop(state, 'unexpected_token');
  if (Object.hasOwn(LITERALS, word)) return LITERALS[word];
  recordFault(state, 'unexpected_token', from);
  return word;
}

function readString(state: State): string {
  const { text } = state;
  const quote = text[state.at];
  if (quote === "'") recordFault(state, 'single_quotes');
  const parts: string[] = [];
  state.at += 1;
  let from = state.at;
  for (; state.at < text.length; state.at++) {
    const char = text[state.at] ?? '';
    if (char === quote) {
      parts.push(text.slice(from, state.at));
      state.at += 1;
      return parts.join('');
    }
    if (char < ' ') recordFault(state, 'control_character');
    if (char !== '\\') continue;
    parts.push(text.slice(from, state.at), readEscape(state));
    from = state.at + 1;
  }
  return stop(state, 'unexpected_end');
}

/** Reads the escape at `state.at` and leaves it on the escape's last character. */
function readEscape(state: State): string {
  const backslashAt = state.at;
  state.at += 1;
  const letter = state.text[state.at] ?? '';
  const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (plain !== undefined) return plain;
  if (letter === 'u') {
    state.at += 1;
    const hex = match(state, HEX4);
    state.at -= 1;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  }
  recordFault(state, 'bad_escape', backslashAt);
  return letter;
}

/** Skips white space, which RFC 8259 names four of, and comments, which it knows none of. */
function skipBlank(state: State): void {
  const { text } = state;
  for (; state.at < text.length;) {
    const char = text[state.at] ?? '';
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') state.at += 1;
    else if (char.trim() === '') {
      recordFault(state, 'unexpected_token');
      state.at += 1;
    } else if (!skipComment(state)) return;
  }
}

const COMMENTS = [
  ['//', '\n'],
  ['/*', '*/'],
  ['<!--', '-->'],
] as const;

function skipComment(state: State): boolean {
  const { text, at } = state;
  const kind = COMMENTS.find(([open]) => text.startsWith(open, at));
  if (kind === undefined) return false;
  recordFault(state, 'comment');
  const [open, close] = kind;
  const end = text.indexOf(close, at + open.length);
  state.at = end < 0 ? text.length : end + close.length;
  return true;
}

function match(state: State, pattern: RegExp): string | undefined {
  pattern.lastIndex = state.at;
  const found = pattern.exec(state.text)?.[0];
  if (found !== undefined) state.at += found.length;
  return found;
}

/** Keeps the first fault only: later ones often follow from it. */
function recordFault(state: State, reason: JsonFaultReason, offset = state.at): void {
  if (state.fault === undefined || offset < state.fault.offset) state.fault = { reason, offset };
}

function stop(state: State, reason: JsonFaultReason): never {
  recordFault(state, reason);
  throw new Stop();
}
