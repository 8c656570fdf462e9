import { RE2JS, RE2JSException } from 're2js';
import { type Meter, createMeter, spend } from './meter.ts';

const MAX_PATTERN_CHARS = 1_000;
/** Of the compiled pattern: counted repeats are written out, and the time of a match grows with them. */
const MAX_PROGRAM_STEPS = 2_000;
/** A longer text is matched by its first part: the time of a match grows with it, too. */
const MAX_SUBJECT_CHARS = 65_536;
const MAX_KEPT_PATTERNS = 50;
/** Patterns that remember the states they were in, and how much of them. */
const MAX_WARM_PATTERNS = 8;
const MAX_STATE_BYTES = 1_048_576;
/**
 * Units of work (meter.ts) of a pattern: a character that leads from a known state to a known one; one that leads to a new
 * state, beside four for each step of the pattern that is in it; one that is matched without states, when there are too many,
 * beside a quarter for each step of the whole pattern.
 */
const CHAR_UNITS = 1;
const STATE_UNITS = 350;
const STEP_UNITS = 4;
const SLOW_CHAR_UNITS = 200;
const SLOW_STEP_UNITS = 0.25;

/** A compiled pattern, and who pays for what it does. */
type Pattern = { expression: RE2JS; payer: { meter: Meter } };

/** Compiled patterns of all filters, the least lately compiled first. */
const kept = new Map<string, Pattern>();
const warm = new Set<RE2JS>();

/** Why a text is no pattern (RE2 syntax, of limited size); undefined where it is one. */
export function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_CHARS)
    return `a regular expression has at most ${String(MAX_PATTERN_CHARS)} characters`;
  try {
    const { expression } = getCompiledPattern(pattern);
    return expression.programSize() > MAX_PROGRAM_STEPS ? 'the regular expression is too large' : undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return `invalid regular expression: ${error.message}`;
    throw error;
  }
}

/**
 * A test of whether a pattern is found anywhere in a text, letter case counting, in time linear in the text's length. Of a
 * text, the first 65,536 characters are looked at.
 * @param meter counts the characters and what they take. @throws FilterTooSlow from the test, by the meter's limit
 */
export function createPatternTest(pattern: string, meter = createMeter()): (text: string) => boolean {
  const { expression, payer } = getCompiledPattern(pattern);
  return (text) => {
    if (!warm.has(expression)) warmUp(expression);
    const looked = text.length > MAX_SUBJECT_CHARS ? text.slice(0, MAX_SUBJECT_CHARS) : text;
    payer.meter = meter;
    spend(meter, CHAR_UNITS * looked.length);
    return expression.test(looked);
  };
}

function getCompiledPattern(pattern: string): Pattern {
  const before = kept.get(pattern);
  const found = before ?? createMeteredPattern(RE2JS.compile(pattern));
  kept.delete(pattern);
  kept.set(pattern, found);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT_PATTERNS && oldest !== undefined) kept.delete(oldest);
  return found;
}

/**
 * The engine takes a thousand times longer where a text keeps leading to new states, which the pattern alone does not
 * reveal: so work is counted where states are made, and where the engine goes on without them.
 */
function createMeteredPattern(expression: RE2JS): Pattern {
  const payer = { meter: createMeter() };
  const engine = expression.re2();
  const { dfa } = engine;
  const [makeState, withoutStates] = [dfa.makeState.bind(dfa), engine.doExecuteNFA.bind(engine)];
  const slowUnits = SLOW_CHAR_UNITS + SLOW_STEP_UNITS * expression.programSize();
  dfa.stateBudget = MAX_STATE_BYTES;
  dfa.memBudget = MAX_STATE_BYTES;
  dfa.makeState = (steps: readonly number[], ...rest) => {
    spend(payer.meter, STATE_UNITS + STEP_UNITS * steps.length);
    return makeState(steps, ...rest);
  };
  engine.doExecuteNFA = (input: { endPos: () => number }, ...rest) => {
    spend(payer.meter, slowUnits * input.endPos());
    return withoutStates(input, ...rest);
  };
  return { expression, payer };
}

function warmUp(expression: RE2JS): void {
  warm.add(expression);
  const [oldest] = warm;
  if (warm.size <= MAX_WARM_PATTERNS || oldest === undefined) return;
  oldest.reset();
  oldest.re2().dfa.clearCache();
  warm.delete(oldest);
}
