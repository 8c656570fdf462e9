import { skipBlanks } from '../../../../lib/text.ts';
import { refuseSearch } from '../refusals.ts';

const MAX_QUERY_CHARS = 4_096;
const MAX_CLAUSES = 20;

/** One clause of a search; all must hold. `field` is '' for a bare word, `Schema.field` for a custom one. */
export type Clause = {
  field: string;
  operator: '=' | ':' | '>' | '<' | '>=' | '<=';
  text: string;
  /** The text ended in `*`: values that start with it. */
  isPrefix: boolean;
};

const OPERATORS = ['>=', '<=', '>', '<', '=', ':'] as const;
const FIELD = /[A-Za-z][A-Za-z0-9_-]{0,99}(?:\.[A-Za-z0-9_-]{1,100})?/y;
/** `[1,5]`, `(1,5]`, `[2020-01-01,2021-01-01)`: both ends, included or not. */
const RANGE = /^([[(])([^,]{1,50}),([^,]{1,50})([\])])$/;

/**
 * The clauses of a search for users (vendor's guide "Search for users"): `name:'Jane Smith' orgUnitPath=/Sales`. Values
 * with spaces are quoted; in quotes a backslash takes the next character as it is.
 * @throws Refusal 400 `Invalid Input: query` for text that is not a query, or has more than 4,096 characters or 20
 * clauses
 */
export function parseUserQuery(query: string): Clause[] {
  if (query.length > MAX_QUERY_CHARS) throw refuseSearch();
  const clauses: Clause[] = [];
  let at = skipBlanks(query, 0);
  while (at < query.length) {
    const read = readClause(query, at);
    clauses.push(...read.clauses);
    at = skipBlanks(query, read.end);
    if (clauses.length > MAX_CLAUSES || (at === read.end && at < query.length)) throw refuseSearch();
  }
  return clauses;
}

function readClause(query: string, start: number): { clauses: Clause[]; end: number } {
  FIELD.lastIndex = start;
  const field = FIELD.exec(query)?.[0] ?? '';
  const afterField = start + field.length;
  const operator = OPERATORS.find((each) => query.startsWith(each, afterField));
  if (field === '' || operator === undefined) {
    const { text, isPrefix, end } = readValue(query, start);
    if (OPERATORS.some((each) => text.startsWith(each))) throw refuseSearch();
    return { clauses: [{ field: '', operator: ':', text, isPrefix }], end };
  }
  const { text, isPrefix, isQuoted, end } = readValue(query, afterField + operator.length);
  if (isPrefix && operator !== ':') throw refuseSearch();
  const range = operator === ':' && !isQuoted ? RANGE.exec(text) : null;
  return { clauses: range ? buildRangeClauses(field, range) : [{ field, operator, text, isPrefix }], end };
}

function buildRangeClauses(field: string, [, open, low = '', high = '', close]: RegExpExecArray): Clause[] {
  return [
    { field, operator: open === '[' ? '>=' : '>', text: low.trim(), isPrefix: false },
    { field, operator: close === ']' ? '<=' : '<', text: high.trim(), isPrefix: false },
  ];
}

/** A value in quotes, or up to the next space. A `*` that ends it, unless behind a backslash, makes it a prefix. */
function readValue(query: string, start: number): { text: string; isPrefix: boolean; isQuoted: boolean; end: number } {
  const quote = query[start] === "'" || query[start] === '"' ? query[start] : undefined;
  let text = '';
  let isPrefix = false;
  let at = quote === undefined ? start : start + 1;
  while (at < query.length && query[at] !== (quote ?? ' ')) {
    const isEscaped = query[at] === '\\' && at + 1 < query.length;
    if (isEscaped) at += 1;
    const char = query[at] ?? '';
    isPrefix = char === '*' && !isEscaped;
    text += char;
    at += 1;
  }
  if (quote !== undefined && query[at] !== quote) throw refuseSearch();
  const afterQuote = quote === undefined ? at : at + 1;
  const hasStar = quote !== undefined && query[afterQuote] === '*';
  if (isPrefix) text = text.slice(0, -1);
  if (text === '' && !isPrefix) throw refuseSearch();
  return {
    text,
    isPrefix: isPrefix || hasStar,
    isQuoted: quote !== undefined,
    end: hasStar ? afterQuote + 1 : afterQuote,
  };
}
