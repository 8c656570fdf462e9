import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { FIX_FILES } from '../../../src/fixes/core/recipe.ts';
import { recipes } from '../../../src/fixes/core/all-recipes.ts';

/** Checks that the engine has and nobody can mend by a recipe; empty when the table is complete. */
const missing = (ids: readonly string[]): readonly string[] => ids.filter((id) => !Object.hasOwn(recipes, id));

describe('recipes', () => {
  test('every check of the engine has one', () => {
    expect(missing(checks.map(({ id }) => id))).toEqual([]);
  });

  test('a check without one is named', () => {
    expect(missing(['aeo.meta.title', 'aeo.made.up'])).toEqual(['aeo.made.up']);
  });

  test('there is none for a check that does not exist', () => {
    const known = new Set(checks.map(({ id }) => id));
    expect(Object.keys(recipes).filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('X2: fix targets', () => {
  test('are relative paths of a fixed list, which stay in their folder', () => {
    for (const path of Object.values(FIX_FILES)) {
      expect(path).toMatch(/^(?:\.well-known\/)?[A-Za-z0-9][A-Za-z0-9-]*(?:[./][A-Za-z0-9-]+)*$/);
      expect(path.split('/')).not.toContain('..');
    }
  });

  test('are each listed once', () => {
    const paths = Object.values(FIX_FILES);
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  });
});
