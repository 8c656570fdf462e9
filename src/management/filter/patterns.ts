import { RE2JS, RE2JSException } from 're2js';

const MAX_PATTERN_CHARS = 1_000;
/** Of the compiled pattern: counted repeats are written out, and the time of a match grows with them. */
const MAX_PROGRAM_STEPS = 2_000;
/** A longer text is matched by its first part: the time of a match grows with it, too. */
const MAX_SUBJECT_CHARS = 65_536;
const MAX_KEPT_PATTERNS = 50;
/** A pattern that was used remembers states, up to 8 MiB of them: so many may. */
const MAX_WARM_PATTERNS = 8;

/** Compiled patterns of all filters, the least lately compiled first. */
const kept = new Map<string, RE2JS>();
const warm = new Set<RE2JS>();

/** Why a text is no pattern (RE2 syntax, of limited size); undefined where it is one. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_CHARS)
    return `a regular expression has at most ${String(MAX_PATTERN_CHARS)} characters`;
  try {
    return compiled(pattern).programSize() > MAX_PROGRAM_STEPS ? 'the regular expression is too large' : undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return `invalid regular expression: ${error.message}`;
    throw error;
  }
}

/**
 * A test of whether a pattern is found anywhere in a text, letter case counting, in time linear in the text's length. Of a
 * text, the first 65,536 characters are looked at.
 */
export function patternTest(pattern: string): (text: string) => boolean {
  const expression = compiled(pattern);
  return (text) => {
    if (!warm.has(expression)) warmUp(expression);
    return expression.test(text.length > MAX_SUBJECT_CHARS ? text.slice(0, MAX_SUBJECT_CHARS) : text);
  };
}

function compiled(pattern: string): RE2JS {
  const before = kept.get(pattern);
  const expression = before ?? RE2JS.compile(pattern);
  kept.delete(pattern);
  kept.set(pattern, expression);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT_PATTERNS && oldest !== undefined) kept.delete(oldest);
  return expression;
}

function warmUp(expression: RE2JS): void {
  warm.add(expression);
  const [oldest] = warm;
  if (warm.size <= MAX_WARM_PATTERNS || oldest === undefined) return;
  oldest.reset();
  warm.delete(oldest);
}
