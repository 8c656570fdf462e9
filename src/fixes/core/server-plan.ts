/** Every address of a site. */
export const EVERYWHERE = '/*';

/**
 * One thing that a server is to do, whatever server it is. Settings of several fixes are joined as parts, so that each
 * address has one block in the end. Values are ours; a path is a plain one (`isPlainPath`).
 */
export type ServerPart =
  | { kind: 'header'; path: string; name: string; value: string }
  | { kind: 'type'; path: string; value: string }
  | { kind: 'without'; name: string }
  | { kind: 'redirect'; from: string; to: string }
  | { kind: 'https' }
  | { kind: 'not-found' }
  | { kind: 'compression' }
  | { kind: 'validators' }
  | { kind: 'retry-after' }
  | { kind: 'markdown' };

/** A path that every configuration reads as itself. What the site calls its pages may be anything (rule X1). */
export const isPlainPath = (path: string): boolean => /^\/[A-Za-z0-9._~/-]{0,200}$/.test(path);

/** Headers that are a list: several settings have a part in them. */
const LISTS: ReadonlySet<string> = new Set(['link', 'vary', 'access-control-allow-methods']);

/** Headers that say what their owner has decided: a file that is deployed whole does not decide it. */
const DECISIONS: ReadonlySet<string> = new Set(['content-usage']);

/** What a server does, each thing once. Paths in the order in which they were first named. */
export type ServerPlan = {
  /** Values by header, then by path; `EVERYWHERE` is a path, too. */
  headers: ReadonlyMap<string, ReadonlyMap<string, string>>;
  types: ReadonlyMap<string, string>;
  redirects: ReadonlyMap<string, string>;
  removed: readonly string[];
  does: ReadonlySet<ServerPart['kind']>;
};

/** Joins parts. Of two values of one header at one address the later counts; those of a list are joined. */
export function joinServerParts(parts: readonly ServerPart[]): ServerPlan {
  const headers = new Map<string, Map<string, string>>();
  const types = new Map<string, string>();
  const redirects = new Map<string, string>();
  const removed = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'type') types.set(part.path, part.value);
    if (part.kind === 'redirect') redirects.set(part.from, part.to);
    if (part.kind === 'without') removed.add(part.name);
    if (part.kind !== 'header') continue;
    const byPath = headers.get(part.name) ?? new Map<string, string>();
    byPath.set(part.path, joinValues(part.name, byPath.get(part.path), part.value));
    headers.set(part.name, byPath);
  }
  return { headers, types, redirects, removed: [...removed], does: new Set(parts.map(({ kind }) => kind)) };
}

function joinValues(name: string, present: string | undefined, added: string): string {
  if (present === undefined || !LISTS.has(name.toLowerCase())) return added;
  const known = present.split(', ');
  return [...known, ...added.split(', ').filter((value) => !known.includes(value))].join(', ');
}

/** The parts that need no decision of the owner. */
export const listSettledParts = (parts: readonly ServerPart[]): readonly ServerPart[] =>
  parts.filter((part) => part.kind !== 'header' || !DECISIONS.has(part.name.toLowerCase()));

/** Types of text that are worth compressing. */
export const COMPRESSED_TYPES = [
  'text/plain',
  'text/css',
  'text/markdown',
  'text/xml',
  'application/json',
  'application/javascript',
  'application/xml',
  'image/svg+xml',
];

/**
 * Whether the first of two q-values, joined by a bar with their points left out, is the greater one (RFC 9110, 12.4.2):
 * `1|05` for 1 and 0.5. Neither server can compare numbers; digit by digit it is a pattern of PCRE.
 */
export const GREATER_Q = [
  String.raw`^(\d*)(?:${[9, 8, 7, 6, 5, 4, 3, 2, 1].map((digit) => String.raw`${digit}\d*\|\1[0-${digit - 1}]`).join('|')})`,
  String.raw`^(\d+)\d*[1-9]\d*\|\1$`,
] as const;

/** Patterns of a media range in an Accept header: with a q-value, whose digits are two groups, and without one. */
export function buildRangePatterns(range: string): {
  weighted: (groups: readonly [string, string]) => string;
  plain: string;
} {
  const start = String.raw`(?:^|,)\s*${range.replaceAll('*', String.raw`\*`)}\s*`;
  return {
    weighted: ([whole, fraction]) => String.raw`${start}(?:;[^,]*)?;\s*q=(${whole}[01])(?:\.(${fraction}\d{0,3}))?`,
    plain: String.raw`${start}(?:[,;]|$)`,
  };
}
