import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { type AnyCheck, scoreNames } from '../../../src/audit/core/check.ts';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { countRuleChanges, explainRuleChange, listRubricChanges } from '../../../src/audit/rubric/changes.ts';
import { type RubricChange, rubricReleases } from '../../../src/audit/rubric/changes-data.ts';

const frozen = z
  .array(
    z.object({
      id: z.string(),
      weight: z.number(),
      grade: z.string(),
      scores: z.array(z.enum(scoreNames)),
      caps: z.partialRecord(z.enum(scoreNames), z.number()).optional(),
      inProportion: z.literal(true).optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../data/rubric/2.0.0.json'), 'utf8')));
type Frozen = (typeof frozen)[number];

const release = rubricReleases.find(({ version }) => version === '3.0.0');
if (!release) throw new Error('rubric 3.0.0 has no table');
const rows = listRubricChanges(release);
const before = new Map(frozen.map((row) => [row.id, row]));
const now = new Map(checks.map((check) => [check.id, check]));

/** What the figures of a check say about how it moved, but for what only its code knows. */
function listMoves(check: AnyCheck, old: Frozen | undefined): readonly Partial<RubricChange>[] {
  const { id, weight, grade, gate, scores } = check;
  if (!old) return [{ id, what: 'added' }];
  const caps = (of: Pick<Frozen, 'caps' | 'inProportion'>) =>
    JSON.stringify([scoreNames.map((name) => of.caps?.[name] ?? null), of.inProportion ?? false]);
  return [
    ...(weight === old.weight ? [] : [{ id, what: 'weight', from: old.weight, to: weight } as const]),
    ...(grade === old.grade ? [] : [{ id, what: 'grade', from: old.grade, to: grade } as const]),
    ...(caps(gate ?? {}) === caps(old) ? [] : [{ id, what: 'cap' } as const]),
    ...(check.each === undefined && scores.join() === old.scores.join() ? [] : [{ id, what: 'scope' } as const]),
  ];
}

describe('the table of what moved', () => {
  test('ends with the rubric of this build', () => {
    expect(rubricReleases.at(-1)?.version).toBe(RUBRIC_VERSION);
    for (const [index, { after }] of rubricReleases.entries())
      if (index > 0) expect(after).toBe(rubricReleases[index - 1]?.version);
  });

  test('has a row for each check that is new, has other figures than in rubric 2, or is judged on every page now', () => {
    const moves = checks.flatMap((check) => listMoves(check, before.get(check.id)));
    expect(moves.length).toBeGreaterThan(100);
    const missing = moves.filter((move) => !rows.some((row) => isDeepStrictEqual({ ...row, ...move }, row)));
    expect(missing).toEqual([]);
  });

  test('says of no check that its figures moved when they did not', () => {
    const figures = rows.filter(({ what }) => ['added', 'weight', 'grade', 'cap'].includes(what));
    for (const { id, what } of figures) {
      const check = now.get(id);
      const moves = check === undefined ? [] : listMoves(check, before.get(id));
      expect([id, moves.map((move) => move.what)]).toEqual([id, expect.arrayContaining([what])]);
    }
  });

  test('keeps every id of rubric 2, and names only checks that there are', () => {
    expect(frozen.filter(({ id }) => !now.has(id))).toEqual([]);
    expect(rows.filter(({ id }) => !now.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('has one sentence for each row, and no row twice', () => {
    const keys = rows.map(({ id, what, why }) => `${id} ${what} ${why}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { id, why } of rows) expect([id, why]).toEqual([id, expect.stringMatching(/^[A-Z].{20,200}\.$/u)]);
  });
});

describe('the difference of two verdicts', () => {
  test('is the rubric’s where the rule changed between them, in either order', () => {
    const why = rows.find(({ id, what }) => id === 'agent.ui.form-labels' && what === 'rule')?.why;
    expect(why).toBeDefined();
    expect(explainRuleChange('agent.ui.form-labels', '2.0.0', '3.0.0')).toContain(why);
    expect(explainRuleChange('agent.ui.form-labels', '3.0.0', '2.0.0')).toContain(why);
  });

  test('is the site’s under one rubric, and where only the weight moved', () => {
    expect(explainRuleChange('agent.ui.form-labels', '3.0.0', '3.0.0')).toBeUndefined();
    expect(explainRuleChange('agent.ui.form-labels', '1.0.0', '1.0.0')).toBeUndefined();
    expect(explainRuleChange('agent.prefs.aipref', '2.0.0', '3.0.0')).toBeUndefined();
    expect(explainRuleChange('aeo.index.meta-robots', '2.0.0', '3.0.0')).toBeUndefined();
  });

  test('may be the rubric’s in every check where the table does not know one of them', () => {
    for (const unknown of ['1.0.0', '9.0.0', '', 'x'])
      expect(explainRuleChange('aeo.index.meta-robots', unknown, '3.0.0')).toBeDefined();
    expect(countRuleChanges(['aeo.index.meta-robots', 'agent.ui.form-labels'], '1.0.0', '3.0.0')).toBe(2);
    expect(countRuleChanges(['aeo.index.meta-robots', 'agent.ui.form-labels'], '2.0.0', '3.0.0')).toBe(1);
  });
});
