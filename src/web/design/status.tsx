export type CheckStatus = 'pass' | 'partial' | 'fail' | 'not_applicable' | 'unknown';

/** What a check came to, in the words of the pages. */
export const CHECK_STATUS_WORDS: Readonly<Record<CheckStatus, string>> = {
  pass: 'Pass',
  partial: 'Partial',
  fail: 'Fail',
  not_applicable: 'Does not apply',
  unknown: 'Could not look',
};

/** Shapes differ, so that no one depends on colours. */
const MARKS: Readonly<Record<CheckStatus, string>> = {
  pass: 'M2 6.5 5 9.5 10 3',
  partial: 'M2 6h8',
  fail: 'M2.5 2.5l7 7m0-7l-7 7',
  not_applicable: 'M9 3L3 9',
  unknown: 'M4 4.2a2 2 0 1 1 2.6 1.9v1M6.6 9.6v.2',
};

export const Status = ({ status }: { status: CheckStatus }) => (
  <span class={`status ${status}`}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={MARKS[status]} fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
    </svg>
    {CHECK_STATUS_WORDS[status]}
  </span>
);
