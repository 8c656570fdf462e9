/**
 * JSON in the one form that RFC 8785 gives it: members sorted by UTF-16 code units, no spaces, numbers and strings as
 * ECMAScript writes them. Half of a surrogate pair, which that RFC refuses, is written as its escape, `\ud83d`: excerpts of
 * sites may be cut there.
 * @param value what `JSON.parse` gives: no undefined, no functions, no numbers that are none
 */
export function formatJcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatJcs).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${formatJcs(member)}`);
  return `{${members.join(',')}}`;
}
