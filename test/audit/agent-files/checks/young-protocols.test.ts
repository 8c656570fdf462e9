import {
  failure,
  html,
  json,
  markdown,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { testCheck, testChecks } from '../../../support/audit/judge-check.ts';

const home = html('<h1>Anvils</h1>');
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const onlyPost: SiteAnswer = { status: 405, headers: { allow: 'POST' }, body: '' };
const ucp = (shopping: unknown, more: SiteMap = {}): SiteMap => ({
  '/': home,
  '/.well-known/ucp': json({ ucp: { version: '2026-04-08', services: { 'dev.ucp.shopping': shopping } } }),
  ...more,
});

const pay = (challenge: string): SiteMap => ({
  '/': text('pay', { status: 402, headers: { 'www-authenticate': challenge } }),
});
const CHALLENGE = `Payment id="a1", realm="acme.example", method="tempo", intent="charge", expires="2026-12-01T00:00:00Z", request="${base64url({ amount: '1000' })}"`;

const offer = (members: object, resource: object = {}): SiteMap => ({
  '/': json(
    {},
    {
      status: 402,
      headers: {
        'payment-required': Buffer.from(
          JSON.stringify({
            x402Version: 2,
            resource: { url: `${SITE}/`, ...resource },
            accepts: [
              { scheme: 'exact', network: 'eip155:8453', amount: '1', asset: 'a', payTo: 'b', maxTimeoutSeconds: 60 },
            ],
            ...members,
          }),
        ).toString('base64'),
      },
    },
  ),
});
const BAZAAR = { extensions: { bazaar: { info: { input: {} }, schema: { type: 'object' } } } };

const acp = (
  members: object = {},
  headers: Record<string, string> = { 'cache-control': 'public, max-age=3600' },
): SiteMap => ({
  '/': home,
  '/.well-known/acp.json': json(
    {
      protocol: { name: 'acp', version: '2026-04-17', supported_versions: ['2026-01-30', '2026-04-17'] },
      api_base_url: `${SITE}/acp`,
      transports: ['rest'],
      capabilities: { services: ['checkout'] },
      ...members,
    },
    { headers },
  ),
});

const card = (members: object): SiteMap => ({
  '/': home,
  '/.well-known/agent-card.json': json({
    name: 'Smith',
    description: 'Makes anvils.',
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: [{ url: `${SITE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    ...members,
  }),
});
const signed = (header: unknown, signature = 'c2lnbmF0dXJlIHRoYXQgaXMgbG9uZyBlbm91Z2g'): SiteMap =>
  card({ signatures: [{ protected: typeof header === 'string' ? header : base64url(header), signature }] });

testChecks({
  'agent.pay.mpp': [
    ['a whole challenge', pay(CHALLENGE), 'pass', /1 Payment challenge/],
    ['beside another scheme', pay(`Bearer realm="x", ${CHALLENGE}`), 'pass'],
    ['without an intent', pay(CHALLENGE.replace('intent="charge", ', '')), 'fail', /no intent/],
    ['with a request that is no JSON', pay(CHALLENGE.replace(/request="[^"]+"/, 'request="%%%"')), 'fail', /base64url/],
    ['no challenge', pay('Bearer realm="x"'), 'not_applicable', /no Payment|No 402 answer has/i],
    ['nothing to pay', { '/': home }, 'not_applicable', /No 402/],
  ],
  'agent.pay.bazaar-ready': [
    ['all there', offer(BAZAAR, { serviceName: 'Anvils', tags: ['tools'] }), 'pass'],
    ['no tags', offer(BAZAAR, { serviceName: 'Anvils' }), 'partial', /tags/, { value: 0.75 }],
    ['only the address', offer({}), 'partial', /serviceName/, { value: 0.25 }],
    ['not even that', offer({}, { url: 'https://other.example/' }), 'fail', /url/],
    ['nothing to pay', { '/': home }, 'not_applicable'],
  ],
  'agent.pay.acp': [
    ['a whole document', acp(), 'pass', /2026-04-17 with checkout/],
    ['not to be kept', acp({}, {}), 'partial', /hour/],
    ['no services', acp({ capabilities: { services: [] } }), 'fail', /services/],
    ['a version that is no date', acp({ protocol: { name: 'acp', version: '1', supported_versions: ['1'] } }), 'fail'],
    ['none', { '/': home }, 'not_applicable'],
    ['JSON of another kind', { '/': home, '/.well-known/acp.json': json({ hello: 1 }) }, 'fail'],
  ],
  'agent.pay.ucp-live': [
    ['an endpoint that answers', ucp([{ transport: 'rest', endpoint: `${SITE}/ucp` }], { '/ucp': json({}) }), 'pass'],
    ['one that knows only POST', ucp([{ transport: 'mcp', endpoint: `${SITE}/ucp` }], { '/ucp': onlyPost }), 'pass'],
    ['the older form', ucp({ rest: { endpoint: `${SITE}/ucp` } }, { '/ucp': onlyPost }), 'pass', /answers/],
    ['nothing there', ucp([{ transport: 'rest', endpoint: `${SITE}/ucp` }]), 'fail', /Nothing answers/],
    ['plain http', ucp([{ transport: 'rest', endpoint: 'http://acme.example/ucp' }]), 'fail', /not https/],
    ['no address', ucp([{ transport: 'rest', endpoint: 'soon' }]), 'fail', /no web address/],
    ['a page alone', ucp([{ transport: 'embedded', endpoint: `${SITE}/ucp` }]), 'not_applicable'],
    ['a timeout', ucp([{ transport: 'rest', endpoint: `${SITE}/ucp` }], { '/ucp': failure('timeout') }), 'unknown'],
    ['no profile', { '/': home }, 'not_applicable'],
  ],
  'agent.pay.ap2': [
    [
      'declared',
      card({ capabilities: { extensions: [{ uri: 'https://github.com/google-agentic-commerce/ap2/v1' }] } }),
      'pass',
    ],
    [
      'an extension of another kind',
      card({ capabilities: { extensions: [{ uri: 'https://x.example/y' }] } }),
      'not_applicable',
    ],
    ['no card', { '/': home }, 'not_applicable'],
  ],
  'agent.a2a.signed-card': [
    ['signed', signed({ alg: 'ES256', kid: 'k1' }), 'pass', /1 signature/],
    ['unsigned', card({}), 'not_applicable', /need not be/],
    ['by nothing', signed({ alg: 'none', kid: 'k1' }), 'fail', /none/],
    ['without a key id', signed({ alg: 'ES256' }), 'fail', /kid/],
    ['a header that is no JSON', signed('%%'), 'fail', /base64url of a JSON/],
    ['an empty signature', signed({ alg: 'ES256', kid: 'k1' }, ''), 'fail', /signature is no/],
  ],
});

const withAuth = (answer: SiteAnswer): SiteMap => ({ '/': home, '/auth.md': answer });

testCheck('agent.auth.auth-md', [
  [
    'title and place',
    withAuth(markdown('# auth.md\n\n## Discover\n\nGET /.well-known/oauth-protected-resource\n')),
    'pass',
  ],
  ['no place', withAuth(markdown('# auth.md\n\nAsk us.\n')), 'partial', /metadata/],
  ['neither', withAuth(markdown('Ask us.\n')), 'fail'],
  ['none', withAuth(notFound), 'not_applicable'],
  ['a page', withAuth(html('<!doctype html><title>Not found</title>')), 'not_applicable'],
  ['a refusal', withAuth(text('no', { status: 403 })), 'unknown', /403/],
]);
