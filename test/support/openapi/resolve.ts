/** What a reference inside a document leads to. */
function follow(document: unknown, ref: string): unknown {
  const found = ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`${ref} leads nowhere`);
  return found;
}

/** A part of a document with everything written out that it refers to. */
export function resolveRefs(document: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveRefs(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: ref, ...rest } = value as { $ref?: unknown };
  const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, resolveRefs(document, one)]));
  if (typeof ref !== 'string') return own;
  return { ...(resolveRefs(document, follow(document, ref)) as object), ...own };
}
