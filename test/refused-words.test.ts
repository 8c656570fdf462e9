import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listDocuments } from '../scripts/generate-docs.ts';
import { listModuleTexts } from './support/words/module-texts.ts';
import { allowedPassages, refusedWords, unreadModules } from './support/words/refused-words-data.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Names of tables stay what they were stored as. */
const SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|CREATE INDEX)\b/;

/** A sentence, or a label that begins with a capital: one lower-case word is a value of the program. */
const isProse = (text: string): boolean => (/\s/.test(text.trim()) || /^[A-Z][a-z]/.test(text)) && !SQL.test(text);

const listTexts = (file: string): readonly string[] => listModuleTexts(file, read(file)).filter(isProse);

/** Markdown without its code: fences and spans quote programs. */
const stripCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]+`/g, '');

/** The part of the changelog that may still change. */
const getNewestSection = (text: string): string => `## ${text.split(/^## /m)[1] ?? ''}`;

const findRefused = (text: string): readonly string[] =>
  refusedWords.flatMap(({ word, instead }) => {
    const found = word.exec(text);
    return found === null ? [] : [`"${found[0]}" (write: ${instead})`];
  });

const used = new Set<string>();

function findHits(file: string, texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const allowed = allowedPassages.find(({ passage }) => text.includes(passage));
    if (allowed !== undefined) used.add(allowed.passage);
    const rest = allowed === undefined ? text : text.replaceAll(allowed.passage, '');
    return findRefused(rest).map((found) => `${file}: ${found} in ${JSON.stringify(text.trim().slice(0, 160))}`);
  });
}

const sources = globSync(['src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}', 'durable-objects/**/*.ts', 'local/**/*.ts'], {
  cwd: root,
})
  .filter((file) => !/\.generated\./.test(file) && !Object.hasOwn(unreadModules, file))
  .toSorted();

const splitLines = (text: string): readonly string[] => text.split('\n');

describe('texts that people read', () => {
  test('the test finds what it refuses, and passes what it does not', () => {
    expect(findRefused('Nothing is kept for somebody who mends it')).toHaveLength(3);
    expect(findRefused('Recommended: it was stored for someone who fixes it')).toEqual([]);
  });

  test('strings and markup of the program have no refused word', () => {
    expect(sources.length).toBeGreaterThan(1_000);
    const hits = sources.flatMap((file) => findHits(file, listTexts(file)));
    expect(hits).toEqual([]);
  });

  test('README, docs, the action and the newest changes have no refused word', () => {
    const pages = ['action.yml', ...listDocuments()];
    const hits = pages.flatMap((file) => findHits(file, splitLines(stripCode(read(file)))));
    const changes = findHits('CHANGELOG.md', splitLines(stripCode(getNewestSection(read('CHANGELOG.md')))));
    expect([...hits, ...changes]).toEqual([]);
  });

  test('every allowed passage is in use', () => {
    expect(allowedPassages.filter(({ passage }) => !used.has(passage))).toEqual([]);
  });
});
