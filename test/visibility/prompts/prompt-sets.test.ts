import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { demoBrands } from '../../../src/models/adapters/simulated/answer.ts';
import { hasName } from '../../../src/visibility/names/mentions.ts';
import { functionWords } from '../../../src/visibility/prompts/function-words-data.ts';
import { findOtherLanguage } from '../../../src/visibility/prompts/language.ts';
import {
  listTemplates,
  promptKinds,
  promptLanguages,
  type PromptLanguage,
  selectPrompts,
} from '../../../src/visibility/prompts/prompt-set.ts';
import { intents } from '../../../src/visibility/run/intents.ts';
import { buildPrompts, loadPromptSet } from '../../../src/visibility/run/prompts.ts';
import { frozenSets } from './frozen-sets-data.ts';
import { niches } from './niches-data.ts';

const markets = promptKinds.flatMap((kind) => [false, true].map((local) => ({ kind, local })));
const sets = promptLanguages.flatMap((language) =>
  markets.map((market) => ({ language, market, choice: { set: 'v2', language, ...market } as const })),
);
const MAX_TEMPLATE_CHARS = 150;

const labelled = readFileSync(new URL('../labelled/answers.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => z.object({ brands: z.array(z.object({ name: z.string() })) }).parse(JSON.parse(line)).brands);
const brands = [...new Set([...labelled, ...demoBrands].map(({ name }) => name))];

test('set v1 is what it was: nothing chosen asks the same 30 prompts', async () => {
  const { promptSet, prompts } = await selectPrompts('CRM for dentists', { set: 'v1' });
  expect(promptSet).toEqual(await loadPromptSet());
  expect(promptSet.sha256).toBe('50a6de29ed51c95556aec19e0f1e351b1937c58fb286ee714f7604f43d76a5c9');
  expect(prompts).toEqual(buildPrompts('CRM for dentists'));
});

test('the sets v2 are the frozen ones: to change a letter of one is to make a new version', async () => {
  const made = await Promise.all(sets.map(async ({ choice }) => (await selectPrompts('x', choice)).promptSet));
  expect(made).toHaveLength(32);
  expect(Object.fromEntries(made.map(({ id, sha256 }) => [id, sha256]))).toEqual(frozenSets);
});

test('the hash is over the templates, one line each', async () => {
  const templates = await listTemplates('ja', { kind: 'service', local: true });
  const lines = templates.map(({ id, template }) => `${id} ${template}\n`).join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  const { promptSet } = await selectPrompts('京都の歯医者', {
    set: 'v2',
    language: 'ja',
    kind: 'service',
    local: true,
  });
  expect(promptSet).toEqual({ id: 'v2-ja-service-local', sha256 });
});

describe.each(sets)('$language $market.kind, local: $market.local', ({ language, market, choice }) => {
  test('has 30 prompts, five of each intent, no two alike', async () => {
    const { prompts } = await selectPrompts('xyz', choice);
    expect(prompts.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    for (const intent of intents) expect(prompts.filter((prompt) => prompt.intent === intent)).toHaveLength(5);
    const seen = prompts.map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' '));
    expect(new Set(seen).size).toBe(30);
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(30);
  });

  test('each template holds the niche once, no digit, no ranking, no article before it, and is short', async () => {
    const wrong = (await listTemplates(language, market)).filter(
      ({ template }) =>
        template.split('{niche}').length !== 2 ||
        /\d|\brank|\btop\b|JSON|\btable\b|\{(?!niche\})|^\s|\s$|\s\s/iu.test(template) ||
        ARTICLE.test(template) ||
        template.length > MAX_TEMPLATE_CHARS ||
        !/[.?？。]$/u.test(template),
    );
    expect(wrong).toEqual([]);
  });

  test('is in its language alone', async () => {
    const wrong = (await listTemplates(language, market)).filter(({ template }) => {
      const text = template.replaceAll('{niche}', '');
      return (
        promptLanguages.some((one) => one !== language && isPlainly(text, one)) ||
        /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) !== (language === 'ja') ||
        /\p{Script=Latin}/u.test(text) === (language === 'ja') ||
        findOtherLanguage(text, language) !== undefined
      );
    });
    expect(wrong).toEqual([]);
  });

  test('names no brand of the labelled data', async () => {
    const { prompts } = await selectPrompts('xyz', choice);
    const named = brands.flatMap((brand) =>
      prompts.flatMap(({ id, text }) => (hasName(text, brand) ? [`${id}: ${brand}`] : [])),
    );
    expect(named).toEqual([]);
  });

  test('holds every niche as it is written', async () => {
    for (const niche of [...niches[language].map(({ niche: one }) => one), '$& $1 $` {niche}'])
      for (const { text } of (await selectPrompts(niche, choice)).prompts) expect(text).toContain(niche);
  });
});

test('languages differ in their wording only: prompts of one id have the same intent everywhere', async () => {
  const ids = await Promise.all(
    sets.map(async ({ language, market }) => (await listTemplates(language, market)).map(({ id }) => id)),
  );
  for (const one of ids) expect(one).toEqual(ids[0]);
});

test.each(promptLanguages)('%s: a market changes only some of the wording', async (language) => {
  const [product, productLocal, service, serviceLocal] = await Promise.all(
    markets.map(async (market) => (await listTemplates(language, market)).map(({ template }) => template)),
  );
  for (const [one, other] of [
    [product, service],
    [product, productLocal],
    [service, serviceLocal],
  ]) {
    const changed = one?.filter((template, at) => template !== other?.[at]).length ?? 0;
    expect(changed).toBeGreaterThanOrEqual(3);
    expect(changed).toBeLessThan(15);
  }
});

/** An article that would have to agree with the niche. */
const ARTICLE =
  /(?<!\p{L})(?:an?|der|die|das|den|dem|ein|eine|einen|le|la|les|une?|des|de|el|los|las|una|os|as|uma|il|lo|gli|het|een) \{niche\}/iu;

/** Whether a text has several words of a language and hardly any other that it could be of. */
function isPlainly(text: string, language: PromptLanguage): boolean {
  if (language === 'ja') return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const own = functionWords[language].filter((word) => words.has(word));
  return own.length >= 4 && own.length > words.size * 0.7;
}
