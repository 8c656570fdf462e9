import { describe, expect, test } from 'vitest';
import { atLeast, atMost, renderAim } from '../../bench/aims.ts';
import { hostilePages } from '../../bench/audit/hostile-pages.ts';
import { mixedPage } from '../../bench/audit/mixed-page.ts';
import { type SharedRow, sharedFigures } from '../../bench/audit/truth-figures.ts';

describe('an aim', () => {
  test.each([
    ['an upper limit that is met exactly', atMost('a', 40, 40, 'ms'), 'ok'],
    ['an upper limit that is passed', atMost('a', 40.01, 40, 'ms'), 'missed'],
    ['a lower limit that is met exactly', atLeast('a', 0.98, 0.98, ''), 'ok'],
    ['a lower limit that is not reached', atLeast('a', 0.9799, 0.98, ''), 'missed'],
  ])('%s', (_name, { verdict }, expected) => {
    expect(verdict).toBe(expected);
  });

  test('is printed with its bound', () => {
    expect(renderAim(atLeast('speed', 3.456, 5, 'x'))).toBe('MISSED speed: 3.46 x (at least 5)');
    expect(renderAim(atMost('time', 12, 40, 'ms'))).toBe('ok     time: 12 ms (at most 40)');
  });
});

const row = (
  expected: SharedRow['expected'],
  ours: SharedRow['ours'],
  peer: SharedRow['peer'],
  id = 'aeo.a',
): SharedRow => ({ id, expected, ours, peer });

describe('the facts that a peer judges too', () => {
  test('defects that a peer misses cost its recall, false alarms its precision', () => {
    const { rows, defects, ours, peer } = sharedFigures([
      row('fail', 'fail', 'defect'),
      row('partial', 'partial', 'fine'),
      row('pass', 'pass', 'defect'),
      row('pass', 'fail', 'fine'),
    ]);
    expect([rows, defects]).toEqual([4, 2]);
    expect(ours).toEqual({ precision: 2 / 3, recall: 1 });
    expect(peer).toEqual({ precision: 1 / 2, recall: 1 / 2 });
  });

  test('half a verdict counts in the favour of the peer, with a defect and without', () => {
    const { peer } = sharedFigures([row('fail', 'fail', 'half'), row('pass', 'pass', 'half')]);
    expect(peer).toEqual({ precision: 1, recall: 1 });
  });

  test('facts with nothing to judge are counted apart and change no share', () => {
    const { rows, ours, peer, nothing } = sharedFigures([
      row('not_applicable', 'not_applicable', 'defect'),
      row('not_applicable', 'pass', 'half'),
      row('unknown', 'fail', 'fine'),
    ]);
    expect(rows).toBe(0);
    expect([ours, peer]).toEqual([
      { precision: null, recall: null },
      { precision: null, recall: null },
    ]);
    expect(nothing).toEqual({ rows: 3, ours: { fine: 1, defect: 1 }, peer: { fine: 1, half: 1, defect: 1 } });
  });
});

describe('the pages of the benchmark', () => {
  test.each([10_000, 100_000, 1_000_000])('a mixed page of %i bytes has exactly that size, at every call', (bytes) => {
    const page = mixedPage('https://bench.example.com', bytes);
    expect(Buffer.byteLength(page)).toBe(bytes);
    expect(mixedPage('https://bench.example.com', bytes) === page).toBe(true);
  });

  test.each(hostilePages.map(({ shape, html }) => [shape, html] as const))('%s makes about a megabyte', (_, html) => {
    expect(Buffer.byteLength(html())).toBeGreaterThan(900_000);
    expect(Buffer.byteLength(html())).toBeLessThan(2_500_000);
  });
});
