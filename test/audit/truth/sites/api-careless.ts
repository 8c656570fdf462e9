import { html, json, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

/** No version, one id twice, a path parameter that nobody declares, a reference to nothing, and no word of explanation. */
const openApi = {
  openapi: '3.0.3',
  info: { title: 'Ferry' },
  servers: [{ url: 'http://localhost:8080/api' }],
  paths: {
    '/trips/{id}': { get: { operationId: 'get', responses: { 200: { description: '' } } } },
    '/trips': {
      get: { operationId: 'get', parameters: [{ name: 'from', in: 'query' }], responses: { 200: { description: '' } } },
      post: { responses: { 201: { description: '' } } },
    },
    '/piers': {
      get: {
        parameters: [{ name: 'q', in: 'query', schema: { $ref: '#/components/schemas/Pier' } }],
        responses: { 200: { description: '' } },
      },
    },
    '/fares': { get: { responses: { 200: { description: '' }, 402: { description: 'Pay.' } } } },
  },
};

const x402v1 = {
  x402Version: 1,
  error: 'X-PAYMENT header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '1000',
      resource: `${SITE}/`,
      description: 'The morning paper.',
      mimeType: 'application/json',
      payTo: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
  ],
};

const map: SiteMap = {
  ...httpsUpgrade,
  '/': html(
    pageHtml({
      path: '/',
      title: 'Ferry timetable API for everybody',
      description: 'Times, piers and fares of the island ferry for programs, with an agent that answers questions.',
      header: navigation('Island ferry', { '/api': 'API', '/developers': 'Developers' }),
      head: '<link rel="agent-card" href="/.well-known/agent-card.json">',
      content: `# Ferry timetable API

The island ferry sails four times a day, and programs may ask when. The API tells times, piers and fares. Our A2A agent answers questions in words. Ask the office if anything is unclear, since the documentation is being written by a summer student who has gone back to school, and the rest of us are at sea for most of the week.`,
    }),
    { headers: { link: '</nothing-here.json>; rel="service-desc"' } },
  ),
  '/openapi.json': json(openApi, {
    headers: { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' },
  }),
  '/.well-known/api-catalog': json({ links: [{ href: '/openapi.json' }] }),
  '/.well-known/agent-card.json': json({ name: 'Ferry agent', url: `${SITE}/agent` }),
  '/.well-known/agent.json': json({ name: 'Old ferry agent', url: `${SITE}/agent-of-last-year`, version: '0.1' }),
  '/.well-known/ai-plugin.json': json({ schema_version: 'v1' }),
  '/.well-known/ucp': text('soon', { headers: { 'content-type': 'application/json' } }),
  '/robots.txt': text(
    'User-agent: *\nContent-Signal: training=maybe, search\nContent-Usage: please do not train on this\nLicense: https://acme.example/no-licence.xml\nAllow: /\n\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /\n',
  ),
  '/.well-known/agent-skills/index.json': json({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'book-a-trip',
        type: 'skill-md',
        description: 'Books a trip.',
        url: '/.well-known/agent-skills/book-a-trip/SKILL.md',
        digest: `sha256:${'0'.repeat(64)}`,
      },
    ],
  }),
  '/.well-known/agent-skills/book-a-trip/SKILL.md': text(
    '---\nname: Book A Trip!\ntitle: no such key\n---\nBook it.\n',
  ),
  '/.well-known/http-message-signatures-directory': json({ keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] }),
};

/** An API whose every document is a promise that it does not keep. */
export const apiCareless: TruthSite = {
  name: 'careless API',
  profile: 'api',
  map,
  truth: planted({
    pass: {
      'agent.api.openapi-found': '/openapi.json says openapi 3.0.3.',
      'agent.pay.x402-discovery': 'The OpenAPI document declares a 402 answer.',
    },
    partial: {
      'agent.api.security-declared': 'There is neither a security scheme nor security: [].',
      'agent.api.ai-plugin': 'The manifest lacks all members but its version.',
    },
    fail: {
      'agent.http.link-headers': 'The service-desc target answers 404.',
      'agent.http.cors': 'openapi.json allows any origin together with credentials.',
      'agent.prefs.content-signal': 'Content-Signal has an unknown key, an unknown value and a key without one.',
      'agent.prefs.aipref': 'Content-Usage is a sentence, no dictionary.',
      'agent.prefs.rsl': 'The License line leads to a 404.',
      'agent.prefs.coherent': 'GPTBot gets ai-train=yes and Disallow: / in one group.',
      'agent.prefs.web-bot-auth': 'The key directory has one RSA key, plain JSON and no signature.',
      'agent.api.openapi-valid': 'No info.version, one id twice, an undeclared path parameter, a dangling reference.',
      'agent.api.operation-ids': 'None of five operations has an id of its own and a summary.',
      'agent.api.described-params': 'No parameter and no answer has a description.',
      'agent.api.servers': 'The only server is localhost over http.',
      'agent.api.errors-examples': 'One of five operations has a 4xx answer, none an example.',
      'agent.api.catalog': 'The api-catalog has no linkset.',
      'agent.pay.commerce': '/.well-known/ucp is no JSON.',
      'agent.a2a.card': 'The card has neither version nor skills nor interfaces.',
      'agent.a2a.legacy-path': 'agent.json is another card than agent-card.json.',
      'agent.skills.index': 'The digest is not that of the skill.',
      'agent.skills.skill-md': 'The name has capitals and spaces, and there is no description.',
    },
    not_applicable: {
      'agent.pay.price-page': 'No link leads to prices.',
    },
  }),
};

/** A paper whose front page wants to be paid for, in the terms of the first version of x402. */
export const paywall: TruthSite = {
  name: 'paywall',
  map: { ...httpsUpgrade, '/': json(x402v1, { status: 402 }) },
  truth: planted({
    pass: {
      'aeo.reach.soft-404': 'An unknown path answers 404.',
    },
    partial: {
      'agent.pay.x402': 'The terms are of version 1, in the body.',
    },
    fail: {
      'aeo.reach.http-200': 'The start URL answers 402.',
    },
    unknown: {
      'aeo.reach.ua-parity': 'A browser is refused as well.',
      'aeo.render.ssr-text': 'The page behind the price was not seen.',
      'geo.schema.jsonld-present': 'The page behind the price was not seen.',
    },
  }),
};
