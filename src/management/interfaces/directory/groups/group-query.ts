import { refuse } from '../../../../lib/refusal.ts';

/** What `query=` of groups.list asks for: every clause must hold. */
export type GroupQuery = {
  /** The address or id of a member: direct ones only. */
  memberKey?: string;
  clauses: readonly Clause[];
};
type Clause = { field: 'name' | 'email'; value: string; isPrefix: boolean };

/** Longest query and most clauses that are read. */
const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 10;
/** `name:'a b*'`, `email=x@example.com`, `memberKey=...`; in quotes, `\` keeps a quote from ending the value. */
const CLAUSE = /\s*(name|email|memberKey)\s*([:=])\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']+))/y;

/** @throws Refusal 400 `Invalid Input: query` for anything that is no list of clauses */
export function parseGroupQuery(query: string): GroupQuery {
  if (query.length > MAX_QUERY_CHARS) throw refuse.invalidInput('query');
  const parsed: { memberKey?: string; clauses: Clause[] } = { clauses: [] };
  const text = query.trimEnd();
  CLAUSE.lastIndex = 0;
  for (let count = 0; count < MAX_CLAUSES && CLAUSE.lastIndex < text.length; count++) {
    const match = CLAUSE.exec(text);
    if (match === null) throw refuse.invalidInput('query');
    const [, field = '', operator, quoted, bare = ''] = match;
    const value = quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, '$1');
    if (field === 'memberKey') parsed.memberKey = value;
    else parsed.clauses.push(clauseOf(field as Clause['field'], value, operator === ':'));
    if (CLAUSE.lastIndex === text.length) return parsed;
  }
  throw refuse.invalidInput('query');
}

/** Whether a group with this name and address (lower case) is asked for. */
export function fitsQuery(query: GroupQuery, group: { name: string; email: string }): boolean {
  return query.clauses.every(({ field, value, isPrefix }) =>
    isPrefix ? group[field].startsWith(value) : group[field] === value,
  );
}

/** `:` finds values that begin so, with or without the star; `=` the same value. Case does not count. */
function clauseOf(field: Clause['field'], value: string, isPrefix: boolean): Clause {
  const lower = value.toLowerCase();
  if (lower === '' || lower === '*') throw refuse.invalidInput('query');
  return { field, value: isPrefix && lower.endsWith('*') ? lower.slice(0, -1) : lower, isPrefix };
}
