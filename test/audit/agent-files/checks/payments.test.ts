import { AGENT_TABLE, openApi, page } from '../../../support/audit/agent-site.ts';
import {
  failure,
  json,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';

const HOME = page('<p>Anvils</p>');

const home = (body: string, head = ''): SiteMap => ({ '/': page(body, head) });

const prices = (body: string, more: SiteMap = {}): SiteMap => ({
  ...home('<nav><a href="/pricing">Pricing</a></nav>'),
  '/pricing': page(body),
  ...more,
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  'agent.pay.price-page': [
    ['an amount passes', prices('<h2>Team</h2><p>From $29 a month</p>'), 'pass', /an amount/],
    ['an amount before its currency passes', prices('<p>29,90 € im Monat</p>'), 'pass', /an amount/],
    ['a currency code passes', prices("<p>CHF 1'200</p>"), 'pass', /an amount/],
    ['free passes', prices('<h2>Hobby</h2><p>Free</p>'), 'pass', /costs nothing/],
    [
      'a section of the start page passes',
      home('<a href="#pricing">Pricing</a><section id="pricing"><p>€5</p></section>'),
      'pass',
      /an amount/,
    ],
    [
      'a link in other words is followed',
      { ...home('<a href="/kosten">Preise</a>'), '/kosten': page('<p>5 EUR</p>') },
      'pass',
      /an amount/,
    ],
    ['"contact us" is partial', prices('<p>Contact sales for a quote.</p>'), 'partial', /whom to ask/, { value: 0.5 }],
    ['"feel free" is no price', prices('<p>Feel free to look around.</p>'), 'fail', /states no price/],
    ['a number without a currency is no price', prices('<p>Trusted by 5000 teams</p>'), 'fail', /states no price/],
    ['an empty shell fails', prices('<div id="root"></div>'), 'fail', /states no price/],
    ['a dead page of prices fails', prices('x', { '/pricing': notFound }), 'fail', /leads nowhere/],
    ['a refusal is unknown', prices('x', { '/pricing': text('no', { status: 403 }) }), 'unknown', /http_403/],
    ['a timeout is unknown', prices('x', { '/pricing': failure('timeout') }), 'unknown', /timeout/],
    ['no link to prices is not applicable', { '/': HOME }, 'not_applicable', /no page of prices/],
    [
      'prices on another host are not applicable',
      home('<a href="https://other.example/pricing">Pricing</a>'),
      'not_applicable',
      /no page/,
    ],
  ],
};

testChecks(rows);

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

testChecks<SiteMap>(
  {
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
  },
  AGENT_TABLE,
);
