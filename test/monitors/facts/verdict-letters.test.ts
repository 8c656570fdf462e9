import { expect, test } from 'vitest';
import {
  formatVerdictLetters,
  listWeighedChecks,
  parseVerdictLetters,
  readSeenVerdicts,
} from '../../../src/monitors/facts/verdict-letters.ts';
import { html } from '../../support/audit/site-fetch.ts';
import { buildWatchedSite } from '../../support/monitors/watched-site.ts';
import { auditWeek } from '../../support/monitors/watched-year.ts';

test('verdicts of a run survive as letters, doubtful ones too, partial ones to a hundredth', async () => {
  const busy = html('busy', { status: 503 });
  const facts = await auditWeek({ ...buildWatchedSite(0), '/racks': busy }, 0);
  if (facts === undefined) throw new Error('the site was not read');
  const letters = formatVerdictLetters(facts);
  expect(letters).toHaveLength(listWeighedChecks(facts).length);
  expect(letters).toMatch(/^[pfnuPF\u0100-\u01E4]+$/);
  const [read, seen] = [parseVerdictLetters(letters, listWeighedChecks(facts)), readSeenVerdicts(facts)];
  for (const [id, { status, value, isDoubtful }] of seen) {
    const one = read?.get(id);
    expect([id, one?.status, one?.isDoubtful]).toEqual([id, status, isDoubtful]);
    expect(Math.abs((one?.value ?? 2) - value)).toBeLessThanOrEqual(0.00501);
  }
  expect([...seen.values()].some(({ status }) => status === 'partial')).toBe(true);
  expect([...seen.values()].some(({ isDoubtful }) => isDoubtful)).toBe(true);
});

test('letters of runs before, with tenths, are read', () => {
  const read = parseVerdictLetters('8Cp', [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect([...(read?.values() ?? [])]).toEqual([
    { status: 'partial', value: 0.85, isDoubtful: false },
    { status: 'partial', value: 0.25, isDoubtful: true },
    { status: 'pass', value: 1, isDoubtful: false },
  ]);
});

test('letters of other checks are not read', () => {
  expect(parseVerdictLetters('pp', [{ id: 'a' }])).toBeUndefined();
  expect(parseVerdictLetters('p?', [{ id: 'a' }, { id: 'b' }])?.get('b')).toMatchObject({ status: 'unknown' });
});
