import { buildPrompts, loadPromptSet, type Prompt } from '../run/prompts.ts';

export const promptLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ja'] as const;
export type PromptLanguage = (typeof promptLanguages)[number];

export type PromptChoice =
  | { set: 'v1' }
  | { set: 'v2'; language: PromptLanguage; kind: 'product' | 'service'; local: boolean }
  | { set: 'own'; language: PromptLanguage; prompts: readonly string[] };

export type PromptSetId = { id: string; sha256: string };

export async function selectPrompts(
  niche: string,
  _choice: PromptChoice,
): Promise<{ promptSet: PromptSetId; prompts: readonly Prompt[] }> {
  return { promptSet: await loadPromptSet(), prompts: buildPrompts(niche) };
}
