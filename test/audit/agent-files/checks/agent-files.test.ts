import { expect, test } from 'vitest';
import { a2aCard, judgeAgentSite, AGENT_TABLE, openApi, page } from '../../../support/audit/agent-site.ts';
import {
  failure,
  html,
  json,
  markdown,
  notFound,
  redirect,
  SITE,
  text,
  type SiteAnswer,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';

const base64 = (value: unknown): string => btoa(JSON.stringify(value));

const accept = (members: object = {}): object => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '60000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
  maxTimeoutSeconds: 300,
  ...members,
});
const terms = (members: object = {}): object => ({
  x402Version: 2,
  resource: { url: `${SITE}/paid` },
  accepts: [accept()],
  ...members,
});
const offer = (value: unknown, headers: Readonly<Record<string, string>> = {}): SiteAnswer => ({
  status: 402,
  headers: { 'content-type': 'application/json', 'payment-required': base64(value), ...headers },
  body: '{}',
});
const answer402 = (body: unknown, headers: Readonly<Record<string, string>> = {}): SiteAnswer =>
  json(body, { status: 402, headers });
const v1 = { x402Version: 1, accepts: [{ ...accept({ network: 'base' }), amount: undefined, maxAmountRequired: '1' }] };

/** A site whose OpenAPI document says that GET /paid costs money. */
const paid = (answer: SiteAnswer, members: object = {}): SiteMap => ({
  '/openapi.json': json(
    openApi({ paths: { '/paid': { get: { summary: 'p', operationId: 'p', responses: { 402: {} } } } }, ...members }),
  ),
  '/paid': answer,
});

const without: SiteMap = { '/openapi.json': notFound, '/.well-known/agent-card.json': notFound };
const api = (value: unknown): SiteMap => ({ '/openapi.json': json(value) });
const yaml = (body: string): SiteAnswer => ({ status: 200, headers: { 'content-type': 'application/yaml' }, body });
const operation = (members: object): object => openApi({ paths: { '/a': { get: { responses: {}, ...members } } } });
const index = (members: object = {}, skill: object = {}): object => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [
    {
      name: 'lift-anvils',
      type: 'skill-md',
      description: 'Lifts anvils.',
      url: '/skills/lift/SKILL.md',
      digest: `sha256:${'a'.repeat(64)}`,
      ...skill,
    },
  ],
  ...members,
});
const INDEX = '/.well-known/agent-skills/index.json';
const skillFile = { '/skills/lift/SKILL.md': markdown('lift') };

const rows: Readonly<Record<string, readonly Row<SiteMap>[]>> = {
  'agent.api.openapi-found': [
    ['a JSON document passes', {}, 'pass', /OpenAPI 3.1.0 with 1 operation\./],
    ['Swagger 2.0 passes', api({ swagger: '2.0', info: {}, paths: {} }), 'pass', /Swagger 2.0/],
    [
      'a YAML document passes',
      { ...without, '/openapi.yaml': yaml('openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths: {}\n') },
      'pass',
      /3.0.3/,
    ],
    ['JSON called text passes', { '/openapi.json': text(JSON.stringify(openApi())) }, 'pass', /3.1.0/],
    [
      'a service-desc link leads to it',
      { ...without, '/': html('<link rel="service-desc" href="/spec">'), '/spec': json(openApi()) },
      'pass',
      /3.1.0/,
    ],
    [
      'a Link header leads to it',
      {
        ...without,
        '/': html('<p>x</p>', { headers: { link: '</spec>; rel="service-desc"' } }),
        '/spec': json(openApi()),
      },
      'pass',
      /3.1.0/,
    ],
    [
      'an API catalog leads to it',
      {
        ...without,
        '/.well-known/api-catalog': json({ linkset: [{ anchor: `${SITE}/`, 'service-desc': [{ href: '/spec' }] }] }),
        '/spec': json(openApi()),
      },
      'pass',
      /3.1.0/,
    ],
    ['no API in sight is not applicable', without, 'not_applicable', /Nothing on the site speaks of an API/],
    [
      'a bare link to docs speaks of no API',
      { ...without, '/': page('<a href="/docs">Docs</a>') },
      'not_applicable',
      /Nothing/,
    ],
    [
      'a link to an API without a description fails',
      { ...without, '/': page('<a href="/developers/">Developers</a>') },
      'fail',
      /a link of the start page speaks/,
    ],
    ['a card without a description fails', { '/openapi.json': notFound }, 'fail', /an agent card/],
    ['JSON of another kind is none', { ...without, ...api({ error: 'not found' }) }, 'not_applicable', /Nothing/],
    [
      'an HTML page is none',
      { ...without, '/openapi.json': html('<!doctype html><p>openapi: 3.1.0</p>') },
      'not_applicable',
      /Nothing/,
    ],
    [
      'a document that cannot be parsed fails',
      { ...without, '/openapi.json': text('{"openapi":"3.1.0",') },
      'fail',
      /no reader can parse/,
    ],
    [
      'a place that times out is unknown',
      { ...without, '/openapi.json': failure('timeout') },
      'unknown',
      /could not be read/,
    ],
    [
      'YAML beyond our limit is unknown',
      { ...without, '/openapi.yaml': yaml(`openapi: 3.1.0\n${'# x\n'.repeat(150_000)}`) },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.api.openapi-valid': [
    ['a sound document passes', {}, 'pass', /No structural fault/],
    ['a missing title fails', api(openApi({ info: { version: '1' } })), 'fail', /\/info\/title/],
    [
      'a dangling reference fails',
      api(operation({ requestBody: { $ref: '#/components/x' } })),
      'fail',
      /\/paths\/\*\/get\/.*leads nowhere$/,
    ],
    [
      'an undeclared path parameter fails',
      api(openApi({ paths: { '/a/{b}': { get: {} } } })),
      'fail',
      /a path parameter is not declared/,
    ],
    [
      'a document that cannot be parsed fails',
      { '/openapi.json': text('{"openapi":"3.1.0",') },
      'fail',
      /cannot be parsed/,
    ],
    ['no document is not applicable', without, 'not_applicable', /No OpenAPI description/],
    [
      'a place that times out is unknown',
      { ...without, '/openapi.json': failure('timeout') },
      'unknown',
      /could not be seen/,
    ],
  ],
  'agent.api.operation-ids': [
    ['ids and summaries pass', {}, 'pass', /100% of 1 operation/],
    [
      'two of three are partial',
      api(
        openApi({
          paths: {
            '/a': {
              get: { operationId: 'a', summary: 'a' },
              put: { operationId: 'b', description: 'b' },
              post: { operationId: 'c' },
            },
          },
        }),
      ),
      'partial',
      /66.7%/,
    ],
    ['none fails', api(operation({})), 'fail', /0% of 1/],
    ['a document without operations is not applicable', api(openApi({ paths: {} })), 'not_applicable', /no operations/],
    ['no document is not applicable', without, 'not_applicable', /No OpenAPI/],
  ],
  'agent.api.ai-plugin': [
    ['absence is not applicable', {}, 'not_applicable', /none is needed/],
    [
      'a valid manifest is reported',
      {
        '/.well-known/ai-plugin.json': json({
          schema_version: 'v1',
          name_for_model: 'a',
          description_for_model: 'b',
          api: { url: 'https://x' },
        }),
      },
      'pass',
      /retired/,
    ],
    [
      'a faulty manifest is partial',
      { '/.well-known/ai-plugin.json': json({ schema_version: 'v1' }) },
      'partial',
      /name_for_model/,
    ],
    ['a timeout is unknown', { '/.well-known/ai-plugin.json': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.api.agents-json': [
    ['absence is not applicable', {}, 'not_applicable', /none is needed/],
    ['a JSON object is reported', { '/.well-known/agents.json': json({ flows: [] }) }, 'pass', /agents.json/],
    ['broken JSON is partial', { '/.well-known/agents.json': text('{"flows":') }, 'partial', /not valid JSON/],
    ['a timeout is unknown', { '/.well-known/agents.json': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.pay.x402': [
    ['no 402 is not applicable', {}, 'not_applicable', /No 402/],
    ['terms of version 2 in the header pass', paid(offer(terms())), 'pass', /1 way to pay/],
    ['a start URL that costs money is judged', { '/': offer(terms()) }, 'pass', /version 2/],
    ['terms of version 1 are partial', paid(answer402(v1)), 'partial', /version 1/],
    ['terms of version 2 only in the body are partial', paid(answer402(terms())), 'partial', /only in the body/],
    [
      'an amount with a decimal point fails',
      paid(offer(terms({ accepts: [accept({ amount: '0.06' })] }))),
      'fail',
      /\/accepts\/0\/amount/,
    ],
    [
      'a network that is no CAIP-2 id fails',
      paid(offer(terms({ accepts: [accept({ network: 'base' })] }))),
      'fail',
      /\/accepts\/0\/network/,
    ],
    ['no way to pay fails', paid(offer(terms({ accepts: [] }))), 'fail', /\/accepts/],
    ['a version that is a string fails', paid(offer(terms({ x402Version: '2' }))), 'fail', /x402Version/],
    [
      'a header that is no base64 fails',
      paid(answer402({}, { 'payment-required': '{"x402Version":2}' })),
      'fail',
      /no base64/,
    ],
    ['a 402 without terms fails', paid(answer402({ error: 'pay' })), 'fail', /neither/],
    [
      'pay per crawl is another protocol',
      paid(answer402({}, { 'crawler-price': 'USD 0.01' })),
      'not_applicable',
      /pay per crawl/,
    ],
    ['a paid path that times out is unknown', paid(failure('timeout')), 'unknown', /could not be read/],
    [
      'a header longer than we keep is unknown',
      paid(answer402({}, { 'payment-required': btoa('x'.repeat(9000)) })),
      'unknown',
      /over 8192/,
    ],
  ],
  'agent.pay.x402-discovery': [
    ['no payments are not applicable', {}, 'not_applicable', /No x402/],
    ['a 402 in the document passes', paid(offer(terms())), 'pass', /1 operation of the OpenAPI/],
    ['the bazaar extension passes', { '/': offer(terms({ extensions: { bazaar: {} } })) }, 'pass', /bazaar/],
    ['an offer declared nowhere is partial', { '/': offer(terms()) }, 'partial', /declared nowhere/],
  ],
  'agent.a2a.card': [
    ['a card of 1.0 passes', {}, 'pass', /A2A 1.0 with 1 interface/],
    [
      'a card of 1.0 needs no top-level url',
      { '/.well-known/agent-card.json': json(a2aCard({ url: undefined })) },
      'pass',
      /1.0/,
    ],
    [
      'a card of 0.3 is partial',
      {
        '/.well-known/agent-card.json': json(
          a2aCard({ supportedInterfaces: undefined, url: `${SITE}/a2a`, preferredTransport: 'JSONRPC' }),
        ),
      },
      'partial',
      /0.3/,
    ],
    [
      'a card without skills fails',
      { '/.well-known/agent-card.json': json(a2aCard({ skills: undefined })) },
      'fail',
      /\/skills/,
    ],
    [
      'a card without interfaces fails',
      { '/.well-known/agent-card.json': json(a2aCard({ supportedInterfaces: [] })) },
      'fail',
      /supportedInterfaces/,
    ],
    ['JSON of another kind fails', { '/.well-known/agent-card.json': json({ hello: 1 }) }, 'fail', /another kind/],
    ['no card is not applicable', { '/.well-known/agent-card.json': notFound }, 'not_applicable', /no agent card/],
    [
      'a claimed card that is missing fails',
      { '/.well-known/agent-card.json': notFound, '/': page('<a href="/.well-known/agent-card.json">Agent</a>') },
      'fail',
      /names an agent card/,
    ],
    ['a timeout is unknown', { '/.well-known/agent-card.json': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.a2a.legacy-path': [
    ['absence is not applicable', {}, 'not_applicable', /former address/],
    ['the same card passes', { '/.well-known/agent.json': json(a2aCard()) }, 'pass', /same card/],
    [
      'a redirect passes',
      { '/.well-known/agent.json': redirect('/.well-known/agent-card.json', 308) },
      'pass',
      /leads to/,
    ],
    ['another card fails', { '/.well-known/agent.json': json(a2aCard({ name: 'Other' })) }, 'fail', /different cards/],
    [
      'a lone old card is partial',
      { '/.well-known/agent.json': json(a2aCard()), '/.well-known/agent-card.json': notFound },
      'partial',
      /former address/,
    ],
    ['a timeout is unknown', { '/.well-known/agent.json': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.skills.index': [
    ['absence is not applicable', {}, 'not_applicable', /no index/],
    [
      'a digest that differs fails',
      { [INDEX]: json(index()), '/skills/lift/SKILL.md': markdown('other') },
      'fail',
      /digest of a skill/,
    ],
    [
      'an entry without a digest fails',
      { [INDEX]: json(index({}, { digest: undefined })), ...skillFile },
      'fail',
      /\/skills\/0\/digest/,
    ],
    [
      'an index without its schema fails',
      { [INDEX]: json(index({ $schema: undefined })), ...skillFile },
      'fail',
      /\/\$schema/,
    ],
    [
      'a skill that cannot be read is unknown',
      { [INDEX]: json(index()), '/skills/lift/SKILL.md': failure('timeout') },
      'unknown',
      /none of 1 digest/,
    ],
    [
      'a skill of another host is not fetched',
      { [INDEX]: json(index({}, { url: 'https://other.example/SKILL.md' })) },
      'unknown',
      /none of 1 digest/,
    ],
    ['an index of draft 0.1 is partial', { '/.well-known/skills/index.json': json({ skills: [] }) }, 'partial', /0.1/],
    ['an empty index passes', { [INDEX]: json(index({ skills: [] })) }, 'pass', /0 skills/],
    ['a timeout is unknown', { [INDEX]: failure('timeout') }, 'unknown', /timeout/],
  ],
};

testChecks(rows, AGENT_TABLE);

test('a skill whose bytes match the digest of the index verifies', async () => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('lift'));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const outcome = await judgeAgentSite('agent.skills.index', {
    [INDEX]: json(index({}, { digest: `sha256:${hex}` })),
    ...skillFile,
  });
  expect(outcome).toMatchObject({ status: 'pass', note: '1 skill; 1 digest verified.' });
});

test('an API profile expects a description even without a link', async () => {
  expect((await judgeAgentSite('agent.api.openapi-found', without, 'api')).status).toBe('fail');
});
