import { registrableDomain } from '../../net/registrable-domain.ts';
import { MAX_CITATIONS } from '../../models/answer/port.ts';

/** Rows of the table of sources. */
export const MAX_SOURCES = 10;
/** Longest host name of the DNS. */
const MAX_HOST_CHARS = 253;

export type SourceRow = { domain: string; answers: number };

/**
 * The registered domains that the answers cite, each at most once per answer, most often first. Null when no answer came
 * with a list of sources: the engine gives none, so they were not measured. At most 10.
 * @param citations one entry per valid answer: URLs as the engine gave them, or undefined.
 */
export function sourceRows(citations: readonly (readonly string[] | undefined)[]): readonly SourceRow[] | null {
  const lists = citations.filter((list) => list !== undefined);
  if (lists.length === 0) return null;
  const answers = new Map<string, number>();
  for (const domain of lists.flatMap((list) => [...domainsOf(list)]))
    answers.set(domain, (answers.get(domain) ?? 0) + 1);
  return [...answers]
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .slice(0, MAX_SOURCES)
    .map(([domain, count]) => ({ domain, answers: count }));
}

const domainsOf = (urls: readonly string[]): ReadonlySet<string> =>
  new Set(urls.slice(0, MAX_CITATIONS).flatMap((url) => domainOf(url) ?? []));

function domainOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return url.hostname.length > MAX_HOST_CHARS ? undefined : registrableDomain(url.hostname);
}
