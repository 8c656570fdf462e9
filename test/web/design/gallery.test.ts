import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { computeContrast } from '../../../src/web/design/gallery/tokens.tsx';
import { renderGallery } from '../../../src/web/design/gallery/page.tsx';
import { galleryTexts } from '../../../src/web/design/gallery/texts-data.ts';
import { colourTokens, spaceTokens, type TokenUse, typeTokens } from '../../../src/web/design/gallery/tokens-data.ts';
import { textOf, treeOf } from '../../support/pages/view-page.ts';

const readStyles = (name: string): string =>
  readFileSync(new URL(`../../../src/web/styles/${name}.css`, import.meta.url), 'utf8');
const tokens = readStyles('tokens');
const [light = '', dark = ''] = tokens.split('@media screen and (prefers-color-scheme: dark)');
const page = String(await renderGallery('en'));

/** Colours of one scheme, by token. */
const listColours = (css: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [name, colour]),
  );

describe('the tokens of the page', () => {
  test.each([
    ['light', light],
    ['dark', dark],
  ] as const)('have every colour of the %s scheme', (scheme, css) => {
    expect(Object.fromEntries(colourTokens.map((token) => [token.name, token[scheme]]))).toEqual(listColours(css));
  });

  test('have every size of text and every distance', () => {
    const listNames = (kind: string): readonly string[] =>
      [...light.matchAll(new RegExp(`--${kind}-(\\w+):`, 'g'))].map(([, name = '']) => name);
    for (const [name] of typeTokens) expect(listNames('size')).toContain(name);
    expect(listNames('space').filter((name) => /^\d+$/.test(name))).toEqual(spaceTokens.map(String));
    const gallery = readStyles('gallery');
    for (const [name] of typeTokens) expect(gallery).toContain(`.type-${name} {`);
    for (const step of spaceTokens) expect(gallery).toContain(`.space-${step} {`);
  });

  /** What `tokens.css` promises. A hair means nothing, and has no least contrast. */
  const LEAST: Readonly<Record<TokenUse, number>> = { ground: 1, text: 7, line: 3, hair: 1 };

  test.each(['light', 'dark'] as const)('have the contrast that their use needs, in the %s scheme', (scheme) => {
    const weak = colourTokens.filter((token) => {
      const ground = colourTokens.find(({ name }) => name === token.on);
      return ground !== undefined && computeContrast(token[scheme], ground[scheme]) < LEAST[token.use];
    });
    expect(weak).toEqual([]);
  });
});

test('contrast is computed as WCAG does', () => {
  expect(computeContrast('#000000', '#ffffff')).toBe(21);
  expect(computeContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(computeContrast('#ffffff', '#777777')).toBeCloseTo(4.48, 2);
});

describe('the page of all parts', () => {
  test('leads to each of its sections, and has each id once', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
    const sections = [...page.matchAll(/<section aria-labelledby="([^"]+)"/g)].map(([, id = '']) => id);
    const links = [...page.matchAll(/<li><a href="#([^"]+)"/g)].map(([, id = '']) => id);
    expect(links).toEqual(sections);
    for (const id of sections) expect(ids).toContain(id);
  });

  test('shows every class of a state that the shared styles have', () => {
    const shared = readStyles('components');
    for (const part of ['note', 'warning', 'card', 'empty', 'fault', 'code', 'stacking', 'scroll', 'choice', 'lead'])
      expect([part, page.includes(`class="${part}`)]).toEqual([part, true]);
    for (const state of ['pass', 'partial', 'fail', 'not_applicable', 'unknown', 'good', 'warn', 'bad'])
      expect(page).toContain(`class="status ${state}"`);
    for (const grade of ['A', 'B', 'C', 'D', 'F']) expect(page).toContain(`class="gauge ${grade}"`);
    expect(shared).toContain('.empty {');
    for (const field of ['aria-invalid="true"', 'disabled', '<progress', '<textarea', '<select', '<details'])
      expect(page).toContain(field);
  });

  test('has the texts of real sites as text, and those from right to left as such', () => {
    const text = textOf(page);
    for (const { text: shown } of galleryTexts) expect(text).toContain(shown.trim());
    expect(page.match(/dir="rtl"/g)).toHaveLength(galleryTexts.filter((each) => 'direction' in each).length);
    expect(treeOf(page).filter((element) => element.startsWith('<script'))).toHaveLength(2);
    expect(
      Math.max(...galleryTexts.flatMap((each) => each.text.split(' ')).map((word) => word.length)),
    ).toBeGreaterThanOrEqual(200);
  });

  test('has no style of its own in an attribute, which its policy would refuse', () => {
    expect(page).not.toMatch(/ style="|<style/);
  });

  test('has parts in the language of the page', async () => {
    expect(String(await renderGallery('de'))).toContain('Nicht bestanden');
  });
});

test('motion ends for those who ask for less of it', () => {
  expect(readStyles('base')).toMatch(
    /@media \(prefers-reduced-motion: reduce\) \{[^@]*transition: none !important;[^@]*animation: none !important;/,
  );
});
