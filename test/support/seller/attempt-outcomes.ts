/** What ids of the attempts begin with. */
const ATTEMPT = 'seller.pays.';

/** The attempts on a seller that does everything right. */
export const ALL_PASS = {
  'forged-signature': 'pass',
  'wrong-amount': 'pass',
  'wrong-network': 'pass',
  expired: 'pass',
  honest: 'pass',
  replay: 'pass',
  'other-route': 'pass',
  'double-spend': 'pass',
  'lost-answer': 'pass',
};

/** The status of each attempt of a report, by its name. */
export const listAttempts = ({
  checks,
}: {
  checks: readonly { id: string; status: string }[];
}): Record<string, string> =>
  Object.fromEntries(
    checks.filter(({ id }) => id.startsWith(ATTEMPT)).map(({ id, status }) => [id.slice(ATTEMPT.length), status]),
  );
