import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checks } from '../../../src/audit/core/catalogue.ts';
import { listModuleTexts } from '../../support/words/module-texts.ts';

const root = join(import.meta.dirname, '../../..');
const tables = globSync(['src/web/**/*-words.ts', 'src/web/language/german/*.ts'], { cwd: root }).toSorted();
const texts = tables.flatMap((file) =>
  listModuleTexts(file, readFileSync(join(root, file), 'utf8')).map((text) => ({ file, text })),
);

/** Passages that a reader copies into a program or a shell. */
const CODE = /setSpendControls\(\{.*?\}\)|`[^`]+`/g;
/** A straight mark in a sentence: a text without a space is a value of the program, or a piece of a shell. */
const isStraight = (text: string): boolean => /\s/.test(text.trim()) && /["']/.test(text.replaceAll(CODE, ''));

describe('texts for people', () => {
  test('are all found', () => {
    expect(tables.length).toBeGreaterThan(40);
    expect(texts.length).toBeGreaterThan(2_000);
    expect(['Say “yes”', 'the owner’s file'].filter(isStraight)).toEqual([]);
    expect(['Say "yes"', "the owner's file"].filter(isStraight)).toHaveLength(2);
  });

  test('have typographic quotes and apostrophes', () => {
    expect(texts.filter(({ text }) => isStraight(text))).toEqual([]);
    const titles = checks.flatMap(({ title, failureTitle }) => [title, failureTitle]);
    expect(titles.filter(isStraight)).toEqual([]);
  });

  test('call the rubric by one German word', () => {
    expect(texts.filter(({ text }) => /rubrik/i.test(text))).toEqual([]);
    expect(texts.some(({ text }) => text.includes('Regelwerk'))).toBe(true);
  });
});
