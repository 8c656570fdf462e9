import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { labelledLanguages } from './score.ts';

const text = z.string().min(1);
const half = z.enum(['dev', 'frozen']);
const language = z.enum(labelledLanguages);
const caseRow = z.strictObject({
  id: text,
  half,
  language,
  style: text,
  trap: text,
  brand: text,
  others: z.array(text).optional(),
  text,
  mentioned: z.boolean(),
  recommended: z.boolean(),
  negative: z.boolean(),
  note: text.optional(),
});
const answerRow = z.strictObject({
  id: text,
  run: text,
  language,
  niche: text,
  intent: text,
  prompt: text,
  style: text,
  text,
  half,
  names: z.array(
    z.strictObject({
      name: text,
      as: z.array(text).min(1),
      recommended: z.boolean(),
      negative: z.boolean(),
      passing: z.boolean().optional(),
      maker: text.optional(),
    }),
  ),
});
const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Cases and answers of the second set or a later one, in the form that `README.md` names. The fifth has no cases. */
export const readRows = (set: 2 | 3 | 4 | 5) => ({
  cases: set === 5 ? [] : z.array(caseRow).parse(JSON.parse(read(`mention-cases-${set}.json`))),
  answers: read(`answers-${set}.jsonl`)
    .trimEnd()
    .split('\n')
    .map((line) => answerRow.parse(JSON.parse(line))),
});
