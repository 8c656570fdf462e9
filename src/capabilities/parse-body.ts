import type * as z from 'zod';
import { canonicaliseHref } from '../net/canonical-url.ts';
import { readTypedAddress } from '../net/typed-address.ts';
import type { AnyCapability } from './capability.ts';

/** A fault of a body, as zod has it. */
export type BodyIssue = { code: string; path: readonly PropertyKey[]; message: string };

/** `body`: as it was sent, under the names of the schema. */
type ParsedBody =
  | { ok: true; input: Record<string, unknown>; body: unknown }
  | { ok: false; issues: readonly BodyIssue[] };

/** Fields that are understood under a second name, which other services use. Schemas and examples show the first alone. */
const otherNames: Readonly<Record<string, { name: string; other: string }>> = {
  compare: { name: 'competitor', other: 'competitor_url' },
};

/**
 * Parses the body of a row. A field under its second name is the same field: the same order, with the same fingerprint. Who
 * sends both must mean one address.
 */
export function parseBody(row: { name: string; body: AnyCapability['body'] }, given: unknown): ParsedBody {
  const names = Object.hasOwn(otherNames, row.name) ? otherNames[row.name] : undefined;
  const isOther = names !== undefined && isRecord(given) && Object.hasOwn(given, names.other);
  return isOther ? parseOther(row.body, given, names) : readIssues(row.body.safeParse(given), given);
}

function parseOther(
  schema: AnyCapability['body'],
  given: Record<string, unknown>,
  { name, other }: { name: string; other: string },
): ParsedBody {
  const { [other]: value, ...rest } = given;
  if (!Object.hasOwn(given, name)) {
    const body = { ...rest, [name]: value };
    const read = readIssues(schema.safeParse(body), body);
    if (read.ok) return read;
    return {
      ok: false,
      issues: read.issues.map((issue) => (issue.path[0] === name ? { ...issue, path: [other] } : issue)),
    };
  }
  if (isSameAddress(given[name], value)) return readIssues(schema.safeParse(rest), rest);
  const message = `must be the address of ${name}, or be left out`;
  return { ok: false, issues: [{ code: 'custom', path: [other], message }] };
}

const isSameAddress = (one: unknown, two: unknown): boolean =>
  typeof one === 'string' && typeof two === 'string' ? readHref(one) === readHref(two) : false;

const readHref = (text: string): string => canonicaliseHref(readTypedAddress(text).url);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readIssues(parsed: z.ZodSafeParseResult<Record<string, unknown>>, body: unknown): ParsedBody {
  return parsed.success ? { ok: true, input: parsed.data, body } : { ok: false, issues: parsed.error.issues };
}
