import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, listNumberedExchanges } from '../../core/snapshot.ts';
import type { CitedSource } from './cited-sources.ts';

/** Cited links that are followed, and how many of them on one foreign site. */
export const MAX_CITATION_LINKS = 5;
const MAX_PER_DOMAIN = 2;
/** Enough to see that something answers; the text is not read. */
export const CITATION_BYTES = 16 * 1024;

/** Role of the exchanges, with their number behind a colon. */
export const CITATION_ROLE = 'citation';

/** The sources whose links are followed: the first five of the page, at most two of one owner. */
export function selectCitationsToRead(sources: readonly CitedSource[]): readonly CitedSource[] {
  const perDomain = new Map<string, number>();
  const chosen: CitedSource[] = [];
  for (const source of sources) {
    const asked = perDomain.get(source.domain) ?? 0;
    if (asked >= MAX_PER_DOMAIN) continue;
    perDomain.set(source.domain, asked + 1);
    chosen.push(source);
    if (chosen.length === MAX_CITATION_LINKS) break;
  }
  return chosen;
}

/** Artifact `citations`: what the followed links of cited sources answered, in the order of the page. */
export function readCitations(snapshot: Snapshot): Artifact<readonly Exchange[]> {
  return { state: 'ready', value: listNumberedExchanges(snapshot, CITATION_ROLE) };
}

/** `resolves`, `dead` (the resource is said not to be there) or `unknown`: refused to us, out of order, no answer. */
export type LinkVerdict = 'resolves' | 'dead' | 'unknown';

/** Statuses that speak of our request or of the moment, not of the document; LinkedIn refuses crawlers with 999. */
const REFUSALS = new Set([401, 402, 403, 405, 406, 407, 408, 421, 423, 425, 429, 451, 999]);

export function classifyCitationLink({ answer }: Exchange): LinkVerdict {
  if (!answer.ok || answer.status >= 500 || REFUSALS.has(answer.status)) return 'unknown';
  return answer.status >= 400 ? 'dead' : 'resolves';
}
