import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { A2A_PATH, AGENT_CARD_PATH, INDEX_TOOL, MCP_VERSIONS, listMcpUrls, service } from '../capabilities/service.ts';
import { SPEND_CONTROL } from '../payment/terms/spend-control.ts';
import { RESOURCE_METADATA_PATH } from './discovery-documents.ts';

/** A page of the documentation: its path is that of its Markdown. */
export type DocsEntry = { title: string; path: string; description: string };

/** Our own llms.txt: static text from the catalogue; nothing of a request is ever in it (rule X10). */
export function formatServiceLlmsTxt(
  baseUrl: string,
  { docs = [], about = [] }: { docs?: readonly DocsEntry[]; about?: readonly DocsEntry[] } = {},
): string {
  const listEntries = (heading: string, entries: readonly DocsEntry[]): string =>
    entries.length === 0
      ? ''
      : `\n## ${heading}\n\n${entries.map(({ title, path, description }) => `- [${title}](${baseUrl}${path}): ${description}`).join('\n')}\n`;
  const { open, account } = listMcpUrls(baseUrl);
  const rows = catalog.map((row) => `- ${row.name} (${formatUsd(row.priceMicroUsdc)} USD): ${row.summary}`);
  return `# ${service.title}

> Audits what AI systems can see of a website or a brand. Paid per call in USDC on Base (x402 v2 or MPP), no account.

POST a JSON body to ${baseUrl}/api/agent/<capability>. Without payment the answer is 402 with the terms in the PAYMENT-REQUIRED
header. Pay with an x402 v2 client, with an MPP client (the challenges in WWW-Authenticate: method evm, intent charge), or send a plain
USDC transfer and put its hash into PAYMENT-SIGNATURE. 402 means a new payment is due; on 409 and 503 repeat the same request with the same header. Official clients refuse payments over 1 USD until
${SPEND_CONTROL} is raised: client.setSpendControls({ maxAmountPerPayment: "$4" }), or as the catalogue's hint
says for a price. Nothing is charged without delivery.

Results are long: ask for ?view=summary (8 KB) or send Prefer: return=minimal, then read the rest section by section at
${baseUrl}/reports/<report_id>/sections/<name>. Reading is free, and the view is no part of what a payment is bound to.

## Start here

- [Free catalogue](${baseUrl}/api/agent/index): prices, bodies and availability of all capabilities as JSON
- [OpenAPI description](${baseUrl}/openapi.json): every route with schemas and problem codes
- [API catalog](${baseUrl}/.well-known/api-catalog): all interfaces of this service as a linkset (RFC 9727)
- [What is sold by x402](${baseUrl}/.well-known/x402) and [by MPP](${baseUrl}/.well-known/mpp): the paid addresses in lists for crawlers
- [Start page](${baseUrl}/): the same for people, in HTML or Markdown
- [Documentation](${baseUrl}/docs/): guides and reference; each page is Markdown too, at its address with .md

## Pages for people

- [Audit a site](${baseUrl}/audit): the free preview in a browser
- [Prices](${baseUrl}/prices): what each capability costs and gives, and calls to copy; in Markdown at ${baseUrl}/prices.md
- [Example of a report](${baseUrl}/example): a full audit of a demo site
- [About](${baseUrl}/about): how sites are judged, and who runs this deployment
- [Accuracy](${baseUrl}/accuracy): how often the verdicts of each check are right on pages from outside
- [Contact](${baseUrl}/contact), [privacy](${baseUrl}/privacy) and [terms](${baseUrl}/terms)
- [Account](${baseUrl}/account): credits and the clients that may spend them

## MCP

Two endpoints serve the same tools, one for each capability and a free one, ${INDEX_TOOL}, that lists them. Protocol versions:
${MCP_VERSIONS.join(', ')}.

- [${open}](${open}/server-card): open, without sign-in; pay with each call in _meta["x402/payment"] or _meta["org.paymentauth/credential"]
- [${account}](${account}/server-card): for clients that cannot pay; sign in by OAuth 2.1, calls are paid from prepaid credits

Copy into a client: {"mcpServers": {"${service.name}": {"type": "http", "url": "${open}"}}}

## A2A

The service is an A2A agent (1.0 and 0.3): ${baseUrl}${A2A_PATH}. Each capability is a skill; its task is paid by x402 in metadata.

- [Agent card](${baseUrl}${AGENT_CARD_PATH}): skills with prices and examples

## Sign-in and credits

The protected endpoint answers 401 with a pointer to its metadata. Clients register themselves, a person signs in with an Ethereum
account, and credits are bought with one x402 payment for that account: POST ${baseUrl}/api/credits/5, /20 or /100 (USD).

- [Protected resource metadata](${baseUrl}${RESOURCE_METADATA_PATH}): resource and scopes (RFC 9728)
- [Authorization server metadata](${baseUrl}/.well-known/oauth-authorization-server): endpoints and methods (RFC 8414)

## Capabilities

${rows.join('\n')}
${listEntries('About the service', about)}${listEntries('Documentation', docs)}`;
}

/**
 * Everything public may be crawled; paid routes answer 402 to anyone who tries. Reports say themselves that they are to
 * be kept out of indexes, which only those read who may ask for them; published ones may be found.
 */
export const formatServiceRobotsTxt = (baseUrl: string): string => `User-agent: *
Allow: /
Content-Signal: search=yes, ai-input=yes, ai-train=yes

Sitemap: ${baseUrl}/sitemap.xml
# llms.txt: ${baseUrl}/llms.txt
# Catalogue for agents: ${baseUrl}/.well-known/ai-catalog.json
`;
