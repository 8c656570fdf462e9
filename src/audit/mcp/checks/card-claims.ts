import { type CheckOutcome, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import type { EndpointSource } from '../facts/discovery.ts';
import { MODERN_REVISION } from '../facts/places.ts';
import { type CardRemote, listTemplateNames } from '../facts/server-card.ts';
import { defineMcpCheck, isLoopbackHost } from './common.ts';
import { buildCardEvidence } from './card.ts';

/** What the card claims, held against its own URLs, the live server and the other documents. */
export const mcpCardClaimChecks = [
  defineMcpCheck({
    id: 'mcp.card.remote-https',
    title: 'Remote URLs are absolute https',
    failureTitle: 'Use absolute https addresses for remotes',
    weight: 2,
    grade: 'A',
    why: 'Clients send tokens to these URLs: over plain http, or with user info in them, strangers can read along.',
    source: 'MCP 2026-07-28 basic/authorization/security-considerations (HTTPS MUST); Server Card schema, Remote.url',
    fix: 'Use absolute https URLs without user name and fragment in remotes, and describe every {variable} in variables.',

    judge: judgeRemotes,
  }),
  defineMcpCheck({
    id: 'mcp.card.versions-true',
    title: 'supportedProtocolVersions is true',
    failureTitle: 'List the MCP revisions of the server in the card',
    weight: 2,
    grade: 'B',
    why: 'A client picks its version from the card; one the server refuses costs a failed connection, one left out is never used.',
    source:
      'SEP-2127; docs/discovery.md, "Consistency with Runtime Behavior": a card SHOULD reflect the server\'s behaviour',
    fix: 'Write the card from the same list that server/discover returns, for example in the build.',

    judge: judgeVersions,
  }),
  defineMcpCheck({
    id: 'mcp.card.single-truth',
    title: 'All discovery documents agree',
    failureTitle: 'Make discovery documents agree',
    weight: 2,
    grade: 'B',
    why: 'When the documents name different endpoints, two clients of one site talk to two servers.',
    source: 'Own rule, after docs/discovery.md, "Consistency with Runtime Behavior"',
    fix: 'Write the catalog, the card, mcp.json and llms.txt from one source, with the same endpoint URL.',

    judge: judgeAgreement,
  }),
];

function judgeRemotes({ mcpDiscovery: { card } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  if (!card || card.card.remotes.length === 0) return verdict.notApplicable('There is no Server Card with remotes.');
  const faults = card.card.remotes.flatMap((remote) => listRemoteFaults(remote));
  if (faults.length === 0)
    return verdict.pass(`All ${card.card.remotes.length} remotes are safe to connect to.`, buildCardEvidence(card));
  const kinds = [...new Set(faults.map(({ what }) => what))].join('; ');
  const shown = faults.map(({ about, what }) => `${about}: ${what}`).join('; ');
  return verdict.fail(`${formatCount(faults.length, 'fault')} in the remotes: ${kinds}.`, {
    ...buildCardEvidence(card),
    excerpt: shown.slice(0, 300),
  });
}

/** What is wrong with a remote in our words, and the address that it is about. */
function listRemoteFaults({ url, declared }: CardRemote): readonly { what: string; about: string }[] {
  const about = url.slice(0, 100);
  const names = listTemplateNames(url);
  const open = names
    .filter((name) => !declared.includes(name))
    .map((name) => ({
      what: 'variables does not describe a part of the address',
      about: `${about} {${name.slice(0, 60)}}`,
    }));
  // A template may replace the whole origin; then only the client learns the scheme.
  if (/^\{\w+\}/.test(url)) return open;
  const parsed = URL.parse(url.replaceAll(/\{\w{1,64}\}/g, 'x'));
  if (!parsed) return [...open, { what: 'not an absolute URL', about }];
  const plain = parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname));
  return [
    ...open,
    ...(plain ? [{ what: 'not https', about }] : []),
    ...(parsed.username !== '' || parsed.password !== ''
      ? [{ what: 'a user name or password in the URL', about: 'a remote' }]
      : []),
    ...(parsed.hash === '' ? [] : [{ what: 'a fragment', about }]),
  ];
}

function judgeVersions({ mcpEndpoint: endpoint }: FactsOf<'mcpEndpoint'>): CheckOutcome {
  if (endpoint.state !== 'probed' || endpoint.listed === undefined) {
    return verdict.notApplicable('No list of protocol versions and live endpoint to compare.');
  }
  if (endpoint.accepted.length === 0)
    return verdict.notApplicable('The live server named no version, so the list cannot be compared.');
  const { listed, accepted, named: own, initialize } = endpoint;
  const asked = new Set([MODERN_REVISION, ...initialize.map((handshake) => handshake.asked)]);
  const untrue = listed.filter((version) => asked.has(version) && !accepted.includes(version));
  // What only a handshake shows need not be listed: a card agrees with what the server says of itself.
  const missing = own.filter((version) => !listed.includes(version));
  const evidence = buildRequestEvidence(endpoint.discover.exchange, {
    excerpt: `card lists ${listed.join(', ')}; server accepts ${accepted.join(', ')}`,
  });
  if (untrue.length > 0)
    return verdict.fail(
      `The card lists ${formatCount(untrue.length, 'version')} that the server does not accept.`,
      evidence,
    );
  if (missing.length > 0)
    return verdict.partial(
      0.5,
      `The server accepts ${formatCount(missing.length, 'version')} that the card leaves out.`,
      evidence,
    );
  return verdict.pass('The listed versions are those of the live server.', evidence);
}

function judgeAgreement({ mcpDiscovery: { sources, mentioned } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  const documents = sources.filter(({ name }) => name !== 'link');
  const sets = withMentions(groupEndpointsBySource(documents), mentioned.endpoints.map(normaliseEndpointUrl));
  if (sets.size < 2) return verdict.notApplicable('Fewer than two documents name an endpoint.');
  const all = new Set([...sets.values()].flatMap((set) => [...set]));
  const common = [...all].filter((url) => [...sets.values()].every((set) => set.has(url)));
  const evidence = [
    ...documents.map(({ name, url, endpoints }) =>
      buildEndpointEvidence(
        name,
        url,
        endpoints.map((endpoint) => endpoint.url),
      ),
    ),
    ...(mentioned.endpoints.length > 0 ? [buildEndpointEvidence('llms.txt', mentioned.url, mentioned.endpoints)] : []),
  ];
  if (common.length === all.size) return verdict.pass(`${sets.size} documents name the same endpoint(s).`, evidence);
  const note = `${sets.size} documents name ${all.size} endpoints, of which ${common.length} are in all of them.`;
  if (common.length === 0) return verdict.fail(note, evidence);
  return verdict.partial(Math.round((common.length / all.size) * 1000) / 1000, note, evidence);
}

const buildEndpointEvidence = (name: string, url: string, endpoints: readonly string[]): CheckEvidence => ({
  url,
  excerpt: `${name}: ${endpoints.join(' ')}`.slice(0, 300),
});

/** The endpoints of each kind of document; all cards that a catalog leads to are one document. */
function groupEndpointsBySource(sources: readonly EndpointSource[]): Map<string, ReadonlySet<string>> {
  const sets = new Map<string, Set<string>>();
  for (const { name, endpoints } of sources) {
    const set = sets.get(name) ?? new Set();
    for (const { url } of endpoints) set.add(normaliseEndpointUrl(url));
    sets.set(name, set);
  }
  return new Map(sets);
}

/** llms.txt is prose: it may leave endpoints out, but one it names that no document knows is a disagreement. */
function withMentions(
  sets: Map<string, ReadonlySet<string>>,
  mentions: readonly string[],
): Map<string, ReadonlySet<string>> {
  if (mentions.length === 0 || sets.size === 0) return sets;
  const known = new Set([...sets.values()].flatMap((set) => [...set]));
  return sets.set('llms.txt', mentions.every((url) => known.has(url)) ? known : new Set(mentions));
}

function normaliseEndpointUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  parsed.hash = '';
  return parsed.href.replace(/\/$/, '');
}
