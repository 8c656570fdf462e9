import type { PageFacts } from '../../page/facts/page-facts.ts';

/** One indexing directive and whom it addresses: `robots` is everybody. `value` is '' for plain words such as `noindex`. */
export type Directive = { agent: string; name: string; value: string; from: 'meta' | 'header'; line?: number };

/** Names that take a value after a colon; any other `word:` in the header starts a bot's own part. */
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/** Directives kept of one page. */
const MAX_DIRECTIVES = 200;

/** Directives of the robots metas of a page. */
export const listMetaDirectives = (page: PageFacts): readonly Directive[] =>
  page.robots
    .flatMap(({ agent, directives, line }) =>
      directives.map((text) => ({ agent, ...splitNameAndValue(text), from: 'meta' as const, line })),
    )
    .slice(0, MAX_DIRECTIVES);

/**
 * Directives of an `X-Robots-Tag` value. Several headers arrive joined by commas; a bot's name holds until the next
 * one. A date in `unavailable_after` may have one comma of its own (RFC 850).
 */
export function parseHeaderDirectives(value: string): readonly Directive[] {
  const found: Directive[] = [];
  let agent = 'robots';
  for (const raw of value.split(',').slice(0, MAX_DIRECTIVES)) {
    const part = raw.trim().toLowerCase();
    const last = found.at(-1);
    if (last?.name === 'unavailable_after' && /^\d{1,2}[ -]/.test(part)) {
      found[found.length - 1] = { ...last, value: `${last.value}, ${part}` };
      continue;
    }
    const named = /^([a-z][\w-]{0,60}):(.{0,300})$/.exec(part);
    const isAgent = named !== null && !WITH_VALUE.has(named[1] ?? '');
    if (isAgent) agent = named[1] ?? '';
    const text = isAgent ? (named[2] ?? '').trim() : part;
    if (text !== '') found.push({ agent, ...splitNameAndValue(text), from: 'header' });
  }
  return found;
}

function splitNameAndValue(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  if (colon === -1) return { name: text, value: '' };
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

/** Directives of a page: of its robots metas, then of its `X-Robots-Tag` header. */
export const listPageDirectives = (
  page: PageFacts,
  headers: Readonly<Record<string, string>>,
): readonly Directive[] => [...listMetaDirectives(page), ...parseHeaderDirectives(headers['x-robots-tag'] ?? '')];

/** Agents whose indexes AI answers draw on, and everybody. */
const INDEXERS = new Set(['robots', 'googlebot', 'bingbot', 'oai-searchbot']);

export const isForIndexers = ({ agent }: Directive): boolean => INDEXERS.has(agent);

/** The directive that keeps a page out of an index that AI answers draw on, or undefined. */
export const findNoindex = (
  page: PageFacts,
  headers: Readonly<Record<string, string>>,
  clockMs: number,
): Directive | undefined =>
  listPageDirectives(page, headers)
    .filter(isForIndexers)
    .find((directive) => isIndexingForbidden(directive, clockMs));

/** Whether a directive keeps the page out of an index at the given time (Unix milliseconds). */
export function isIndexingForbidden({ name, value }: Directive, clockMs: number): boolean {
  if (name === 'noindex' || name === 'none') return true;
  if (name !== 'unavailable_after') return false;
  const until = Date.parse(/(?:[a-z]{3,4}|[+-]\d{2}:?\d{2}|z)$/i.test(value) ? value : `${value} UTC`);
  return !Number.isNaN(until) && until < clockMs;
}
