/** Characters of a pattern that count. */
const MAX_PATTERN_CHARS = 500;

/**
 * Whether a page is to be read: one pattern of `include` matches, or there is none, and no pattern of `exclude` does. A pattern
 * is a glob over the whole path, or over the whole address where it names a scheme: `*` is any run within a segment, `**`
 * any run at all.
 */
export function isWanted(url: URL, globs: { include: readonly string[]; exclude: readonly string[] }): boolean {
  const matches = (pattern: string): boolean =>
    globMatches(pattern, pattern.includes('://') ? url.origin + url.pathname : url.pathname);
  return (globs.include.length === 0 || globs.include.some(matches)) && !globs.exclude.some(matches);
}

type Token = { kind: 'char'; char: string } | { kind: 'segment' } | { kind: 'any' };

/** Matches the whole text. Time is at most the length of the text times that of the pattern, whatever they are. */
export function globMatches(pattern: string, text: string): boolean {
  const tokens = tokensOf(pattern.slice(0, MAX_PATTERN_CHARS));
  // Places in the pattern that some way of reading the text so far has come to.
  let places = reached(tokens, new Set([0]));
  for (const char of text) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token?.kind === 'char' && token.char === char) next.add(place + 1);
      if (token?.kind === 'any' || (token?.kind === 'segment' && char !== '/')) next.add(place);
    }
    if (next.size === 0) return false;
    places = reached(tokens, next);
  }
  return places.has(tokens.length);
}

/** A run of `**` and `*` may also be nothing. */
function reached(tokens: readonly Token[], places: Set<number>): ReadonlySet<number> {
  for (const place of places) {
    const token = tokens[place];
    if (token !== undefined && token.kind !== 'char') places.add(place + 1);
  }
  return places;
}

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [run] of pattern.matchAll(/\*{1,500}|[^*]/gu)) {
    if (!run.startsWith('*')) tokens.push({ kind: 'char', char: run });
    else tokens.push({ kind: run.length === 1 ? 'segment' : 'any' });
  }
  return tokens;
}
