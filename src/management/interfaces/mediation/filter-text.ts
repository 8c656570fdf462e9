import { truncateSentText } from '../../core/conventions/invalid.ts';
import { MAX_LONG_TEXT_CHARS } from '../../core/conventions/names.ts';
import { refuseMediationField } from './rows.ts';

/** Functions of one filter, and values of all of them. */
const MAX_TERMS = 20;
const MAX_VALUES = 1_000;

const WORDS = /(IN|CONTAINS_ANY)[ \t\r\n]*\([ \t\r\n]*(\w+)/y;
const VALUE = /[ \t\r\n]*,[ \t\r\n]*(?:"((?:[^"\\]|\\["'\\])*)"|'((?:[^'\\]|\\["'\\])*)'|([\w./~-]+))[ \t\r\n]*/y;
const END = /\)[ \t\r\n]*/y;
const AND = /AND[ \t\r\n]+/y;
const ESCAPE = /\\(["'\\])/g;

/** `IN` is for fields with one value, `CONTAINS_ANY` for those with several. */
export type FilterCall = 'IN' | 'CONTAINS_ANY';

/** One function of a filter. */
export type FilterTerm = { call: FilterCall; field: string; values: readonly string[] };

/**
 * The functions of a filter, all of which must hold: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "a", "b")`. There
 * is no OR. No text is none.
 * @param fields what can be filtered by, each with its function
 * @throws Refusal 400 for what is no such filter
 */
export function readFilter(filter: string, fields: ReadonlyMap<string, FilterCall>): readonly FilterTerm[] {
  const text = filter.trim();
  if (text.length > MAX_LONG_TEXT_CHARS)
    throw refuseMediationFilter(`it has more than ${MAX_LONG_TEXT_CHARS} characters`);
  const terms: FilterTerm[] = [];
  for (let at = 0; at < text.length;) {
    if (terms.length === MAX_TERMS) throw refuseMediationFilter(`it has more than ${MAX_TERMS} functions`);
    const start = terms.length > 0 ? requireToken(AND, text, at).end : at;
    const { term, end } = parseTerm(text, start, fields);
    terms.push(term);
    at = end;
  }
  if (terms.reduce((sum, { values }) => sum + values.length, 0) > MAX_VALUES)
    throw refuseMediationFilter(`it has more than ${MAX_VALUES} values`);
  return terms;
}

/** 400 for a filter, with what is wrong with it. */
export const refuseMediationFilter = (why: string) => refuseMediationField('filter', why);

function parseTerm(
  text: string,
  start: number,
  fields: ReadonlyMap<string, FilterCall>,
): { term: FilterTerm; end: number } {
  const head = requireToken(WORDS, text, start);
  const [, call = '', field = ''] = head.match;
  const fits = fields.get(field);
  if (fits === undefined)
    throw refuseMediationFilter(`"${truncateSentText(field)}" is none of ${[...fields.keys()].join(', ')}`);
  if (call !== fits) throw refuseMediationFilter(`${field} is filtered by ${fits}`);
  const values: string[] = [];
  let at = head.end;
  do {
    const { match, end } = requireToken(VALUE, text, at);
    const [, double, single, bare] = match;
    values.push(bare ?? (double ?? single ?? '').replaceAll(ESCAPE, '$1'));
    at = end;
  } while (text[at] === ',');
  return { term: { call: fits, field, values }, end: requireToken(END, text, at).end };
}

function requireToken(form: RegExp, text: string, at: number): { match: RegExpExecArray; end: number } {
  form.lastIndex = at;
  const match = form.exec(text);
  if (match === null)
    throw refuseMediationFilter(
      `${JSON.stringify(truncateSentText(text.slice(at)))} at character ${at + 1} is not understood`,
    );
  return { match, end: at + match[0].length };
}
