import type { OutcomeStatus } from '../../audit/core/check.ts';
import { type CheckFacts, findDoubtfulChecks, type SiteFacts } from './site-facts.ts';

/** `value` of a partial verdict is right to a hundredth, as reports show it. */
export type SeenVerdict = { status: OutcomeStatus; value: number; isDoubtful: boolean };

const LETTERS = { pass: 'p', fail: 'f', not_applicable: 'n', unknown: 'u' } as const;
const STATUSES: ReadonlyMap<string, keyof typeof LETTERS> = new Map([
  ['p', 'pass'],
  ['f', 'fail'],
  ['n', 'not_applicable'],
  ['u', 'unknown'],
]);
/** Code units of partial verdicts, by the hundredths of their values, plain and doubtful. */
const PARTIAL_UNIT = 0x100;
const DOUBTFUL_UNIT = 0x180;
const HUNDREDTHS = 100;
/** Of runs before: tenths, plain and doubtful. */
const TENTHS = '0123456789';
const DOUBTFUL_TENTHS = 'ABCDEGHIJK';

/** Checks that a line has a letter of. */
export const listWeighedChecks = ({ checks }: Pick<SiteFacts, 'checks'>): readonly CheckFacts[] =>
  checks.filter(({ weight }) => weight > 0);

/** What a run says of each check that `verdicts` of its summary keeps; doubtful verdicts are capitals. */
export function formatVerdictLetters(facts: SiteFacts): string {
  const doubtful = findDoubtfulChecks(facts);
  return listWeighedChecks(facts)
    .map((one) => formatLetter(one, doubtful.has(one.id)))
    .join('');
}

function formatLetter({ status, value }: CheckFacts, isDoubtful: boolean): string {
  if (status === 'partial') {
    const hundredths = Math.min(HUNDREDTHS, Math.max(0, Math.round(value * HUNDREDTHS)));
    return String.fromCodePoint((isDoubtful ? DOUBTFUL_UNIT : PARTIAL_UNIT) + hundredths);
  }
  const letter = LETTERS[status];
  return isDoubtful ? letter.toUpperCase() : letter;
}

/**
 * Reads a line back.
 * @param checks those of a report of the same rubric, in order
 * @returns undefined where the line is of other checks
 */
export function parseVerdictLetters(
  letters: string,
  checks: readonly Pick<CheckFacts, 'id'>[],
): ReadonlyMap<string, SeenVerdict> | undefined {
  if (letters.length !== checks.length) return undefined;
  return new Map(checks.map(({ id }, at) => [id, parseLetter(letters.charAt(at))]));
}

function parseLetter(letter: string): SeenVerdict {
  const unit = letter.charCodeAt(0);
  for (const [from, isDoubtful] of [[PARTIAL_UNIT, false] as const, [DOUBTFUL_UNIT, true] as const])
    if (unit >= from && unit <= from + HUNDREDTHS)
      return { status: 'partial', value: (unit - from) / HUNDREDTHS, isDoubtful };
  const [plain, doubtful] = [TENTHS.indexOf(letter), DOUBTFUL_TENTHS.indexOf(letter)];
  if (plain >= 0 || doubtful >= 0)
    return { status: 'partial', value: (Math.max(plain, doubtful) + 0.5) / 10, isDoubtful: doubtful >= 0 };
  const status = STATUSES.get(letter.toLowerCase()) ?? 'unknown';
  return { status, value: status === 'pass' ? 1 : 0, isDoubtful: letter !== letter.toLowerCase() };
}

/** The same verdicts of facts that are at hand. */
export function readSeenVerdicts(facts: SiteFacts): ReadonlyMap<string, SeenVerdict> {
  const doubtful = findDoubtfulChecks(facts);
  return new Map(
    listWeighedChecks(facts).map(({ id, status, value }) => [id, { status, value, isDoubtful: doubtful.has(id) }]),
  );
}
