import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GathererRow, WAVES } from '../src/audit/core/artifact.ts';
import { artifacts, gathererNames, laterGatherers } from '../src/audit/core/artifacts.ts';
import { type AnyCheck, scoreNames } from '../src/audit/core/check.ts';
import { checks } from '../src/audit/core/catalogue.ts';
import { capabilityNames } from '../src/capabilities/capability-name.ts';
import { catalog } from '../src/capabilities/catalog.ts';
import { exampleBodies } from '../src/capabilities/bodies.ts';
import { recipes } from '../src/fixes/core/all-recipes.ts';
import { apiProblems } from '../src/problems/codes.ts';
import { catalogueIds } from './audit/truth/catalogue-ids.ts';
import { truthSites } from './audit/truth/sites/index.ts';

const root = join(import.meta.dirname, '..');
const planted = new Set(truthSites.flatMap(({ truth }) => truth.map(({ id }) => id)));
const auditTests = globSync('test/audit/**/*.test.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** What a row of the check table lacks, in words; empty when it is complete. */
function lacks(check: AnyCheck): readonly string[] {
  const texts = { title: check.title, why: check.why, source: check.source, fix: check.fix };
  const missing = Object.entries(texts).flatMap(([name, text]) => (text.trim().length < 8 ? [name] : []));
  if (!Number.isInteger(check.weight) || check.weight < 0 || check.weight > 10) missing.push('weight');
  if (check.grade === 'D' && check.weight !== 0) missing.push('weight 0 for grade D');
  if (check.grade === 'C' && check.weight > 2) missing.push('weight of at most 2 for grade C');
  if (check.needs.length === 0 || check.needs.some((name) => !Object.hasOwn(artifacts, name))) missing.push('needs');
  if (!/^(aeo|geo|agent|mcp)(\.[a-z0-9]+(-[a-z0-9]+)*){1,2}$/.test(check.id)) missing.push('an id in kebab-case');
  if (!auditTests.includes(`'${check.id}'`)) missing.push('a test case in test/audit/');
  if (!planted.has(check.id)) missing.push('a row of truth in test/audit/truth/');
  if (!Object.hasOwn(recipes, check.id)) missing.push('a recipe in src/audit/<subject>/fixes/');
  return missing;
}

describe('artifacts', () => {
  test('each is read from gatherers that exist, its own ones included, and each gatherer belongs to one artifact', () => {
    const own = Object.entries(artifacts).flatMap(([name, { from, gather }]) =>
      Object.keys(gather).map((gatherer) => ({
        name,
        gatherer,
        isRead: from.includes(gatherer),
      })),
    );
    expect(own.filter(({ isRead }) => !isRead)).toEqual([]);
    expect(new Set(own.map(({ gatherer }) => gatherer)).size).toBe(own.length);
    const names = new Set<string>(gathererNames);
    const unknown = Object.values(artifacts).flatMap(({ from }) => from.filter((one) => !names.has(one)));
    expect(unknown).toEqual([]);
  });

  test('no two gatherers of a wave have the same rank', () => {
    for (const wave of WAVES) {
      const ranks = Object.values(artifacts).flatMap(({ gather }) =>
        Object.values<GathererRow>(gather).flatMap((row) => (row.wave === wave ? [row.rank] : [])),
      );
      expect(new Set(ranks).size).toBe(ranks.length);
    }
    expect([...new Set(laterGatherers.map(({ wave }) => wave))]).toEqual(['late', 'last']);
  });
});

describe('checks', () => {
  test.each(checks.map((check) => [check.id, check] as const))('%s has source, weight, fix and test', (_id, check) => {
    expect(lacks(check)).toEqual([]);
  });

  test('a row without fix or test is named', () => {
    const [first] = checks;
    if (!first) throw new Error('no checks');
    expect(lacks({ ...first, id: 'aeo.made.up', fix: '' })).toEqual([
      'fix',
      'a test case in test/audit/',
      'a row of truth in test/audit/truth/',
      'a recipe in src/audit/<subject>/fixes/',
    ]);
  });

  test('no text recommends a type of structured data that Google retired', () => {
    const retired =
      /\b(?:ClaimReview|VehicleListing|EstimatedSalary|LearningVideo|CourseInfo|SpecialAnnouncement|PracticeProblem)\b/;
    const texts = checks.map(({ id, why, source, fix }) => ({ id, text: `${why} ${source} ${fix}` }));
    expect(texts.filter(({ text }) => retired.test(text)).map(({ id }) => id)).toEqual([]);
  });

  test('ids are unique', () => {
    const ids = checks.map((check) => check.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('no id of the catalogue goes away, and every score has 60 or more', () => {
    const ids = new Set(checks.map(({ id }) => id));
    expect(catalogueIds.filter((id) => !ids.has(id))).toEqual([]);
    for (const name of scoreNames) {
      expect(checks.filter((check) => check.scores.includes(name)).length).toBeGreaterThanOrEqual(60);
    }
  });

  test('every gate names a score that its check counts in', () => {
    const wrong = checks.filter((check) =>
      Object.keys(check.gate?.caps ?? {}).some((name) => !check.scores.includes(name as never)),
    );
    expect(wrong.map((check) => check.id)).toEqual([]);
  });
});

describe('capabilities', () => {
  test('the catalogue has the 19 names of the requirements, each once and in order', () => {
    expect(catalog.map((row) => row.name)).toEqual([...capabilityNames]);
    expect(catalog).toHaveLength(19);
  });

  test.each(catalog.map((row) => [row.name, row] as const))(
    '%s has a price, a summary and an example its schema accepts',
    (_name, row) => {
      expect(row.priceMicroUsdc).toBeGreaterThan(0);
      expect(row.summary.length).toBeGreaterThan(10);
      expect(row.body.safeParse(exampleBodies[row.name]).success).toBe(true);
    },
  );
});

test('every problem code is one stable word with a status and a title', () => {
  for (const [code, row] of Object.entries(apiProblems)) {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(row.status).toBeGreaterThanOrEqual(400);
    expect(row.title.length).toBeGreaterThan(5);
  }
});
