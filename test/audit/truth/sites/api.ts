import { Buffer } from 'node:buffer';
import { html, json, markdown, redirect, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { agentCard, openApi, paymentRequired } from '../content/api-documents.ts';
import { navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, isBelow, planted, type TruthSite } from '../truth-site.ts';

const content = `# Land register API

The land register answers programs over plain HTTP. You ask for a place and get the identifiers of its parcels, and you ask for a parcel and get its report. Looking for a parcel is free, and a report is paid per call without an account.

## A first call

\`\`\`bash
curl 'https://acme.example/v1/parcels?place=Glenarm'
\`\`\`

## Errors

Every error is a problem document with a title and a status. A call that is not paid answers 402 with the terms, and a client that knows x402 pays and asks again. Nothing is kept of a question that was not paid. The register is brought up to date every night, and a report names the day on which its figures were read.`;

const pages: SiteMap = {
  '/': html(
    pageHtml({
      path: '/',
      title: 'Land register API: parcels and reports by HTTP',
      description:
        'Find parcels of land by place and read their reports from a program, paid per call without an account.',
      header: navigation('Land register', {
        '/developers': 'API reference',
        '/pricing': 'Pricing',
        '/about': 'About',
        '/contact': 'Contact',
      }),
      content,
    }),
    {
      headers: {
        'x-content-type-options': 'nosniff',
        link: '</openapi.json>; rel="service-desc", </developers>; rel="service-doc", </.well-known/api-catalog>; rel="api-catalog"',
        'last-modified': 'Mon, 02 Nov 2026 08:00:00 GMT',
        'cache-control': 'max-age=300',
      },
    },
  ),
  '/developers': html(
    pageHtml({
      path: '/developers',
      title: 'Reference of the land register API',
      content:
        '# Reference\n\nTwo operations find parcels and read reports. The OpenAPI document holds their parameters and answers, and the examples below were taken from the running service last night.',
    }),
  ),
  '/pricing': html(
    pageHtml({
      path: '/pricing',
      title: 'Pricing of the land register API',
      content:
        '# Pricing\n\nLooking for parcels is free. A report costs $0.01, paid in USDC when you ask for it. There is no subscription, no minimum and no account, so a program that reads one report in a year pays one cent in that year.',
    }),
  ),
  '/about': html(
    pageHtml({
      path: '/about',
      title: 'About the register',
      content: '# About\n\nThe register has been kept in Ballymena since 1971.',
    }),
  ),
  '/contact': html(
    pageHtml({
      path: '/contact',
      title: 'Contact',
      content: '# Contact\n\nWrite to the clerk at register@acme.example.',
    }),
  ),
};

const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' };

const map: SiteMap = {
  ...httpsUpgrade,
  ...pages,
  '/llms.txt': markdown(
    `# Land register\n\n> Parcels and reports by HTTP, paid per call.\n\n## API\n\n- [Reference](${SITE}/developers): both operations\n- [Pricing](${SITE}/pricing): what a report costs\n- [About](${SITE}/about): since when\n- [Contact](${SITE}/contact): the clerk\n`,
    { headers: PUBLIC },
  ),
  '/openapi.json': json(openApi, { headers: PUBLIC }),
  '/.well-known/api-catalog': json(
    {
      linkset: [
        {
          anchor: `${SITE}/v1`,
          'service-desc': [{ href: `${SITE}/openapi.json` }],
          'service-doc': [{ href: `${SITE}/developers` }],
        },
      ],
    },
    {
      headers: {
        ...PUBLIC,
        'content-type': 'application/linkset+json',
        link: `<${SITE}/.well-known/api-catalog>; rel="api-catalog"`,
      },
    },
  ),
  '/v1': json({ name: 'Land register' }),
  '/v1/report': json(paymentRequired, {
    status: 402,
    headers: { 'payment-required': Buffer.from(JSON.stringify(paymentRequired)).toString('base64') },
  }),
  '/.well-known/agent-card.json': json(agentCard, { headers: PUBLIC }),
  '/.well-known/agent.json': redirect('/.well-known/agent-card.json', 308),
  '/a2a': { status: 405, headers: { allow: 'POST' }, body: '' },
  '/ucp': { status: 405, headers: { allow: 'POST' }, body: '' },
  '/.well-known/ucp': json({
    ucp: {
      version: '2026-01-11',
      services: {
        'dev.ucp.shopping': {
          version: '2026-01-11',
          spec: 'https://ucp.dev/specification/overview',
          rest: { schema: 'https://ucp.dev/services/shopping/rest.openapi.json', endpoint: `${SITE}/ucp` },
        },
      },
      capabilities: [{ name: 'dev.ucp.shopping.checkout', version: '2026-01-11' }],
    },
  }),
  '/.well-known/ai-plugin.json': json({
    schema_version: 'v1',
    name_for_human: 'Land register',
    name_for_model: 'land_register',
    description_for_human: 'Parcels and reports.',
    description_for_model: 'Finds parcels by place and reads reports.',
    auth: { type: 'none' },
    api: { type: 'openapi', url: `${SITE}/openapi.json` },
    logo_url: `${SITE}/logo.png`,
    contact_email: 'register@acme.example',
    legal_info_url: `${SITE}/about`,
  }),
  '/.well-known/agents.json': json({
    agentsJson: '0.1.0',
    info: { title: 'Land register', version: '1.2.0' },
    flows: [],
  }),
  '/.well-known/security.txt': text('Contact: mailto:register@acme.example\nExpires: 2027-05-01T00:00:00Z\n'),
};

/** An API that programs can find, read and pay for. */
export const api: TruthSite = {
  name: 'API',
  profile: 'api',
  map,
  catchAll: ({ url }) =>
    isBelow(url, '/v1/')
      ? json(
          { title: 'Not Found', status: 404 },
          { status: 404, headers: { 'content-type': 'application/problem+json' } },
        )
      : html('<!doctype html><title>Not found</title><h1>Not found</h1>', { status: 404 }),
  truth: planted({
    pass: {
      'agent.http.errors-machine': 'An unknown path of the API answers application/problem+json.',
      'agent.http.link-headers':
        'The Link header names service-desc, service-doc and api-catalog targets that resolve.',
      'agent.http.cors': 'llms.txt, openapi.json and the agent card answer Access-Control-Allow-Origin: *.',
      'agent.http.cache': 'llms.txt and the agent card have max-age=3600.',
      'agent.api.openapi-found': 'The Link header names /openapi.json as service-desc.',
      'agent.api.openapi-valid': 'The description has no structural fault.',
      'agent.api.operation-ids': 'Both operations have an id and a summary.',
      'agent.api.described-params': 'Every parameter and answer has schema and description.',
      'agent.api.servers': 'The server is https and answers.',
      'agent.api.security-declared': 'One operation is open, the other uses the declared key.',
      'agent.api.errors-examples': 'Both operations have a 4xx answer and an example.',
      'agent.api.catalog': 'The linkset has an anchor and targets that resolve.',
      'agent.api.ai-plugin': 'A valid manifest of the retired platform is there.',
      'agent.api.agents-json': 'agents.json is there.',
      'agent.pay.x402': 'The paid path answers 402 with complete terms of version 2 in the header.',
      'agent.pay.x402-discovery': 'The OpenAPI document declares the 402 answer.',
      'agent.pay.commerce': 'The UCP profile is JSON with a version.',
      'agent.pay.ucp-live': 'The REST endpoint of the profile answers a GET with 405.',
      'agent.pay.price-page': 'The page of prices names $0.01 in its text.',
      'agent.a2a.card': 'The card has all members of A2A 1.0.',
      'agent.a2a.legacy-path': 'agent.json redirects to agent-card.json.',
      'agent.a2a.interface-live': 'The first interface answers 405 to GET, over https on the same host.',
      'agent.llms.exists': 'llms.txt answers 200 as text/markdown.',
      'mcp.discovery.agent-json': 'An agent card of A2A is there.',
      'aeo.trust.about-contact': 'The navigation links to /about and /contact.',
    },
    partial: {
      'agent.http.conditional': 'The page has Last-Modified and never answers 304.',
    },
    fail: {
      'mcp.discovery.any': 'The API has no MCP surface.',
    },
    not_applicable: {
      'geo.evidence.quotations': 'A page of an API needs no quotations.',
      'geo.schema.product': 'There is no product page.',
      'agent.prefs.content-signal': 'There is no robots.txt.',
      'mcp.pay.x402': 'There is no MCP endpoint to ask for a price.',
    },
  }),
};
