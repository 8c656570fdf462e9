import { webAddress } from '../../design/parts.tsx';
import type { Compared } from '../parts/shapes.ts';

export type SiteNames = Readonly<Record<'url' | 'competitor', string>>;

/** How a comparison calls its two sites: their hosts, or their whole addresses where they are of one host. */
export function siteNames({ sites }: Compared): SiteNames {
  const [url, competitor] = [addressOf(sites.url), addressOf(sites.competitor)];
  const hosts = [hostOf(url), hostOf(competitor)] as const;
  const [mine, theirs] = hosts[0] === hosts[1] ? [url, competitor] : hosts;
  return { url: mine ?? 'The site', competitor: theirs ?? 'The competitor' };
}

const addressOf = ({ requests }: Compared['sites']['url']): string | undefined =>
  requests.find(({ role }) => role === 'page')?.url;

function hostOf(address: string | undefined): string | undefined {
  const href = address === undefined ? undefined : webAddress(address);
  return href === undefined ? undefined : new URL(href).host;
}
