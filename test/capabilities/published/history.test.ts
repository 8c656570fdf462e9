import { describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../src/audit/core/check.ts';
import { explainRuleChange } from '../../../src/audit/rubric/changes.ts';
import {
  parseBadgeText,
  formatBadgeText,
  compareReports,
  EMPTY_RECORD,
  readPublishedEntry,
  type FourScores,
  type History,
  MAX_ENTRIES,
  MAX_WITHDRAWN,
  parseRecord,
  addPublished,
  addPublishedBySale,
  type PublishedEntry,
  recordJson,
  takeDownReport,
  withdrawReport,
  withdrawListedReport,
  withEntry,
  withoutEntry,
} from '../../../src/capabilities/published/history.ts';
import { readPublishing, refuseUnpublishable } from '../../../src/capabilities/published/publishing.ts';

const scores: FourScores = {
  aeo: { score: 87, grade: 'B' },
  geo: { score: 100, grade: 'A' },
  agent: { score: 0, grade: 'F' },
  mcp: { score: 40, grade: 'D' },
};

const recordOf = (history: History) => ({ history, withdrawn: [], takenDown: [] });

const idOf = (number: number): string => number.toString(16).padStart(32, '0');

const entry = (number: number, more: Partial<PublishedEntry> = {}): PublishedEntry => ({
  reportId: idOf(number),
  atMs: 1_000 * number,
  capability: 'full_audit',
  scores,
  rubric: '1.0.0',
  profile: 'product',
  statuses: { 'llms-txt-h1': 'pass', 'robots-txt': 'fail' },
  ...more,
});

describe('a history', () => {
  test('holds reports newest first, in whatever order they are published', () => {
    const history = [3, 1, 2].reduce<readonly PublishedEntry[]>((kept, number) => withEntry(kept, entry(number)), []);
    expect(history.map(({ reportId }) => reportId)).toEqual([idOf(3), idOf(2), idOf(1)]);
  });

  test('holds a report once, as it was published last', () => {
    const again = withEntry(withEntry([], entry(1)), entry(1, { rubric: '2.0.0' }));
    expect(again).toEqual([entry(1, { rubric: '2.0.0' })]);
  });

  test('holds the newest 50', () => {
    const numbers = Array.from({ length: MAX_ENTRIES + 5 }, (_, index) => index + 1);
    const history = numbers.reduce<readonly PublishedEntry[]>((kept, number) => withEntry(kept, entry(number)), []);
    expect(history).toHaveLength(50);
    expect(history.at(-1)?.reportId).toBe(idOf(6));
    expect(withEntry(history, entry(2))).toEqual(history);
  });

  test('loses what is taken back', () => {
    expect(withoutEntry([entry(2), entry(1)], idOf(2))).toEqual([entry(1)]);
  });

  test('is read back as it was written, every status and every missing check', () => {
    const statuses: Record<string, OutcomeStatus> = {
      a: 'pass',
      b: 'partial',
      c: 'fail',
      d: 'not_applicable',
      e: 'unknown',
    };
    const history = [entry(2, { statuses }), entry(1, { statuses: { f: 'pass' } })];
    expect(parseRecord(recordJson(recordOf(history)))).toEqual(recordOf(history));
  });

  test('of fifty reports of 275 checks is small', () => {
    const statuses = Object.fromEntries(
      Array.from({ length: 275 }, (_, index) => [`check-number-${index}`, 'pass' as const]),
    );
    const history = Array.from({ length: MAX_ENTRIES }, (_, index) => entry(MAX_ENTRIES - index, { statuses }));
    expect(recordJson(recordOf(history)).length).toBeLessThan(40_000);
  });
});

describe('X5: what was taken back', () => {
  const listed = addPublished(EMPTY_RECORD, entry(1));
  const gone = withdrawReport(listed, idOf(1));

  test('is not published by a repeat of its purchase, and by its buyer again', () => {
    expect(gone).toEqual({ history: [], withdrawn: [idOf(1)], takenDown: [] });
    expect(addPublishedBySale(gone, entry(1))).toBe(gone);
    expect(addPublishedBySale(gone, entry(2)).history).toEqual([entry(2)]);
    const anew = addPublished(gone, entry(1));
    expect(anew).toEqual(listed);
    expect(addPublishedBySale(anew, entry(1))).toEqual(listed);
  });

  test('is remembered once, and of many the newest 50', () => {
    expect(withdrawReport(gone, idOf(1)).withdrawn).toEqual([idOf(1)]);
    const many = Array.from({ length: MAX_WITHDRAWN + 5 }, (_, number) => number);
    const { withdrawn } = many.reduce((record, number) => withdrawReport(record, idOf(number)), EMPTY_RECORD);
    expect(withdrawn).toEqual(many.slice(5).toReversed().map(idOf));
    expect(parseRecord(recordJson({ ...EMPTY_RECORD, withdrawn })).withdrawn).toEqual(withdrawn);
  });

  test('where only the history can tell, is nothing that it does not hold', () => {
    expect(withdrawListedReport(listed, idOf(2))).toBe(listed);
    expect(withdrawListedReport(listed, idOf(1))).toEqual(gone);
  });

  test('is nothing in a record that was written before it was kept', () => {
    const {
      withdrawn: _none,
      taken_down: _neither,
      ...older
    } = JSON.parse(recordJson(listed)) as Record<string, unknown>;
    expect(parseRecord(JSON.stringify(older))).toEqual(listed);
  });
});

describe('what the operator took down', () => {
  const listed = addPublished(EMPTY_RECORD, entry(1));
  const down = takeDownReport(listed, idOf(1));

  test('is gone from the history, and neither its buyer nor its purchase brings it back', () => {
    expect(down).toEqual({ history: [], withdrawn: [idOf(1)], takenDown: [idOf(1)] });
    expect(addPublished(down, entry(1))).toBe(down);
    expect(addPublishedBySale(down, entry(1))).toBe(down);
    expect(addPublished(down, entry(2)).history).toEqual([entry(2)]);
    expect(parseRecord(recordJson(down))).toEqual(down);
  });

  test('is nothing where the site does not list it', () => {
    expect(takeDownReport(listed, idOf(2))).toBe(listed);
  });
});

describe('what a badge needs', () => {
  test('is that of the newest report, and is read back', () => {
    expect(formatBadgeText([entry(1)])).toBe('87B,100A,0F,40D');
    expect(parseBadgeText(formatBadgeText([entry(1)]))).toEqual(scores);
  });

  test('leaves out a score that does not apply, and reads that back', () => {
    const without: FourScores = { ...scores, mcp: { score: 0, grade: 'F', applies: false } };
    const text = formatBadgeText([entry(1, { scores: without })]);
    expect(text).toBe('87B,100A,0F,-');
    expect(parseBadgeText(text)).toEqual(without);
  });

  test.each([undefined, '', '87B', '87B,100A,0F,400D', '87B,100A,0F,40E', '<b>,1A,1A,1A', '87B,100A,0F,40D,1A'])(
    'X5: %j is nothing published',
    (text) => {
      expect(parseBadgeText(text)).toBeUndefined();
    },
  );
});

test('a stored result is published by its scores and statuses only: no text of the site goes with it', () => {
  const check = (id: string, status: string) => ({ id, status, title: '<b>', note: 'text of the site', evidence: [] });
  const score = (checks: readonly unknown[]) => ({ score: 50, grade: 'D', coverage: 1, gates: [], counts: {}, checks });
  const json = JSON.stringify({
    capability: 'fix_pack',
    url: 'https://shop.example/',
    report_id: idOf(7),
    scores: {
      aeo: score([check('one', 'pass'), check('two', 'unknown')]),
      geo: score([check('one', 'pass')]),
      agent: score([check('three', 'fail')]),
      mcp: score([]),
    },
    profile: { name: 'docs', rests_on: ['text of the site'], given: false },
    rubric: { version: '1.2.3', sha256: 'x' },
    fixes: [{ content: 'text of the site' }],
    warnings: [],
  });
  const read = readPublishedEntry(json, 5);
  expect(read).toMatchObject({
    reportId: idOf(7),
    atMs: 5,
    capability: 'fix_pack',
    rubric: '1.2.3',
    profile: 'docs',
  });
  expect(read.statuses).toEqual({ one: 'pass', two: 'unknown', three: 'fail' });
  expect(read.scores.mcp).toEqual({ score: 50, grade: 'D' });
  expect(recordJson(recordOf([read]))).not.toContain('text of the site');
});

describe('changes between two reports', () => {
  const statuses = (all: Record<string, OutcomeStatus>) => entry(1, { statuses: all });

  test('stand in one list each, by check id', () => {
    const before = statuses({
      fixed: 'fail',
      better: 'fail',
      broken: 'pass',
      worse: 'pass',
      same: 'fail',
      hidden: 'pass',
      gone: 'partial',
      never: 'unknown',
      dropped: 'not_applicable',
      seen: 'unknown',
    });
    const after = statuses({
      fixed: 'pass',
      better: 'partial',
      broken: 'fail',
      worse: 'partial',
      same: 'fail',
      hidden: 'unknown',
      never: 'not_applicable',
      seen: 'fail',
      added: 'pass',
    });
    expect(compareReports(before, after)).toMatchObject({
      newPasses: [
        { id: 'added', to: 'pass' },
        { id: 'fixed', from: 'fail', to: 'pass' },
      ],
      newPartials: [{ id: 'better' }, { id: 'worse' }],
      newFailures: [
        { id: 'broken', from: 'pass', to: 'fail' },
        { id: 'seen', from: 'unknown' },
      ],
      notJudgedAnyMore: [
        { id: 'gone', from: 'partial' },
        { id: 'hidden', from: 'pass', to: 'unknown' },
      ],
    });
  });

  test('a check that could not be looked at is no new failure', () => {
    const { newFailures, notJudgedAnyMore } = compareReports(statuses({ one: 'pass' }), statuses({ one: 'unknown' }));
    expect(newFailures).toEqual([]);
    expect(notJudgedAnyMore).toEqual([{ id: 'one', from: 'pass', to: 'unknown' }]);
  });

  test('tell points, and whether rubric and profile are the same', () => {
    const later = entry(2, { scores: { ...scores, aeo: { score: 90, grade: 'A' }, mcp: { score: 30, grade: 'F' } } });
    const changes = compareReports(entry(1), later);
    expect(changes.points).toEqual({ aeo: 3, geo: 0, agent: 0, mcp: -10 });
    expect(changes).toMatchObject({ sameRubric: true, sameProfile: true, byRubric: [] });
  });

  test('between two rubrics tell both versions and no points, and keep apart checks whose rule changed', () => {
    const [moved, kept] = ['agent.ui.form-labels', 'aeo.index.meta-robots'];
    const [added] = ['aeo.reach.edge-policy'];
    const before = entry(1, { rubric: '2.0.0', statuses: { [moved]: 'pass', [kept]: 'pass' } });
    const after = entry(2, { rubric: '3.0.0', statuses: { [moved]: 'fail', [kept]: 'fail', [added]: 'fail' } });
    const changes = compareReports(before, after);
    expect(changes).toMatchObject({ points: {}, sameRubric: false, rubrics: { from: '2.0.0', to: '3.0.0' } });
    expect(changes.newFailures).toEqual([{ id: kept, from: 'pass', to: 'fail' }]);
    expect(changes.byRubric).toEqual([
      { id: added, to: 'fail', why: explainRuleChange(added, '2.0.0', '3.0.0') },
      { id: moved, from: 'pass', to: 'fail', why: explainRuleChange(moved, '2.0.0', '3.0.0') },
    ]);
    expect(compareReports(after, before).byRubric.map(({ id }) => id)).toEqual([added, moved]);
  });

  test('between rubrics of which one is not known, every difference may be the rubric’s', () => {
    const before = entry(1, { rubric: '1.0.0', statuses: { a: 'pass', b: 'fail' } });
    const changes = compareReports(before, entry(2, { rubric: '3.0.0', statuses: { a: 'fail', b: 'fail' } }));
    expect(changes.newFailures).toEqual([]);
    expect(changes.byRubric.map(({ id }) => id)).toEqual(['a']);
  });

  test('tell no points of a score that does not apply in one of them', () => {
    const later = entry(2, { scores: { ...scores, mcp: { score: 0, grade: 'F', applies: false } } });
    expect(compareReports(entry(1), later).points).toEqual({ aeo: 0, geo: 0, agent: 0 });
    expect(compareReports(later, entry(1)).points).toEqual({ aeo: 0, geo: 0, agent: 0 });
  });
});

describe('X5: what may be published', () => {
  const root = { url: 'https://shop.example/' };
  test.each([
    ['full_audit', root, 'possible'],
    ['fix_pack', { url: 'https://shop.example' }, 'possible'],
    ['full_report', { url: 'http://127.0.0.1:8801/' }, 'possible'],
    ['full_audit', { url: 'https://shop.example/#top' }, 'possible'],
    ['score_aeo', root, 'not_four_scores'],
    ['compare', root, 'not_four_scores'],
    ['credits_5', {}, 'not_four_scores'],
    ['full_audit', { url: 'https://shop.example/shop' }, 'not_root'],
    ['full_audit', { url: 'https://shop.example/?v=good' }, 'not_root'],
    ['full_audit', { url: 'http://shop.example/' }, 'possible'],
    ['full_audit', { url: 'https://shop.example:8443/' }, 'possible'],
    ['full_audit', { url: 'http://shop.example:443/' }, 'not_its_port'],
    ['full_audit', { url: 'http://shop.example:8080/' }, 'not_its_port'],
    ['full_audit', { url: 'https://shop.example:80/' }, 'not_its_port'],
    ['full_audit', { ...root, profile: 'docs' }, 'profile_given'],
    ['full_audit', { ...root, max_pages: 1 }, 'pages_given'],
    ['full_audit', { ...root, max_pages: 9 }, 'pages_given'],
  ])('%s of %j: %s', async (capability, input, found) => {
    expect(readPublishing(capability, input)).toBe(found);
  });

  test('a body that asks for what cannot be is refused; one that does not ask is not', async () => {
    const refuse = refuseUnpublishable('full_audit');
    expect(await refuse({ ...root, profile: 'docs', publish: true })).toMatchObject({
      code: 'not_publishable',
      errors: [{ pointer: '/publish' }],
    });
    expect(await refuse({ ...root, profile: 'docs', publish: false })).toBeUndefined();
    expect(await refuse({ ...root, profile: 'docs' })).toBeUndefined();
    expect(await refuse({ ...root, publish: true })).toBeUndefined();
  });
});
