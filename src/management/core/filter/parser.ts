import {
  type Expression,
  type FilterField,
  type ParsedFilter,
  FilterProblem,
  type Literal,
  type ComparisonOperator,
  type Profile,
} from './ast.ts';
import { type Argument, parseFunctionCall, refuseLeftOut, requireField } from './functions.ts';
import { createSyntaxError, type Token, splitFilterTokens } from './lexer.ts';
import { findPatternProblem } from './patterns.ts';
import { parseFilterInstant } from './timestamps.ts';

const MAX_FILTER_CHARS = 20_000;
const MAX_DEPTH = 100;
const MAX_COMPARISONS = 1_000;
/** Of what reads whole entries: bare values, SEARCH and regular expressions. */
const MAX_SEARCHES = 100;
const MAX_REGULAR_EXPRESSIONS = 20;
const MAX_PATH_PARTS = 100;
const NUMBER = /^-\d{1,30}(?:\.\d{1,30})?$/;

/** The part before a group of values: `field = ("a" OR "b")`. */
type Group = { field: FilterField; written: readonly string[]; operator: ComparisonOperator };
type Word = Token & { kind: 'word' };
type State = {
  text: string;
  profile: Profile;
  tokens: Token[];
  next: number;
  comparisons: number;
  searches: number;
  patterns: number;
};

/** @throws FilterProblem for a text that is no filter of the language, or more than its limits allow */
export function parse(text: string, profile: Profile): ParsedFilter {
  if (text.length > MAX_FILTER_CHARS)
    throw new FilterProblem(`a filter has at most ${String(MAX_FILTER_CHARS)} characters`, MAX_FILTER_CHARS);
  const state = { text, profile, tokens: splitFilterTokens(text), next: 0, comparisons: 0, searches: 0, patterns: 0 };
  if (getNextToken(state).kind === 'end') return { text, profile };
  const expression = parseConjunction(state, undefined, 0);
  if (getNextToken(state).kind !== 'end') throw createUnexpectedTokenError(state);
  return { text, profile, expression };
}

/** `a AND b c`: AND binds less than OR, and may be left out. */
function parseConjunction(state: State, group: Group | undefined, depth: number): Expression {
  if (depth > MAX_DEPTH)
    throw new FilterProblem(`a filter is nested at most ${String(MAX_DEPTH)} deep`, getNextToken(state).at);
  const terms = [parseDisjunction(state, group, depth)];
  for (;;) {
    if (isWord(getNextToken(state), 'AND')) state.next += 1;
    else if (getNextToken(state).kind === 'end' || getNextToken(state).kind === 'close') return joinTerms('and', terms);
    terms.push(parseDisjunction(state, group, depth));
  }
}

function parseDisjunction(state: State, group: Group | undefined, depth: number): Expression {
  const terms = [parseNegation(state, group, depth)];
  while (isWord(getNextToken(state), 'OR')) {
    state.next += 1;
    terms.push(parseNegation(state, group, depth));
  }
  return joinTerms('or', terms);
}

/** `NOT a`, `-a`. A minus before a number alone is its sign. */
function parseNegation(state: State, group: Group | undefined, depth: number): Expression {
  let isNegated = false;
  for (;;) {
    const token = getNextToken(state);
    if (isWord(token, 'NOT')) state.next += 1;
    else if (isMinus(state, token)) dropMinus(state, token);
    else break;
    isNegated = !isNegated;
  }
  const term = parseTerm(state, group, depth);
  return isNegated ? { kind: 'not', term } : term;
}

function parseTerm(state: State, group: Group | undefined, depth: number): Expression {
  const token = getNextToken(state);
  if (token.kind === 'open') return parseGroup(state, group, depth);
  if (token.kind !== 'word' || isKeyword(token)) throw createUnexpectedTokenError(state);
  state.next += 1;
  const after = getNextToken(state);
  if (group !== undefined) return parseComparisonValue(state, group, token, token.at);
  if (after.kind === 'open' && after.at === token.end && !token.isQuoted) return parseCall(state, token);
  if (after.kind === 'operator') return parseComparison(state, token, depth);
  search(state, token.at);
  return { kind: 'bare', value: { text: token.text, isQuoted: token.isQuoted } };
}

function parseGroup(state: State, group: Group | undefined, depth: number): Expression {
  state.next += 1;
  const inner = parseConjunction(state, group, depth + 1);
  if (getNextToken(state).kind !== 'close') throw createUnexpectedTokenError(state);
  state.next += 1;
  return inner;
}

function parseComparison(state: State, token: Word, depth: number): Expression {
  const operator = getNextToken(state).text as ComparisonOperator;
  if (state.profile === 'aip' && isRegular(operator)) throw createUnexpectedTokenError(state);
  if (token.path.length > MAX_PATH_PARTS)
    throw new FilterProblem(`a field has at most ${String(MAX_PATH_PARTS)} parts`, token.at);
  state.next += 1;
  const field =
    state.profile === 'logging'
      ? requireField(token.path, token.text, token.at)
      : ({ path: token.path, type: 'any' } as const);
  const group = { field, written: token.path, operator };
  const value = getNextToken(state);
  if (value.kind === 'open') return parseGroup(state, group, depth);
  if (value.kind !== 'word' || isKeyword(value)) throw createUnexpectedTokenError(state);
  state.next += 1;
  const after = getNextToken(state);
  if (after.kind === 'operator') throw createUnexpectedTokenError(state);
  if (after.kind === 'open' && after.at === value.end && !value.isQuoted)
    throw new FilterProblem(`the function '${value.text}' is no value`, value.at);
  return parseComparisonValue(state, group, value, value.at);
}

function parseComparisonValue(state: State, group: Group, value: Literal, at: number): Expression {
  const { field, written, operator } = group;
  count(state, at);
  if (isRegular(operator)) {
    state.patterns += 1;
    if (state.patterns > MAX_REGULAR_EXPRESSIONS)
      throw new FilterProblem(`a filter has at most ${String(MAX_REGULAR_EXPRESSIONS)} regular expressions`, at);
    const problem = findPatternProblem(value.text);
    if (problem !== undefined) throw new FilterProblem(problem, at);
  }
  if (field.type === 'timestamp' && !isRegular(operator) && !isInstant(value, operator))
    throw new FilterProblem(`'${value.text}' is no instant: write it like "2026-01-02T03:04:05Z" or "2026-01-02"`, at);
  return { kind: 'compare', field, written, operator, value: { text: value.text, isQuoted: value.isQuoted } };
}

function parseCall(state: State, token: Word): Expression {
  search(state, token.at);
  const written = { name: token.text, at: token.at };
  // Judged before its arguments are read: those of a function that is left out may be calls.
  refuseLeftOut(token.text, token.at);
  state.next += 1;
  const args: Argument[] = [];
  while (getNextToken(state).kind !== 'close') {
    const argument = getNextToken(state);
    if (argument.kind !== 'word') throw createUnexpectedTokenError(state);
    args.push(argument);
    state.next += 1;
    if (getNextToken(state).kind === 'comma') state.next += 1;
    else if (getNextToken(state).kind !== 'close') throw createUnexpectedTokenError(state);
  }
  state.next += 1;
  return { kind: 'call', call: parseFunctionCall({ ...written, args }, state.profile) };
}

/** Any is `*` after a colon. */
const isInstant = ({ text, isQuoted }: Literal, operator: ComparisonOperator): boolean =>
  parseFilterInstant(text) !== undefined || (operator === ':' && text === '*' && !isQuoted);

const isRegular = (operator: ComparisonOperator): boolean => operator === '=~' || operator === '!~';

const getNextToken = (state: State): Token => state.tokens[state.next] ?? { kind: 'end', at: 0, end: 0, text: '' };

const isWord = (token: Token, word: string): boolean => token.kind === 'word' && !token.isQuoted && token.text === word;

const isKeyword = (token: Token): boolean => ['AND', 'OR', 'NOT'].some((word) => isWord(token, word));

function isMinus({ tokens, next }: State, token: Token): token is Word {
  if (token.kind !== 'word' || token.isQuoted || !token.text.startsWith('-')) return false;
  const after = tokens[next + 1];
  return !NUMBER.test(token.text) || after?.kind === 'operator';
}

function dropMinus(state: State, token: Word): void {
  const text = token.text.slice(1);
  const [first = '', ...rest] = token.path;
  if (text === '') state.next += 1;
  else state.tokens[state.next] = { ...token, at: token.at + 1, text, path: [first.slice(1), ...rest] };
}

function joinTerms(kind: 'and' | 'or', terms: readonly Expression[]): Expression {
  const [first] = terms;
  return terms.length === 1 && first !== undefined ? first : { kind, terms };
}

const createUnexpectedTokenError = (state: State): FilterProblem =>
  createSyntaxError(state.text, getNextToken(state).at, getNextToken(state).text);

function count(state: State, at: number): void {
  state.comparisons += 1;
  if (state.comparisons > MAX_COMPARISONS)
    throw new FilterProblem(`a filter has at most ${String(MAX_COMPARISONS)} comparisons`, at);
}

function search(state: State, at: number): void {
  count(state, at);
  state.searches += 1;
  if (state.searches > MAX_SEARCHES)
    throw new FilterProblem(`a filter searches at most ${String(MAX_SEARCHES)} times`, at);
}
