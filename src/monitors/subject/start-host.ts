import { getExchangeLookup, type Snapshot } from '../../audit/core/snapshot.ts';
import { getRegistrableDomain } from '../../net/registrable-domain.ts';

/** The host that answered for the start page, after its redirects; undefined where none did. */
export function findStartHost(snapshot: Snapshot | undefined): string | undefined {
  const answer = snapshot && getExchangeLookup(snapshot)('page')?.answer;
  return answer?.ok === true ? new URL(answer.url).hostname : undefined;
}

/** Whether two hosts are of two owners: `www` and other hosts of a domain belong together. */
export const isOtherSite = (host: string, other: string): boolean =>
  getRegistrableDomain(host) !== getRegistrableDomain(other);
