import type { Json, JsonObject } from '../../../lib/json.ts';

/** What a JSON text is, or why it is refused. */
export type JsonText =
  | { ok: true; value: Json }
  | { ok: false; reason: 'syntax' }
  | { ok: false; reason: 'too_deep' }
  | { ok: false; reason: 'duplicate_name' | 'forbidden_name'; name: string };

/** Objects and lists within each other, as proto JSON parsers allow at least. */
export const MAX_DEPTH = 32;

/**
 * Parses a JSON text, refusing what `JSON.parse` lets pass: more than `maxDepth` objects and lists within each other, a name twice
 * in one object (parsers disagree which counts), and the name `__proto__`.
 */
export function parseJsonText(text: string, maxDepth = MAX_DEPTH): JsonText {
  const structure = scanJsonText(text, maxDepth);
  if (structure !== undefined) return structure;
  try {
    return { ok: true, value: JSON.parse(text) as Json }; // What JSON.parse returns is Json.
  } catch {
    return { ok: false, reason: 'syntax' };
  }
}

type Frame = { names: Set<string> | undefined; expectsName: boolean };

/** One look at every character. What it says of a text that is no JSON does not matter: that is refused either way. */
function scanJsonText(text: string, maxDepth: number): Exclude<JsonText, { ok: true }> | undefined {
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const frame = frames.at(-1);
    const char = text[at];
    if (char === '{' || char === '[') {
      if (frames.length === maxDepth) return { ok: false, reason: 'too_deep' };
      frames.push({ names: char === '{' ? new Set() : undefined, expectsName: char === '{' });
    } else if (char === '}' || char === ']') frames.pop();
    else if (char === ',' && frame?.names !== undefined) frame.expectsName = true;
    else if (char === '"') {
      const end = endOfString(text, at);
      if (frame?.names !== undefined && frame.expectsName) {
        const problem = findNameProblem(text.slice(at, end + 1), frame.names);
        if (problem !== undefined) return problem;
        frame.expectsName = false;
      }
      at = end;
    }
  }
  return undefined;
}

/** Where the string that starts at `start` ends: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function findNameProblem(quoted: string, seen: Set<string>): Exclude<JsonText, { ok: true }> | undefined {
  const name = parseQuotedText(quoted);
  if (name === undefined) return { ok: false, reason: 'syntax' };
  if (name === '__proto__') return { ok: false, reason: 'forbidden_name', name };
  if (seen.has(name)) return { ok: false, reason: 'duplicate_name', name };
  seen.add(name);
  return undefined;
}

function parseQuotedText(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** The text of an answer: two spaces deep by default, or in one line (`prettyPrint=false`). */
export const renderJsonText = (body: JsonObject | JsonObject[], { prettyPrint }: { prettyPrint: boolean }): string =>
  prettyPrint ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body);
