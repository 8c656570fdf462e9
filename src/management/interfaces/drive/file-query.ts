import { isText, type JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';

const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 20;
/** `name = 'x'`, `name contains 'x'`, `mimeType != 'x'`. Quotes inside are written `\'`. */
const TEXT_CLAUSE = /^(name|mimeType|fullText) *(=|!=|contains) *'((?:[^'\\]|\\.)*)'$/;
const FLAG_CLAUSE = /^(trashed|starred) *(=|!=) *(true|false)$/;
const PARENT_CLAUSE = /^'([A-Za-z0-9_-]{1,100})' +in +parents$/;

/**
 * The test that a `q` says: clauses joined by `and` over name, mimeType, trashed, starred and parents.
 * @throws Refusal 400 `Invalid Value` for any other
 */
export function fileTest(query: string): (file: JsonObject) => boolean {
  const clauses = query.length > MAX_QUERY_CHARS ? [] : clausesOf(query);
  if (clauses.length === 0 || clauses.length > MAX_CLAUSES) throw refuse.invalid('Invalid Value');
  const tests = clauses.map(testOf);
  return (file) => tests.every((test) => test(file));
}

function testOf(clause: string): (file: JsonObject) => boolean {
  const [, field, how, quoted] = TEXT_CLAUSE.exec(clause) ?? [];
  if (field !== undefined && quoted !== undefined) return textTest(field, how, quoted.replace(/\\(.)/g, '$1'));
  const [, flag, operator, wanted] = FLAG_CLAUSE.exec(clause) ?? [];
  if (flag !== undefined) return (file) => (file[flag] === true) === ((wanted === 'true') === (operator === '='));
  const [, parent] = PARENT_CLAUSE.exec(clause) ?? [];
  if (parent === undefined) throw refuse.invalid('Invalid Value');
  return ({ parents }) => Array.isArray(parents) && parents.includes(parent);
}

/** `contains` is for the beginning of words in names, and for any place elsewhere: any place is taken here. */
function textTest(field: string, how: string | undefined, wanted: string): (file: JsonObject) => boolean {
  const name = field === 'fullText' ? 'name' : field;
  return (file) => {
    const value = file[name];
    const text = isText(value) ? value : '';
    if (how === 'contains') return text.toLowerCase().includes(wanted.toLowerCase());
    return (text === wanted) === (how === '=');
  };
}

/** Parts between ` and `s outside quotes. */
function clausesOf(query: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const word of query.trim().split(' ')) {
    if (word === 'and' && !isQuoted) {
      parts.push(part.trim());
      part = '';
      continue;
    }
    part += `${word} `;
    if (word.replaceAll("\\'", '').split("'").length % 2 === 0) isQuoted = !isQuoted;
  }
  return [...parts, part.trim()];
}
