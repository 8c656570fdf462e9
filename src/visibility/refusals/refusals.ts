import type { PromptLanguage } from '../prompts/prompt-set.ts';
import type { RefusalKind } from './refusal-kinds.ts';

/** Undefined for a real answer. */
export function classifyAnswer(
  text: string,
  _about: { prompt: string; language: PromptLanguage | undefined; niche: string },
): RefusalKind | undefined {
  return /^(?:I'm sorry|I’m sorry|I can't help|I cannot help)[^\n]{0,80}$/u.test(text.trim()) ? 'refusal' : undefined;
}
