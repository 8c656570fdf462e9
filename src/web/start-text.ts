import { catalog, usd } from '../capabilities/catalog.ts';
import { mcpUrls, service } from '../capabilities/service.ts';

type Link = { text: string; path: string; note: string };

/** What the start page says, in HTML and in Markdown alike. */
export type StartText = {
  title: string;
  lead: string;
  connect: { heading: string; text: string; code: string; language: string }[];
  prices: { name: string; summary: string; priceUsd: string }[];
  links: Link[];
};

const LEAD =
  'Sightline audits what AI systems can see of a website or a brand: whether search assistants can read it, whether answers can cite it, and whether agents can use it. Every call is paid on its own, in USDC on Base, without an account.';

const LINKS: Link[] = [
  { text: 'Free catalogue', path: '/api/agent/index', note: 'prices, bodies and availability of every capability' },
  { text: 'OpenAPI description', path: '/openapi.json', note: 'every route with schemas and problem codes' },
  { text: 'llms.txt', path: '/llms.txt', note: 'this service in the words a model needs' },
  { text: 'Server Card', path: '/mcp/server-card', note: 'the MCP endpoint for clients' },
  { text: 'About the bot', path: '/bot', note: 'what our audits ask of a website' },
];

/** The start page's content, from the tables and our own address. */
export const startText = (baseUrl: string): StartText => ({
  title: `${service.title}: what AI systems can see of a website`,
  lead: LEAD,
  connect: [
    {
      heading: 'Pay per call over HTTP',
      text: 'Without payment the answer is 402 with the terms; an x402 v2 client pays and repeats the call. Nothing is charged without delivery.',
      code: `curl -X POST ${baseUrl}/api/agent/check_health -H 'content-type: application/json' -d '{"url":"https://example.com"}'`,
      language: 'sh',
    },
    {
      heading: 'Connect by MCP',
      text: `The MCP endpoint ${mcpUrls(baseUrl).open} takes x402 payments with each call and asks for no sign-in. ${mcpUrls(baseUrl).account} signs you in by OAuth and spends prepaid credits, for clients that cannot pay.`,
      code: JSON.stringify({ mcpServers: { [service.name]: { type: 'http', url: mcpUrls(baseUrl).open } } }, null, 2),
      language: 'json',
    },
  ],
  prices: catalog.map((row) => ({ name: row.name, summary: row.summary, priceUsd: cents(row.priceMicroUsdc) })),
  links: LINKS.map((link) => ({ ...link, path: `${baseUrl}${link.path}` })),
});

/** Prices are whole cents. */
const cents = (microUsdc: number): string => usd(microUsdc).replace(/0{4}$/, '');

/** The start page in Markdown, for clients that prefer it. */
export function startMarkdown(baseUrl: string): string {
  const { title, lead, connect, prices, links } = startText(baseUrl);
  return [
    `# ${title}`,
    lead,
    ...connect.map(
      ({ heading, text, code, language }) => `## ${heading}\n\n${text}\n\n\`\`\`${language}\n${code}\n\`\`\``,
    ),
    `## Prices\n\n| Capability | What it returns | USD |\n|---|---|---|\n${prices.map(({ name, summary, priceUsd }) => `| ${name} | ${summary} | ${priceUsd} |`).join('\n')}`,
    `## Documents\n\n${links.map(({ text, path, note }) => `- [${text}](${path}): ${note}`).join('\n')}`,
    '',
  ].join('\n\n');
}
