import * as z from 'zod';
import { type Issue, isObject, schemaIssues, stringAt } from '../../structured-data/facts/json-document.ts';

/** A manifest of the retired ChatGPT plugin platform (archived in January 2024): nothing reads it any more. */
export type AiPlugin = { name: string; issues: readonly Issue[] };

const text = z.string('must be a string').min(1, 'must not be empty');
const manifest = z.looseObject({
  schema_version: z.literal('v1', 'must be "v1"'),
  name_for_model: text,
  description_for_model: text,
  api: z.looseObject({ url: text }, 'must be an object'),
});

/** Reads a parsed ai-plugin.json; undefined when the value is nothing of the kind. Never throws. */
export function readAiPlugin(value: unknown): AiPlugin | undefined {
  const known = ['schema_version', 'name_for_model', 'description_for_model', 'name_for_human', 'api'];
  if (!isObject(value) || !known.some((key) => Object.hasOwn(value, key))) return undefined;
  return { name: (stringAt(value, 'name_for_model') ?? '').slice(0, 100), issues: schemaIssues(manifest, value) };
}
