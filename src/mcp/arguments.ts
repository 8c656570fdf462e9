import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { capabilityNamed } from '../capabilities/catalog.ts';
import { pointerOf } from '../capabilities/json-pointer.ts';
import { INDEX_TOOL } from '../capabilities/service.ts';
import { problemResult, type ToolProblem } from './problem-result.ts';

/** Faults of arguments that are told: a model mends the first few and asks again. */
const MAX_ERRORS = 20;

/**
 * Why the arguments of a tool are refused, as a result that a model can act on (SEP-1303); undefined when they are
 * good, or when the name is not one of ours and its host knows better. JSON Pointers name members of our schema only.
 */
export async function checkArguments(
  name: string,
  given: Record<string, unknown>,
): Promise<CallToolResult | undefined> {
  if (name === INDEX_TOOL) return Object.keys(given).length === 0 ? undefined : refused([NO_MEMBERS]);
  const row = capabilityNamed(name);
  if (!row) return undefined;
  const parsed = row.body.safeParse(given);
  if (!parsed.success) return refused(parsed.error.issues.slice(0, MAX_ERRORS).map(errorOf));
  const refusal = await row.refuse?.(parsed.data);
  return refusal && refused(refusal.errors, refusal.code);
}

const NO_MEMBERS = { pointer: '', message: 'takes no arguments' };

const TITLES = {
  invalid_body: 'The arguments do not match the schema of this tool',
  niche_names_brand: 'The niche names the brand: what is measured must not stand in the question',
  not_publishable: 'This report cannot be published',
} as const;

const refused = (errors: NonNullable<ToolProblem['errors']>, code: keyof typeof TITLES = 'invalid_body') =>
  problemResult({ status: 422, code, title: TITLES[code], errors });

/** zod's texts name keys that a caller chose; ours do not. */
const errorOf = ({ code, path, message }: z.core.$ZodIssue) => ({
  pointer: pointerOf(path),
  message: code === 'unrecognized_keys' ? 'has members that are not part of it' : message,
});
