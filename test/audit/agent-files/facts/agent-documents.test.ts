import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readA2aCard } from '../../../../src/audit/agent-files/facts/a2a-card.ts';
import { readAgentSkills } from '../../../../src/audit/agent-files/facts/agent-skills.ts';
import { readAiPlugin } from '../../../../src/audit/agent-files/facts/agent-files.ts';
import { MAX_ISSUES } from '../../../../src/audit/structured-data/facts/json-document.ts';
import { parseLinkHeader } from '../../../../src/audit/api/facts/link-header.ts';
import { readPaymentOffer } from '../../../../src/audit/agent-files/facts/x402-offer.ts';
import type { SnapshotAnswer } from '../../../../src/audit/core/snapshot.ts';
import { a2aCard } from '../../../support/audit/agent-site.ts';

const answer = (headers: Readonly<Record<string, string>>, body = ''): SnapshotAnswer => ({
  ok: true,
  url: 'https://acme.example/paid',
  status: 402,
  headers,
  body,
  bodyBytes: body.length,
  sha256: '',
  truncated: false,
  redirects: [],
});

// The example of specs/transports-v2/http.md of the x402 specification, shortened to one way to pay.
const SPEC_OFFER = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: {
    url: 'https://api.example.com/premium-data',
    description: 'Access to premium market data',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
};

describe('x402 offers', () => {
  test('the example of the specification has no fault', () => {
    expect(readPaymentOffer(answer({ 'payment-required': btoa(JSON.stringify(SPEC_OFFER)) }))).toEqual({
      state: 'offer',
      offer: {
        version: 2,
        where: 'header',
        options: [
          {
            scheme: 'exact',
            network: 'eip155:84532',
            amount: '10000',
            asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          },
        ],
        bazaar: false,
        issues: [],
      },
    });
  });

  test('base64url without padding is read too', () => {
    const header = btoa(JSON.stringify(SPEC_OFFER)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    expect(readPaymentOffer(answer({ 'payment-required': header }))).toMatchObject({ state: 'offer' });
  });

  test.each([
    ['none', {}, 'a page', 'none'],
    ['a header that is no base64', { 'payment-required': '%' }, '', 'broken'],
    ['a header with padding of the wrong length', { 'payment-required': 'aa=' }, '', 'broken'],
    ['a header with padding and no need of it', { 'payment-required': 'aaaa=' }, '', 'broken'],
    ['a header of a JSON string', { 'payment-required': btoa('"x"') }, '', 'broken'],
    ['a price for crawlers', { 'crawler-price': 'USD 1' }, '', 'other'],
    ['a payment challenge', { 'www-authenticate': 'Payment realm="x"' }, '', 'other'],
  ] as const)('%s', (_name, headers, body, state) => {
    expect(readPaymentOffer(answer(headers, body)).state).toBe(state);
  });
});

describe('A2A cards', () => {
  test('1.0 is told from 0.3 by supportedInterfaces', () => {
    expect(readA2aCard(a2aCard())).toMatchObject({ shape: '1.0', issues: [], skills: 1 });
    const old = a2aCard({ supportedInterfaces: undefined, url: 'https://acme.example/a2a', protocolVersion: '0.3.0' });
    expect(readA2aCard(old)).toMatchObject({
      shape: '0.3',
      issues: [],
      interfaces: [{ url: 'https://acme.example/a2a', binding: 'JSONRPC', version: '0.3.0' }],
    });
  });

  test.each([
    ['name', '/name'],
    ['description', '/description'],
    ['version', '/version'],
    ['capabilities', '/capabilities'],
    ['defaultInputModes', '/defaultInputModes'],
    ['defaultOutputModes', '/defaultOutputModes'],
    ['skills', '/skills'],
  ])('a card without %s has a fault there', (member, pointer) => {
    expect(readA2aCard(a2aCard({ [member]: undefined }))?.issues).toMatchObject([{ pointer }]);
  });

  test.each([
    ['protocolBinding', '/supportedInterfaces/0/protocolBinding'],
    ['protocolVersion', '/supportedInterfaces/0/protocolVersion'],
    ['url', '/supportedInterfaces/0/url'],
  ])('an interface without %s has a fault there', (member, pointer) => {
    const all = {
      url: 'https://acme.example/a2a',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      [member]: undefined,
    };
    expect(readA2aCard(a2aCard({ supportedInterfaces: [all] }))?.issues).toMatchObject([{ pointer }]);
  });

  test.each([null, 1, 'x', [], {}, { error: 'not found' }])('%j is no card', (value) => {
    expect(readA2aCard(value)).toBeUndefined();
  });
});

describe('agent skills', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const skill = (members: object = {}): object => ({
    name: 'a-b',
    type: 'skill-md',
    description: 'd',
    url: 's/SKILL.md',
    digest,
    ...members,
  });
  const read = (skills: readonly unknown[]): ReturnType<typeof readAgentSkills> =>
    readAgentSkills(
      { $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills },
      'https://acme.example/.well-known/agent-skills/index.json',
    );

  test('a relative address resolves against the index', () => {
    expect(read([skill()])).toMatchObject({
      issues: [],
      skills: [{ url: 'https://acme.example/.well-known/agent-skills/s/SKILL.md', sha256: '0'.repeat(64) }],
    });
  });

  test.each<[string, object, string]>([
    ['an upper-case name', { name: 'A' }, '/skills/0/name'],
    ['a name with two hyphens in a row', { name: 'a--b' }, '/skills/0/name'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, '/skills/0/name'],
    ['another type', { type: 'zip' }, '/skills/0/type'],
    ['an empty description', { description: '' }, '/skills/0/description'],
    ['no address', { url: undefined }, '/skills/0/url'],
    ['an upper-case digest', { digest: `sha256:${'A'.repeat(64)}` }, '/skills/0/digest'],
    ['another hash', { digest: `md5:${'0'.repeat(32)}` }, '/skills/0/digest'],
  ])('%s is a fault', (_name, members, pointer) => {
    expect(read([skill(members)])?.issues).toMatchObject([{ pointer }]);
  });

  test('a repeated name is a fault, and an address that is no web address is dropped', () => {
    expect(read([skill(), skill()])?.issues).toMatchObject([{ pointer: '/skills/1/name' }]);
    expect(read([skill({ url: 'javascript:x' })])?.skills[0]?.url).toBeUndefined();
  });
});

test('a Link header gives targets, relations and types', () => {
  expect(parseLinkHeader('</a>; rel="service-desc alternate"; type="application/json", <b>;rel=Next')).toEqual([
    { href: '/a', rels: ['service-desc', 'alternate'], type: 'application/json' },
    { href: 'b', rels: ['next'], type: '' },
  ]);
});

test('any value is read without a throw and with bounded issues', () => {
  const key = fc.constantFrom(
    'name',
    'url',
    'skills',
    'supportedInterfaces',
    'capabilities',
    'tags',
    'digest',
    '$schema',
    'api',
    'schema_version',
    'accepts',
    'x402Version',
    'resource',
    'extensions',
    '__proto__',
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'https://a', '1', ''),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 6 }),
    ),
  }));
  const base64Like = fc.stringMatching(/^[A-Za-z0-9+/_-]{0,9}={0,3}$/u);
  fc.assert(
    fc.property(node, fc.oneof(fc.string(), base64Like), (value, noise) => {
      for (const reading of [readA2aCard(value), readAgentSkills(value, 'https://a.example/i'), readAiPlugin(value)]) {
        expect(reading?.issues.length ?? 0).toBeLessThanOrEqual(MAX_ISSUES);
      }
      for (const header of [btoa(JSON.stringify(value).replaceAll(/[^ -~]/gu, '')), noise]) {
        const read = readPaymentOffer(answer({ 'payment-required': header }, JSON.stringify(value)));
        if (read.state === 'offer') expect(read.offer.issues.length).toBeLessThanOrEqual(MAX_ISSUES);
      }
      parseLinkHeader(noise);
    }),
    { numRuns: 300 },
  );
});
