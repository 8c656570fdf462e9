import { readFileSync, statSync } from 'node:fs';
import type * as z from 'zod';
import { refuseMeasurement, versusBody, visibilityBody } from '../../capabilities/bodies.ts';
import type { QuestionFields } from '../../capabilities/visibility-questions.ts';
import { dropUndefined } from '../../lib/json.ts';
import { MAX_OWN_PROMPT_CHARS, MAX_OWN_PROMPTS } from '../../visibility/prompts/limits.ts';
import { type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';

/** What is measured, as the body of the paid route has it. */
export type TypedMeasurement = { brand: string; niche: string; competitor_brand?: string } & QuestionFields;

type MeasurementWords = {
  brand?: string | undefined;
  niche?: string | undefined;
  competitor?: string | undefined;
  language?: string | undefined;
  kind?: string | undefined;
  local?: boolean | undefined;
  prompts?: string | undefined;
};

/** Bytes of a file of questions: each character has four at most. */
const MAX_PROMPTS_BYTES = MAX_OWN_PROMPTS * (MAX_OWN_PROMPT_CHARS + 2) * 4;

/** The names that no question may hold. */
export const listMeasuredNames = ({ brand, competitor_brand }: TypedMeasurement): readonly string[] =>
  competitor_brand === undefined ? [brand] : [brand, competitor_brand];

/** The body as the paid route would read it, or what is wrong with it in the words of who typed it. */
export async function readTypedMeasurement(words: MeasurementWords): Promise<TypedMeasurement | CommandFailure> {
  const { brand, niche, competitor, language, kind, local } = words;
  if (brand === undefined || niche === undefined)
    return refuseUsage('Name a brand with --brand and its market with --niche.');
  const prompts = words.prompts === undefined ? undefined : readPromptsFile(words.prompts);
  if (isFailure(prompts)) return prompts;
  return judgeMeasurement(
    { brand, niche, competitor_brand: competitor, language, kind, local, prompts },
    describeField,
  );
}

/** The body of a measurement, or its first fault. @param describe what the one who wrote a field calls it */
export async function judgeMeasurement(
  given: Readonly<Record<string, unknown>>,
  describe: (path: readonly PropertyKey[]) => string,
): Promise<TypedMeasurement | CommandFailure> {
  const body = dropUndefined(given);
  const schema: z.ZodType<TypedMeasurement> = 'competitor_brand' in body ? versusBody : visibilityBody;
  const read = schema.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuseUsage(formatSafeLine(`${describe(issue?.path ?? [])}: ${issue?.message ?? 'invalid'}`));
  }
  const refused = await refuseMeasurement(read.data);
  const [error] = refused?.errors ?? [];
  return error
    ? refuseUsage(formatSafeLine(`${describe(error.pointer.slice(1).split('/'))} ${error.message}`))
    : read.data;
}

/** `--competitor`, or `--prompts, question 4,`: the option of a field. */
function describeField([field, place]: readonly PropertyKey[]): string {
  const option = `--${String(field ?? '').replace('competitor_brand', 'competitor')}`;
  return place === undefined ? option : `${option}, question ${Number(place) + 1},`;
}

/** Questions of one's own: a line each; empty lines are none. */
function readPromptsFile(file: string): readonly string[] | CommandFailure {
  const how = 'Name a text file with one question a line.';
  try {
    if (statSync(file).size > MAX_PROMPTS_BYTES)
      return refuseCommand(
        'file_unusable',
        `${file} is larger than ${MAX_OWN_PROMPTS} questions are.`,
        EXIT.usage,
        how,
      );
    const lines = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return refuseCommand('file_unusable', `${file} cannot be read${code}.`, EXIT.usage, how);
  }
}
