import { describe, expect, test } from 'vitest';
import { findSettledChanges } from '../../../src/monitors/alerts/settled.ts';
import type { SeenVerdict } from '../../../src/monitors/facts/verdict-letters.ts';

/** `p` pass, `h` half, `t` nine tenths, `f` fail, `n` not applicable, `u` unknown; capitals are doubtful. */
const VERDICTS: Readonly<Record<string, Omit<SeenVerdict, 'isDoubtful'>>> = {
  p: { status: 'pass', value: 1 },
  h: { status: 'partial', value: 0.5 },
  t: { status: 'partial', value: 0.9 },
  f: { status: 'fail', value: 0 },
  n: { status: 'not_applicable', value: 0 },
  u: { status: 'unknown', value: 0 },
};

function readVerdict(letter: string): SeenVerdict {
  const seen = VERDICTS[letter.toLowerCase()];
  if (seen === undefined) throw new Error(letter);
  return { ...seen, isDoubtful: letter !== letter.toLowerCase() };
}

/** What rings at each run of a check that shows these verdicts: `from>to`, `?` where it could not look, else `-`. */
function listRings(letters: string, ofPages = new Set<string>()): string {
  const runs = Array.from(letters, (letter, run) => ({ run, verdicts: new Map([['a', readVerdict(letter)]]) }));
  return runs
    .map((_, at) => {
      const { changes, unseen } = findSettledChanges(runs.slice(0, at + 1), ofPages);
      const [change] = changes;
      if (unseen.length > 0) return '?';
      return change === undefined ? '-' : `${change.from.status}>${change.to.status}`;
    })
    .join(' ');
}

describe('a verdict', () => {
  test.each([
    ['that changes rings at once, and once', 'ppffff', '- - pass>fail - - -'],
    ['that was never judged is no change', 'nunf', '- - - -'],
    [
      'that could not be looked at, or did not apply, for a while is compared with the one before',
      'pufp',
      '- - pass>fail -',
    ],
    ['not applicable in between is the same', 'pnnf', '- - - pass>fail'],
    ['that fails in passing is silent', 'ppFpp', '- - - - -'],
    ['that fails in passing and then for good waits for the second run', 'ppFf', '- - - pass>fail'],
    ['that is doubtful twice in a row counts', 'ppFFp', '- - - pass>fail -'],
    ['whose first look was doubtful settles with the next', 'Ppf', '- - pass>fail'],
    ['whose first look was doubtful and wrong rings nothing', 'Fpp', '- - -'],
    ['that comes back is said once, and its return with the second run', 'ppfppp', '- - pass>fail - fail>pass -'],
    ['that flips at each run falls silent', 'pfpfpfpfpf', '- pass>fail - - - - - - - -'],
    ['that changes again after a calm time rings at once', 'pffffffffp', '- pass>fail - - - - - - - fail>pass'],
  ])('%s', (_what, letters, expected) => {
    expect(listRings(letters)).toBe(expected);
  });

  test('over several pages waits for a second run where it is small, and rings at once where it is not', () => {
    const pages = new Set(['a']);
    expect(listRings('pptt', pages)).toBe('- - - pass>partial');
    expect(listRings('pptp', pages)).toBe('- - - -');
    expect(listRings('pph', pages)).toBe('- - pass>partial');
    expect(listRings('ppt')).toBe('- - pass>partial');
  });

  test('that cannot be looked at twice in a row is said once, and not again for a while', () => {
    expect(listRings('ppuuu')).toBe('- - - ? -');
    expect(listRings('puupuu')).toBe('- - ? - - -');
    expect(listRings('uupu')).toBe('- - - -');
  });
});

test('a change names the last run that showed the verdict of before', () => {
  const runs = Array.from('ppunf', (letter, run) => ({ run, verdicts: new Map([['a', readVerdict(letter)]]) }));
  expect(findSettledChanges(runs).changes).toMatchObject([{ id: 'a', since: 1 }]);
});

test('what waits for another run is held', () => {
  const runs = Array.from('ppF', (letter, run) => ({ run, verdicts: new Map([['a', readVerdict(letter)]]) }));
  const { held, before } = findSettledChanges(runs);
  expect([...held]).toEqual(['a']);
  expect(before.get('a')?.status).toBe('pass');
});
