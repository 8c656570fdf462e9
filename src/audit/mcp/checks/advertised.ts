import { type CheckOutcome, type FactsOf, verdict } from '../../core/check.ts';
import { buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { connectMention } from '../facts/advertised.ts';
import { toAbsoluteHttpUrl } from '../facts/json.ts';
import type { Robots } from '../../crawlers/facts/robots-file.ts';
import { defineMcpCheck } from './common.ts';

/** By which ways people and programs are led to the server. Registries and name servers of others are never asked. */
export const mcpAdvertisedChecks = [
  defineMcpCheck({
    id: 'mcp.discovery.catalog-advertised',
    title: 'The catalog is advertised',
    failureTitle: 'Advertise the catalog',
    weight: 1,
    grade: 'C',
    why: 'Readers that know no well-known place follow a link. One that leads elsewhere shows them another catalog than everybody else.',
    source:
      'ARD specification (https://github.com/ards-project/ard-spec), discovery: well-known place, link rel="ai-catalog", Link header, Agentmap in robots.txt; Lighthouse reads the same four',
    fix: 'Point every link rel="ai-catalog", Link header and Agentmap line at the one catalog; the well-known place alone is enough.',
    needs: ['robots'],
    judge: judgeAdvertised,
  }),
  defineMcpCheck({
    id: 'mcp.discovery.registry',
    title: 'Proof for the official registry is well formed',
    failureTitle: 'Correct the proof for the official registry',
    weight: 0,
    grade: 'C',
    why: 'The registry is a third party whose answers change between two audits, so it is not asked; only the proof that a domain publishes for it is read.',
    source:
      'https://github.com/modelcontextprotocol/registry, HTTP authentication: /.well-known/mcp-registry-auth holds v=MCPv1; k=<algorithm>; p=<base64 key>',
    fix: 'Publish a server.json in the registry; serve the line that mcp-publisher prints at /.well-known/mcp-registry-auth, or put it into DNS.',
    needs: ['mcpRegistry'],
    judge: judgeRegistry,
  }),
  defineMcpCheck({
    id: 'mcp.discovery.dns-aid',
    title: 'DNS-AID record is reported',
    failureTitle: 'Check whether a DNS-AID record helps you',
    weight: 0,
    grade: 'C',
    why: 'The draft puts agents into DNS. The audit asks no name server of others, so it cannot see such records and never holds their absence against a site.',
    source: 'draft-mozleywilliams-dnsop-dnsaid-02 (DNS for AI Discovery), an individual Internet-Draft',
    fix: 'Nothing is needed; the records of the draft are optional.',

    judge: () => verdict.notApplicable('DNS is not asked: records of the DNS-AID draft cannot be seen over HTTP.'),
  }),
  defineMcpCheck({
    id: 'mcp.discovery.docs-page',
    title: 'A page for people says how to connect',
    failureTitle: 'Write a page that says how to connect',
    weight: 1,
    grade: 'B',
    why: 'People add servers, and copy what a page shows them: in one study a line in the prompt led agents to the server 5 times of 5, links in the page 0 times of 20.',
    source:
      'a14y public study of discovery by agents; own rule: the text names MCP with the endpoint or a configuration to copy',
    fix: 'Add a section that names MCP and shows the endpoint URL and a snippet, {"mcpServers": ...} or "claude mcp add", on a page that the start page or llms.txt links to.',
    needs: ['mcpDocs'],
    judge: judgeDocs,
  }),
];

function judgeAdvertised({
  mcpDiscovery: { catalog, advertised },
  robots,
}: FactsOf<'mcpDiscovery' | 'robots'>): CheckOutcome {
  if (catalog.state !== 'found') return verdict.notApplicable('There is no AI Catalog.');
  const places = new Set([catalog.url, catalog.exchange.url].map(withoutFragment));
  const agentmaps = listAgentmaps(robots);
  const pointers = [...new Set([...advertised, ...agentmaps].map(withoutFragment))];
  const astray = pointers.filter((url) => !places.has(url));
  const evidence: readonly CheckEvidence[] = [
    buildRequestEvidence(catalog.exchange),
    ...(agentmaps.length > 0
      ? [buildRequestEvidence(robots.exchange, { excerpt: `Agentmap: ${agentmaps.join(' ')}` })]
      : []),
  ];
  if (astray.length > 0) {
    const note = `${astray.length} of ${pointers.length} pointers lead to another URL than the catalog that was found.`;
    return verdict.partial(0.5, note, [...evidence, ...astray.slice(0, 3).map((url) => ({ url: url.slice(0, 300) }))]);
  }
  return pointers.length > 0
    ? verdict.pass('The catalog is at its place, and what points to a catalog points there.', evidence)
    : verdict.pass(
        'The catalog is at its well-known place, where readers look first; nothing else points to it.',
        evidence,
      );
}

const listAgentmaps = (robots: Robots): readonly string[] =>
  robots.kind === 'file'
    ? robots.file.others
        .filter(({ key }) => key === 'agentmap')
        .flatMap(({ value }) => toAbsoluteHttpUrl(value, robots.answer.url) ?? [])
    : [];

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url;

function judgeRegistry({ mcpRegistry: { file, proof } }: FactsOf<'mcpRegistry'>): CheckOutcome {
  const evidence = file.exchange ? buildRequestEvidence(file.exchange) : [];
  if (proof.state === 'unread')
    return verdict.unknown(`/.well-known/mcp-registry-auth was not read (${proof.why}).`, evidence);
  if (proof.state === 'absent')
    return verdict.notApplicable('The registry is not asked, and the domain publishes no proof for it over HTTP.');
  return proof.state === 'valid'
    ? verdict.pass(
        `The proof holds a key of the algorithm ${proof.algorithm}. Whether the registry lists the server is not asked.`,
        evidence,
      )
    : verdict.fail(`/.well-known/mcp-registry-auth ${proof.why}.`, evidence);
}

function judgeDocs({
  mcpDiscovery: { sources },
  mcpDocs: { texts, unread },
}: FactsOf<'mcpDiscovery' | 'mcpDocs'>): CheckOutcome {
  const endpoints = sources.flatMap((source) =>
    source.endpoints.filter(({ templated }) => !templated).map(({ url }) => url),
  );
  if (endpoints.length === 0) return verdict.notApplicable('No document names an endpoint to connect to.');
  for (const { exchange, text } of texts) {
    const mention = connectMention(text, endpoints);
    if (mention !== undefined)
      return verdict.pass(
        'A text for people names MCP, with the endpoint or a configuration to copy.',
        buildRequestEvidence(exchange, { excerpt: mention }),
      );
  }
  const evidence = texts.slice(0, 10).map(({ exchange }) => buildRequestEvidence(exchange));
  if (unread)
    return verdict.unknown('A text that may show how to connect could not be read.', buildRequestEvidence(unread));
  return verdict.fail(
    `None of ${texts.length} texts (start page, llms.txt, the linked page about MCP, sampled pages) shows how to connect.`,
    evidence,
  );
}
