import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { intents } from '../../../src/visibility/run/intents.ts';
import { demoBrands } from '../../../src/models/adapters/simulated/answer.ts';
import { hasName } from '../../../src/visibility/names/mentions.ts';
import { promptsV1 } from '../../../src/visibility/run/prompts-data.ts';
import { PROMPT_COUNT, buildPrompts, loadPromptSet } from '../../../src/visibility/run/prompts.ts';

const NICHE = 'help desk software';
const texts = Object.values(promptsV1).flat();

/** Every brand of the labelled data and of the simulated engine: real names of many markets, and invented ones. */
const labelled = readFileSync(new URL('../labelled/answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => z.object({ brands: z.array(z.object({ name: z.string() })) }).parse(JSON.parse(line)).brands);
const cases = z
  .array(z.object({ brand: z.string(), trap: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('../labelled/mention-cases.json', import.meta.url), 'utf8')));
const brands = [
  ...new Set([
    ...labelled.map(({ name }) => name),
    ...demoBrands.map(({ name }) => name),
    ...cases.map(({ brand }) => brand),
  ]),
];

describe('prompt set v1', () => {
  test('has 30 prompts, five of each of six intents, all different', () => {
    const prompts = buildPrompts(NICHE);
    expect(prompts).toHaveLength(PROMPT_COUNT);
    for (const intent of intents) expect(prompts.filter((prompt) => prompt.intent === intent)).toHaveLength(5);
    expect(new Set(prompts.map(({ text }) => text)).size).toBe(30);
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(30);
    expect(prompts.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  test('is the frozen one: to change a letter of it is to make a new version', async () => {
    const lines = Object.entries(promptsV1).flatMap(([intent, group]) =>
      group.map((template, at) => `${intent}-${at + 1} ${template}\n`),
    );
    const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
    expect(await loadPromptSet()).toEqual({ id: 'v1', sha256 });
    expect(sha256).toBe('50a6de29ed51c95556aec19e0f1e351b1937c58fb286ee714f7604f43d76a5c9');
  });

  test('names no brand: none of the hundreds of names of the labelled data, however it is matched', () => {
    expect(brands.length).toBeGreaterThan(150);
    const named = brands.flatMap((brand) =>
      buildPrompts(NICHE).flatMap(({ id, text }) => (hasName(text, brand) ? [`${id}: ${brand}`] : [])),
    );
    expect(named).toEqual([]);
  });

  test.each(texts.map((text) => [text]))('%s: holds the niche, no year, no ranking, no instruction on form', (text) => {
    expect(text.split('{niche}')).toHaveLength(2);
    expect(text).not.toMatch(/\b(?:19|20)\d\d\b|\brank|\blist\b|\btop \d|\bname \d|\bJSON\b|\btable\b/i);
    expect(text).not.toMatch(/\b(?:a|an|the) \{niche\}s?\b/);
    expect(text.length).toBeLessThan(160);
  });
});

describe('the niche stands in a prompt as it is written', () => {
  test.each(['CRM for dentists', 'dentist in Lyon', '$& $1 $` {niche}', "l'assurance auto", '家電'])('%s', (niche) => {
    for (const { text } of buildPrompts(niche)) expect(text).toContain(niche);
    expect(buildPrompts(niche)[0]?.text).toBe(`Best ${niche}?`);
  });
});
