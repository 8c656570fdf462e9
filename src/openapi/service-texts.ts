import { catalog, usd } from '../capabilities/catalog.ts';

/** Our own llms.txt: static text from the catalogue; nothing of a request is ever in it (rule X10). */
export function serviceLlmsTxt(baseUrl: string): string {
  const rows = catalog.map((row) => {
    return `- [${row.name}](${baseUrl}/api/agent/${row.name}): ${row.summary} (${usd(row.priceMicroUsdc)} USD)`;
  });
  return `# Sightline

> Audits what AI systems can see of a website or a brand. Paid per call in USDC on Base (x402 v2), no account.

POST a JSON body to a capability. Without payment the answer is 402 with the terms in the PAYMENT-REQUIRED header. Pay with an
x402 v2 client, or send a plain USDC transfer and put its hash into PAYMENT-SIGNATURE. 402 means a new payment is due; on 409 and
503 repeat the same request with the same header. Official clients refuse payments over 1 USD until their spend control is raised.

## Start here

- [Free catalogue](${baseUrl}/api/agent/index): prices, bodies and availability of all capabilities as JSON
- [OpenAPI description](${baseUrl}/openapi.json): every route with schemas and problem codes

## Capabilities

${rows.join('\n')}
`;
}

/** Everything public may be crawled; paid routes answer 402 to whoever tries. */
export const serviceRobotsTxt = (baseUrl: string): string => `User-agent: *
Disallow: /reports/
Allow: /

# llms.txt: ${baseUrl}/llms.txt
`;

/** What the user agent of our fetches links to. */
export const botPage = (
  baseUrl: string,
): string => `SightlineBot reads a website when somebody asks for its audit at ${baseUrl}.

It makes at most 60 requests per audit, six at a time, sends "Via: 1.1 sightline", keeps no cookies and never submits forms.
It reads robots.txt to judge it; it is not a crawler and follows no site beyond the pages of one audit.
For the check "AI search fetchers get the same page as a browser" it repeats one request with the published names of AI fetchers.
`;
