import type { Expression, ParsedFilter } from './ast.ts';

const OPERATORS = new Set(['=', '!=']);
const FUNCTIONS = new Set(['log_id', 'source']);

/**
 * Why a filter is none of a log view; undefined where it is one: comparisons by `=` and `!=` of `resource.type`, and
 * `SOURCE()` and `LOG_ID()`, perhaps with NOT, joined by AND (LogView.filter of logging_config.proto).
 */
export function findViewFilterProblem({ expression }: ParsedFilter): string | undefined {
  const terms = expression === undefined ? [] : listConjuncts(expression);
  return terms.every(isAllowed)
    ? undefined
    : 'The filter of a view may only be a logical AND of =/!= of SOURCE(), resource.type and LOG_ID()';
}

const listConjuncts = (expression: Expression): readonly Expression[] =>
  expression.kind === 'and' ? expression.terms.flatMap(listConjuncts) : [expression];

function isAllowed(term: Expression): boolean {
  if (term.kind === 'not') return isAllowed(term.term);
  if (term.kind === 'call') return FUNCTIONS.has(term.call.name);
  if (term.kind !== 'compare') return false;
  return term.field.path.join('.') === 'resource.type' && OPERATORS.has(term.operator);
}
