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
const MACHINE_MEMBERS =
  /"(?:error|errors|tool_calls?|function_call|arguments|finish_reason|status_code|statusCode|error_code|errorCode|stack|detail|exception)"\s{0,3}:/u;

/** What a text is that no assistant would show to a reader: nothing, a page's source, a machine's message, code. */
export function classifyRawText(text: string, asked: string): RefusalKind | undefined {
  const plain = text.trim();
  if (EMPTY_VALUES.has(plain.toLowerCase()) || !/[\p{L}\p{N}]/u.test(plain)) return 'stock_phrase';
  if (/^<(?:!doctype|html|\?xml|head|body)\b/iu.test(plain)) return 'stock_phrase';
  if (/^\W{0,8}lorem ipsum\b/iu.test(plain)) return 'stock_phrase';
  if (MACHINE_TAG.test(plain)) return 'stock_phrase';
  if (isMachineMessage(plain)) return 'stock_phrase';
  return isMostlyCode(plain) && !ABOUT_CODE.test(asked) ? 'off_topic' : undefined;
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
    return MACHINE_MEMBERS.test(inner) || !/\p{L}{2}/u.test(JSON.stringify(listLeaves(parsed)));
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

/** Most of its characters are in fenced blocks, or its lines look like code. */
function isMostlyCode(text: string): boolean {
  let fenced = 0;
  let coded = 0;
  let all = 0;
  let isFenced = false;
  for (const line of text.split('\n')) {
    const { length } = line.trim();
    all += length;
    if (/^\s{0,3}(?:```|~~~)/u.test(line)) {
      isFenced = !isFenced;
      fenced += length;
    } else if (isFenced) fenced += length;
    else if (isCodeLine(line)) coded += length;
  }
  return fenced / all >= CODE_SHARE || (coded / all >= CODE_SHARE && text.includes('\n'));
}

const isCodeLine = (line: string): boolean =>
  /[{};]\s*$|^\s*(?:def|import|from|return|const|let|var|function|class|public|private|#include|SELECT|INSERT|UPDATE|CREATE|for|while|if)\b.{0,200}[(:=*,]|^\s*<\/?[a-z][a-z0-9-]{0,20}[\s>]|^\s*\$ \w/u.test(
    line,
  );
