import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PromptLanguage } from '../../../src/visibility/prompts/prompt-set.ts';
import type { RefusalKind } from '../../../src/visibility/refusals/refusal-kinds.ts';
import { classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';
import type { Half } from './score-rivals.ts';

/** Texts that are no answer: found and labelled, found only, labelled only. `sameKind`: of the first, with the labelled kind. */
export type KindScore = { tp: number; fp: number; fn: number; sameKind: number };

export type LabelledKind = {
  id: string;
  half: Half;
  language: PromptLanguage;
  niche: string;
  prompt: string;
  text: string;
  kind: RefusalKind | 'answer';
};

/** A half of the texts of the second set, or all of a later one. */
export type KindPart = Half | 'third' | 'fourth' | 'fifth';

const files: Readonly<Record<KindPart, string>> = {
  dev: 'answer-kinds.jsonl',
  frozen: 'answer-kinds.jsonl',
  third: 'answer-kinds-3.jsonl',
  fourth: 'answer-kinds-4.jsonl',
  fifth: 'answer-kinds-5.jsonl',
};

export const readKinds = (part: KindPart): readonly LabelledKind[] =>
  readFileSync(join(import.meta.dirname, files[part]), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledKind)
    .filter((row) => (part !== 'dev' && part !== 'frozen') || row.half === part);

/** Which texts of a part are taken for no answer. */
export function scoreKinds(part: KindPart): KindScore {
  const score = { tp: 0, fp: 0, fn: 0, sameKind: 0 };
  for (const { text, kind, ...about } of readKinds(part)) {
    const found = classifyAnswer(text, about);
    if (found === undefined) score.fn += Number(kind !== 'answer');
    else if (kind === 'answer') score.fp += 1;
    else {
      score.tp += 1;
      score.sameKind += Number(found === kind);
    }
  }
  return score;
}
