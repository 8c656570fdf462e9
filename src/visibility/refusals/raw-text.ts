import type { RefusalKind } from './refusal-kinds.ts';

/** Characters of a text that may be parsed as JSON. */
const MAX_JSON_CHARS = 20_000;
const EMPTY_VALUES = new Set(['null', 'undefined', 'nan', '[object object]', '{}', '[]', '""', 'n/a', 'nil']);
const CODE_SHARE = 0.6;
/** Markets where code may be the answer. */
const ABOUT_CODE =
  /\b(?:code|coding|program|programm\w*|programa\w*|entwickl\w*|developer\w*|software|sql|python|javascript|typescript|html|css|api|script|regex|query|framework\w*|library|libraries|snippet\w*)\b|プログラ|コード|開発/iu;
const MACHINE_TAG =
  /^<\/?(?:system|tool_call|tool|function_call|function|assistant|instructions?|prompt|im_start|\|im_start\|)\b/iu;
/** Members that only messages of machines have. `detail` and `arguments` are words that an answer in JSON uses too. */
const MACHINE_MEMBERS =
  /"(?:errors?|fehler|erreur|errore|erro|fout|エラー|tool_calls?|function_call|finish_reason|status_code|statusCode|error_code|errorCode|exception)"\s{0,3}:\s{0,3}(?!null|false|""|\[\]|\{\})/u;
const BESIDE_STATUS = /"status"\s{0,3}:/u;
const STATUS_MEMBERS = /"(?:detail|stack|arguments)"\s{0,3}:/u;

/** What a text is that no assistant would show to a reader: nothing, a page's source, a machine's message. */
export function classifyRawText(text: string): RefusalKind | undefined {
  const plain = text.trim();
  if (EMPTY_VALUES.has(plain.toLowerCase()) || !/[\p{L}\p{N}]/u.test(plain)) return 'stock_phrase';
  if (/^<(?:!doctype|html|\?xml|head|body)\b/iu.test(plain)) return 'stock_phrase';
  if (/^\W{0,8}lorem ipsum\b/iu.test(plain)) return 'stock_phrase';
  if (MACHINE_TAG.test(plain) || isTemplate(plain)) return 'stock_phrase';
  return isMachineMessage(plain) ? 'stock_phrase' : undefined;
}

/** Places to fill in: brackets that are no links, with next to nothing beside them. */
const PLACE = /\[[^[\]\n]{3,200}\](?!\()|\{\{[^{}\n]{1,200}\}\}|【[^【】\n]{1,60}】/gu;
/** A place that no writer leaves on purpose: a member's name in braces, capitals or a name with strokes in brackets. */
const SURE_PLACE =
  /\{\{?\s?[\p{L}_][\p{L}\p{N}_. -]{1,60}\}?\}|[[<](?:\p{Lu}[\p{Lu}\p{N} _-]{2,60}|\p{L}{1,30}_[\p{L}\p{N}_]{1,60})[\]>](?!\()/gu;
/** Marks of what is still to be written, as every trade that writes has them. */
const UNWRITTEN = /(?:^\W{0,8}|[.!?:([]\s?)(?:TODO(?=\s?:)|(?:TBD|TBA|FIXME|PLACEHOLDER|XXX)\b)/mu;

/** What a text is without the places that are to be filled in; undefined where it has none. */
export function removePlaces(text: string): string | undefined {
  const places = text.match(SURE_PLACE) ?? [];
  // One word of capitals may be a name or a source: "Larch lasts longest [BBC]."
  const isName = places.length === 1 && /^[[<]\p{Lu}+[\]>]$/u.test(places[0] ?? '');
  const rest = isName ? text : text.replace(SURE_PLACE, ' ');
  return rest === text && !UNWRITTEN.test(text) ? undefined : rest.replace(UNWRITTEN, ' ');
}
const MAX_BESIDE_PLACES = 0.25;
/** The same where there are two places or more. */
const MAX_BETWEEN_PLACES = 0.7;
const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

function isTemplate(text: string): boolean {
  if (!text.startsWith('{{') && /^[{[]\s*["{[]/u.test(text)) return false;
  const places = text.match(PLACE)?.filter((place) => /\p{L}{2}/u.test(place) && !place.includes('","')) ?? [];
  if (places.length === 0 || /<\/|<(?:ul|ol|li|p|b|i|strong|em|div|br)>/iu.test(text)) return false;
  const most = places.length > 1 ? MAX_BETWEEN_PLACES : MAX_BESIDE_PLACES;
  return countLetters(text.replace(PLACE, ' ')) <= countLetters(text) * most;
}

/** JSON that holds an error, a call of a tool, or no text at all. */
function isMachineMessage(text: string): boolean {
  const inner = text
    .replace(/^```\w{0,12}\s/u, '')
    .replace(/\s?```$/u, '')
    .trim();
  if (!/^[{[]/u.test(inner) || inner.length > MAX_JSON_CHARS) return false;
  try {
    const parsed: unknown = JSON.parse(inner);
    const isStatus = BESIDE_STATUS.test(inner) && STATUS_MEMBERS.test(inner);
    return isStatus || MACHINE_MEMBERS.test(inner) || !/\p{L}{2}/u.test(JSON.stringify(listLeaves(parsed)));
  } catch {
    return false;
  }
}

const MAX_LEAVES = 200;

/** The strings and numbers in a value, without the names of members. */
function listLeaves(value: unknown): readonly unknown[] {
  const leaves: unknown[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && leaves.length < MAX_LEAVES) {
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next).slice(0, MAX_LEAVES));
    else leaves.push(next);
  }
  return leaves;
}

/**
 * What a reader sees beside code, where most of a text's characters are in fenced blocks or in lines that look like code;
 * undefined where they are not, or where code may be the answer.
 */
export function readBesideCode(text: string, asked: string): string | undefined {
  if (ABOUT_CODE.test(asked)) return undefined;
  const prose: string[] = [];
  let [coded, all] = [0, 0];
  let isFenced = false;
  let hasCode = false;
  for (const line of text.split('\n')) {
    const { length } = line.trim();
    const isFence = /^\s{0,3}(?:```|~~~)/u.test(line);
    if (isFence) isFenced = !isFenced;
    if (!isFence && !isFenced && hasOnlyTags(line)) continue;
    all += length;
    if (isFence || isFenced || isCodeLine(line)) {
      coded += length;
      hasCode ||= isFence || text.includes('\n');
    } else prose.push(line);
  }
  return hasCode && coded / all >= CODE_SHARE ? prose.join('\n') : undefined;
}

/** Tags and scripts show a reader nothing, so they say nothing of what is shown. */
const hasOnlyTags = (line: string): boolean =>
  line.trimStart().startsWith('<') && !/[\p{L}\p{N}]/u.test(listShown(line).join(''));

/** What is between the tags of a line, without scripts. */
function listShown(line: string): readonly string[] {
  const shown: string[] = [];
  let isScript = false;
  for (const piece of line.split('<')) {
    const end = piece.indexOf('>');
    const tag = piece.slice(0, 8).toLowerCase();
    if (tag.startsWith('script')) isScript = true;
    else if (tag.startsWith('/script')) isScript = false;
    if (!isScript) shown.push(end === -1 ? piece : piece.slice(end + 1));
  }
  return shown;
}

const LIST_MARK = /^\s*(?:[-*+•·–—]|\d{1,2}[.)])\s/u;
/** What a line that ends in a semicolon needs beside it: prose lists end their entries in one too. */
const SECOND_SIGN = /[={}]|->|::|\/\/|[\w\]]\(|\$\w/u;
const KEYWORD_LINE =
  /^\s*(?:def \w+\(|class \w+.{0,100}[:{]\s*$|(?:from [\w.]+ )?import [\w.{}*, ]+(?:from .{1,100})?;?\s*$|return\b.{0,200};\s*$|(?:const|let|var) .{0,100}=|function\b.{0,100}\(|(?:public|private) .{0,100}[({]|#include\b|(?:SELECT|INSERT|UPDATE|CREATE)\b|(?:for|while|if)\s?\(|for \w+ in .{1,100}[:;]\s*$|while .{1,100}:\s*$|if .{0,100}[=<>]=?.{0,100}:\s*$|\$ \w)/u;

const isCodeLine = (line: string): boolean => {
  if (LIST_MARK.test(line)) return false;
  return /[{}]\s*$/u.test(line) || (/;\s*$/u.test(line) && SECOND_SIGN.test(line)) || KEYWORD_LINE.test(line);
};
