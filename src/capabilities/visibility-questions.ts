import * as z from 'zod';
import { loadOnce } from '../lib/concurrency.ts';
import {
  MAX_OWN_PROMPT_CHARS,
  MAX_OWN_PROMPTS,
  MIN_OWN_PROMPT_CHARS,
  MIN_OWN_PROMPTS,
} from '../visibility/prompts/limits.ts';
import { promptKinds, type PromptChoice, promptLanguages, selectPrompts } from '../visibility/prompts/prompt-set.ts';
import type { AskedPrompts } from '../visibility/run/run.ts';
import type { BodyRefusal } from './capability-name.ts';

const language = z.enum(promptLanguages).optional().meta({
  description: 'Language of the questions; word the niche in it. `en` when absent.',
});
const prompt_set = z.enum(['v1', 'v2']).optional().meta({
  description:
    '`v1`: the first set, in English. `v2`: eight languages, for products and services; asked when `language`, `kind` or `local` is given. Else `v1`.',
});
const kind = z.enum(promptKinds).optional().meta({
  description:
    '`product`: something to buy and use; `service`: work, premises or a contract. Of `v2`; when absent, `service` if `local` is true, else `product`.',
});
const local = z.boolean().optional().meta({
  description: 'The niche names or implies a place ("dentist in Lyon"). Of `v2`.',
});
const prompts = z
  .array(z.string().trim().min(MIN_OWN_PROMPT_CHARS).max(MAX_OWN_PROMPT_CHARS))
  .min(MIN_OWN_PROMPTS)
  .max(MAX_OWN_PROMPTS)
  .optional()
  .meta({
    description:
      'Your own questions instead of a set: one line each, in `language`, no measured brand in them, no two alike.',
  });

/** Fields of a body that choose the questions of a measurement; all of them may be absent. */
export const questionFields = { language, prompt_set, kind, local, prompts } as const;

const fieldsSchema = z.object(questionFields);
export type QuestionFields = z.infer<typeof fieldsSchema>;

// The word lists of names take longer to lay out than a Worker should take to start.
const loadOwnPrompts = loadOnce(() => import('../visibility/prompts/own-prompts.ts'));

/**
 * Which questions a body chooses. Nothing chosen is `v1`, as it always was; `language`, `kind` or `local` alone are `v2`;
 * `prompts` are the buyer's own. Fields that contradict each other are refused, and own questions by `readOwnPrompts`.
 * @param names the measured brand, and the one it is compared with: no question may name them.
 */
export async function readPromptChoice(
  fields: QuestionFields,
  names: readonly string[],
): Promise<PromptChoice | BodyRefusal> {
  const contradiction = findContradiction(fields);
  if (contradiction) return { code: 'invalid_body', errors: [contradiction] };
  const { language: asked = 'en' } = fields;
  if (fields.prompts) {
    const { readOwnPrompts } = await loadOwnPrompts();
    const own = readOwnPrompts(fields.prompts, { language: asked, names });
    if (own.ok) return { set: 'own', language: asked, prompts: own.prompts };
    return { code: 'invalid_body', errors: own.faults.map(({ pointer, message }) => ({ pointer, message })) };
  }
  if (!isV2(fields)) return { set: 'v1' };
  const { local: isLocal = false } = fields;
  return { set: 'v2', language: asked, kind: fields.kind ?? (isLocal ? 'service' : 'product'), local: isLocal };
}

const isV2 = (fields: QuestionFields): boolean =>
  fields.prompt_set === 'v2' ||
  (fields.prompt_set === undefined &&
    [fields.language, fields.kind, fields.local].some((field) => field !== undefined));

/** The first field that does not go with the others. */
function findContradiction(fields: QuestionFields): BodyRefusal['errors'][number] | undefined {
  const { prompts: own, prompt_set: set } = fields;
  if (own !== undefined && set !== undefined)
    return { pointer: '/prompt_set', message: 'does not go with `prompts`: choose a set, or ask your own questions' };
  const market = fields.kind !== undefined ? 'kind' : fields.local !== undefined ? 'local' : undefined;
  if (own !== undefined && market !== undefined)
    return { pointer: `/${market}`, message: 'is for the set `v2`, not for your own `prompts`: leave it out' };
  if (set !== 'v1') return undefined;
  if (market !== undefined)
    return { pointer: `/${market}`, message: 'is for the set `v2`: leave it out, or set `prompt_set` to `v2`' };
  return fields.language !== undefined && fields.language !== 'en'
    ? { pointer: '/language', message: 'must be `en` for the set `v1`: leave it out, or set `prompt_set` to `v2`' }
    : undefined;
}

/** The choice of a body that was found good before. @throws Error for one that was not */
export async function requirePromptChoice(fields: QuestionFields, names: readonly string[]): Promise<PromptChoice> {
  const choice = await readPromptChoice(fields, names);
  if ('code' in choice) throw new Error(`questions were not checked: ${choice.code}`);
  return choice;
}

/** The prompts of a choice, and what answers to them are judged by. */
export async function loadAskedPrompts(niche: string, choice: PromptChoice): Promise<AskedPrompts> {
  const spoken = choice.set === 'v1' ? 'en' : choice.language;
  return { niche, language: spoken, ...(await selectPrompts(niche, choice)) };
}
