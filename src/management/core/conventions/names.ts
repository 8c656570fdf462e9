/** The limits of what callers name (rule K9). */
export const MAX_ID_BYTES = 1_024;
/** Of a query, filter or mask, in characters. */
export const MAX_LONG_TEXT_CHARS = 20_000;

/** `quota_config` as JSON spells it: `quotaConfig`. */
export const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * The name under which a table knows what was sent as `name`: unchanged or, where only that is known, in camel case
 * (the vendor's gRPC clients send snake case). Undefined for a name that the table lacks.
 */
export function findKnownName(table: object, name: string): string | undefined {
  if (Object.hasOwn(table, name)) return name;
  const camel = toCamelCase(name);
  return Object.hasOwn(table, camel) ? camel : undefined;
}

/** Names that no object of ours may have, because assigning to them does not make a member. */
export const isForbiddenName = (name: string): boolean => name === '__proto__';
