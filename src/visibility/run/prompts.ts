import { loadOnce } from '../../lib/concurrency.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import { type Intent, intents, type PromptIntent } from './intents.ts';
import { NICHE, promptsV1 } from './prompts-data.ts';

export const PROMPT_COUNT = 30;

/** One prompt of a set, with the niche in place: `index` counts from 0, `id` is its stable name (`price-3`). */
export type Prompt = { index: number; id: string; intent: PromptIntent; text: string };

const templates: readonly { id: string; intent: Intent; template: string }[] = intents.flatMap((intent) =>
  promptsV1[intent].map((template, at) => ({ id: `${intent}-${at + 1}`, intent, template })),
);

/**
 * Which prompts were asked. `sha256` (hex) is over the UTF-8 bytes of the set's templates, one line each of the form
 * `<id> <template>\n`, in the order of their indexes.
 */
export const loadPromptSet: () => Promise<{ id: string; sha256: string }> = loadOnce(async () => ({
  id: 'v1',
  sha256: await computeSha256Hex(templates.map(({ id, template }) => `${id} ${template}\n`).join('')),
}));

/** The 30 prompts about a niche, in the order of the set. The niche is in them as it is written. */
export const buildPrompts = (niche: string): readonly Prompt[] =>
  templates.map(({ id, intent, template }, index) => ({
    index,
    id,
    intent,
    text: template.replaceAll(NICHE, () => niche),
  }));
