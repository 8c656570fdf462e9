/** Finds and fills the strings of a JSON value: every place where something of a site, a brand or a model may stand. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Path = readonly (string | number)[];

/** Lists of a result hold the same again and again: this many of each are enough to look at every place. */
const KEPT_ITEMS = 2;

/** A smaller value with the same places: lists are cut, and evidence has every member that it may have. */
export function thinned(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, KEPT_ITEMS).map(thinned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, thinned(name === 'evidence' ? fullEvidence(member) : member)]),
  );
}

const fullEvidence = (evidence: Json): Json =>
  Array.isArray(evidence)
    ? [{ url: 'x', status: 200, header: 'x', selector: 'x', line: 3, excerpt: 'x', sha256: 'x' }]
    : evidence;

/** Paths of all strings. */
export function stringsIn(value: Json, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((one, index) => stringsIn(one, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => stringsIn(member, [...path, name]));
}

/** A copy with the string at each path made anew. */
export function withStrings(value: Json, paths: readonly Path[], make: (index: number) => string): Json {
  const copy = structuredClone(value);
  for (const [index, path] of paths.entries()) {
    let holder = copy as Record<string | number, Json>;
    for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, Json>;
    holder[path.at(-1) ?? ''] = make(index);
  }
  return copy;
}
