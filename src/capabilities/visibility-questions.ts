import { type PromptChoice, type PromptLanguage, selectPrompts } from '../visibility/prompts/prompt-set.ts';
import type { AskedPrompts } from '../visibility/run/run.ts';

export type PromptFields = {
  language?: PromptLanguage | undefined;
  prompt_set?: 'v1' | 'v2' | undefined;
  kind?: 'product' | 'service' | undefined;
  local?: boolean | undefined;
  prompts?: readonly string[] | undefined;
};

export function requirePromptChoice(_fields: PromptFields): PromptChoice {
  return { set: 'v1' };
}

/** The prompts of a choice, and what answers to them are judged by. */
export async function loadAskedPrompts(niche: string, choice: PromptChoice): Promise<AskedPrompts> {
  const language = choice.set === 'v1' ? 'en' : choice.language;
  return { niche, language, ...(await selectPrompts(niche, choice)) };
}
