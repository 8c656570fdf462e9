import { languageNames } from '../../src/visibility/prompts/language.ts';
import {
  listTemplates,
  promptKinds,
  promptLanguages,
  type PromptLanguage,
  type PromptTemplate,
  selectPrompts,
} from '../../src/visibility/prompts/prompt-set.ts';
import { intentLabels, intents } from '../../src/visibility/run/intents.ts';
import { NICHE } from '../../src/visibility/run/prompts-data.ts';
import { loadPromptSet } from '../../src/visibility/run/prompts.ts';
import { formatCode, formatGeneratedPage, formatTable } from './markdown.ts';

const markets = promptKinds.flatMap((kind) => [false, true].map((local) => ({ kind, local })));
type MarketTemplates = { kind: string; local: boolean; templates: readonly PromptTemplate[] };

/** `docs/reference/prompt-sets.md`: every prompt of every set, and the hashes. */
export async function promptSetsPage(): Promise<string> {
  const { id, sha256 } = await loadPromptSet();
  return formatGeneratedPage('Prompt sets', '`src/visibility/prompts` and `src/visibility/run/prompts-data.ts`', [
    `What a measurement asks. Your niche is in the place of \`${NICHE}\`, as you write it. [Choose the questions](../guides/measure-a-brand.md#choose-the-questions) says which set to use.`,
    'A set is frozen: another letter is another set, with another hash. Results of one set and one hash compare. The 30 questions of a `v2` set ask the same thing, in the same order, in every language; where a line has several wordings, the market decides: `product` or `service`, and with or without a place.',
    'A language model wrote the `v2` sets, and reviewed each language with six niches: a bakery, dental software, a dentist, running shoes, accountants and car insurance. On 2026-11-28 a second reader, also a language model, which did not write them, reviewed the wording and reworded 95 of the 240 questions (30 in each language). No person has reviewed them yet.',
    `Set \`${id}\`, English: SHA-256 \`${sha256}\`. Its prompts are in \`src/visibility/run/prompts-data.ts\`.`,
    ...(await Promise.all(promptLanguages.map(renderLanguage))).flat(),
  ]);
}

async function renderLanguage(language: PromptLanguage): Promise<readonly string[]> {
  const sets = await Promise.all(
    markets.map(async (market) => ({ ...market, templates: await listTemplates(language, market) })),
  );
  const ids = await Promise.all(
    markets.map(async (market) => (await selectPrompts('', { set: 'v2', language, ...market })).promptSet),
  );
  return [
    `## ${languageNames[language]}`,
    ...intents.flatMap((intent, at) => [
      `**${intentLabels[intent]}**`,
      [0, 1, 2, 3, 4].flatMap((number) => renderPrompt(sets, at * 5 + number)).join('\n'),
    ]),
    formatTable(
      ['Set', 'SHA-256'],
      ids.map(({ id, sha256 }) => [formatCode(id), formatCode(sha256)]),
    ),
  ];
}

/** A line for each wording of a prompt, with the markets that have it. */
function renderPrompt(sets: readonly MarketTemplates[], index: number): readonly string[] {
  const byTemplate = Map.groupBy(sets, ({ templates }) => templates[index]?.template ?? '');
  const id = sets[0]?.templates[index]?.id ?? '';
  const lines = [...byTemplate].map(([template, found]) => `${nameMarkets(found)}${formatCode(template)}`);
  return lines.length === 1
    ? [`- \`${id}\` ${lines[0] ?? ''}`]
    : [`- \`${id}\``, ...lines.map((line) => `  - ${line}`)];
}

function nameMarkets(found: readonly MarketTemplates[]): string {
  if (found.length === markets.length) return '';
  const kinds = new Set(found.map(({ kind }) => kind));
  const places = new Set(found.map(({ local }) => (local ? 'with a place' : 'without a place')));
  const words = [...(kinds.size === 1 ? kinds : []), ...(places.size === 1 ? places : [])];
  return `${words.join(', ') || found.map(({ kind, local }) => `${kind}${local ? ', with a place' : ''}`).join('; ')}: `;
}
