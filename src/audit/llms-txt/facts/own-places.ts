import type { Artifact } from '../../core/artifact.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';

/**
 * Places that a site declares as its own beside its domain: what its structured data name in `sameAs`, and what its start
 * page links to. On a host that many share a place is the first part of the path, such as `github.com/acme`.
 */
export type OwnPlaces = { site: URL; declared: ReadonlySet<string> };

/** Hosts that show the same places under another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['twitter.com', 'x.com'],
  ['raw.githubusercontent.com', 'github.com'],
  ['m.facebook.com', 'facebook.com'],
]);

/** Artifact `ownPlaces`. A start page that cannot be read declares nothing. */
export function readOwnPlaces(snapshot: Snapshot): Artifact<OwnPlaces> {
  const site = new URL(snapshot.url);
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return { state: 'ready', value: { site, declared: new Set() } };
  const { graph } = getJsonLd(page.value);
  const named = graph.nodes.flatMap((node) =>
    node.props.has('sameAs') ? listPropertyTexts(graph, node, 'sameAs') : [],
  );
  const linked = page.value.anchors.filter(({ hidden }) => hidden === undefined).map(({ href }) => href);
  const declared = [...named, ...linked].flatMap((href) => {
    const url = URL.parse(href);
    return url && /^https?:$/u.test(url.protocol) ? [buildPlaceKeys(url)[0]] : [];
  });
  return { state: 'ready', value: { site, declared: new Set(declared) } };
}

/** The place of an address, then its whole host: both are one where the address is the root of the host. */
function buildPlaceKeys(url: URL): readonly [string, string] {
  const name = url.host.toLowerCase().replace(/^www\./u, '');
  const host = OTHER_NAMES.get(name) ?? name;
  const first = url.pathname.split('/')[1]?.toLowerCase() ?? '';
  return [first === '' ? host : `${host}/${first}`, host];
}

/** Whether an address is on the site's own domain or among the places it declares. */
export const isOwnPlace = ({ site, declared }: OwnPlaces, url: URL): boolean =>
  isSameOwner(url, site) || buildPlaceKeys(url).some((key) => declared.has(key));
