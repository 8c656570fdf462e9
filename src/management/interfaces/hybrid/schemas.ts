import * as z from 'zod';
import { issueText, migrateOptions } from '../../../hybrid/core/options.ts';
import { MAX_OVERRIDES_CHARS } from '../../../hybrid/core/source.ts';
import { planRequest } from '../../../hybrid/plan/plan.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText, type Violation } from '../../core/conventions/invalid.ts';

/** Violations of a body that one answer lists. */
const MAX_VIOLATIONS = 20;

const overrides = z.string().max(MAX_OVERRIDES_CHARS);
export const fileBody = z.strictObject({
  overrides,
  /** Appears in the headers of the diff. */
  fileName: planRequest.shape.fileName,
  options: migrateOptions.default({}),
});
export type FileBody = z.infer<typeof fileBody>;

export const planBody = planRequest.extend({
  overrides,
  options: migrateOptions.default({}),
  format: z.enum(['json', 'text', 'markdown']).default('json'),
});

export type PlanBody = z.infer<typeof planBody>;

/**
 * A body by its schema.
 * @throws Refusal 400 with each member that is wrong once, each unknown name by itself. Nothing that was sent is shown but
 *   names
 */
export function parseHybridBody<T>(schema: z.ZodType<T>, body: JsonObject): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const violations = new Map<string | undefined, Violation>();
  for (const violation of parsed.error.issues.flatMap(listViolations))
    if (!violations.has(violation.field)) violations.set(violation.field, violation);
  throw new Refusal(refuseViolations([...violations.values()].slice(0, MAX_VIOLATIONS)));
}

function listViolations(issue: z.core.$ZodIssue): readonly Violation[] {
  if (issue.code !== 'unrecognized_keys') {
    const field = formatFieldPath(issue.path);
    return [{ field, description: `Invalid value at '${field}': ${issueText(issue)}` }];
  }
  return issue.keys.slice(0, MAX_VIOLATIONS).map((key) => {
    const field = formatFieldPath([...issue.path, key]);
    return { field, description: `Invalid JSON payload received. Unknown name '${field}': Cannot find field.` };
  });
}

const formatFieldPath = (path: readonly PropertyKey[]): string => truncateSentText(path.map(String).join('.'));
