import fc from 'fast-check';

import { describe, expect, test } from 'vitest';
import { parseContentSignal } from '../../../../src/audit/crawlers/facts/reservations.ts';
import { parseContentUsage } from '../../../../src/audit/crawlers/facts/usage-statements.ts';
import { classifyRslRoot } from '../../../../src/audit/crawlers/facts/rsl.ts';
import { page, SHELL } from '../../../support/audit/agent-site.ts';
import {
  failure,
  html,
  json,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
  xml,
} from '../../../support/audit/site-fetch.ts';
import { auditCheck, judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';

const HOME = page('<p>Anvils</p>');

const robots = (body: string, more: SiteMap = {}): SiteMap => ({ '/': HOME, '/robots.txt': text(body), ...more });

const headed = (headers: Readonly<Record<string, string>>, head = ''): SiteAnswer =>
  html(`<!doctype html><title>A</title>${head}<p>Anvils`, { headers });

const TDM = '/.well-known/tdmrep.json';

const KEYS = '/.well-known/http-message-signatures-directory';

const RSL = '<?xml version="1.0"?>\n<!-- terms -->\n<rsl xmlns="https://rslstandard.org/rsl"><content url="/"/></rsl>';

const declared = (answer: SiteAnswer): SiteMap => robots(`License: ${SITE}/license.xml\n`, { '/license.xml': answer });

const key = { kty: 'OKP', crv: 'Ed25519', kid: 'a', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };

const directory = (keys: readonly object[], headers: Readonly<Record<string, string>> = {}): SiteMap => ({
  '/': HOME,
  [KEYS]: {
    status: 200,
    headers: {
      'content-type': 'application/http-message-signatures-directory+json',
      'signature-input': 'sig1=("@authority");created=1;keyid="a";tag="http-message-signatures-directory"',
      signature: 'sig1=:AAAA:',
      ...headers,
    },
    body: JSON.stringify({ keys }),
  },
});

const rows: Readonly<Record<string, readonly Row[]>> = {
  'agent.prefs.content-signal': [
    [
      'a line of all keys passes',
      robots('User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n'),
      'pass',
      /1 signal/,
    ],
    [
      'a line after a blank one is in the group',
      robots('User-agent: *\nAllow: /\n\nContent-signal: search=yes,ai-train=no\n'),
      'pass',
      /1 signal/,
    ],
    ['a header passes', { '/': headed({ 'content-signal': 'ai-train=no' }) }, 'pass', /1 signal/],
    ['an underscore fails', robots('User-agent: *\nContent-Signal: ai_train=no\n'), 'fail', /no key=value/],
    [
      'a key that nobody knows fails',
      robots('User-agent: *\nContent-Signal: training=no\n'),
      'fail',
      /other than search/,
    ],
    ['another value fails', robots('User-agent: *\nContent-Signal: search=allow\n'), 'fail', /other than yes and no/],
    ['both answers fail', robots('User-agent: *\nContent-Signal: search=yes, search=no\n'), 'fail', /both answers/],
    ['an empty part fails', robots('User-agent: *\nContent-Signal: search=yes,,ai-train=no\n'), 'fail', /empty part/],
    [
      'a line above every group fails',
      robots('Content-Signal: search=yes\nUser-agent: *\nAllow: /\n'),
      'fail',
      /no group/,
    ],
    [
      'a yes where nobody may enter is partial',
      robots('User-agent: *\nContent-Signal: search=yes\nDisallow: /\n'),
      'partial',
      /keeps its crawlers out/,
      { value: 0.5 },
    ],
    [
      'a no where nobody may enter passes',
      robots('User-agent: *\nContent-Signal: ai-train=no\nDisallow: /\n'),
      'pass',
      /1 signal/,
    ],
    ['absence is not applicable', robots('User-agent: *\nAllow: /\n'), 'not_applicable', /none is needed/],
    ['no robots.txt is not applicable', { '/': HOME }, 'not_applicable', /none is needed/],
    [
      'a robots.txt that cannot be read is unknown',
      { '/': HOME, '/robots.txt': failure('connection_failed') },
      'unknown',
      /could not be read/,
    ],
    [
      'a comment is no signal',
      robots('User-agent: *\n# Content-Signal: search=maybe\n'),
      'not_applicable',
      /none is needed/,
    ],
  ],
  'agent.prefs.aipref': [
    ['a rule passes', robots('User-agent: *\nContent-Usage: train-ai=n\n'), 'pass', /1 rule/],
    [
      'a rule with a path passes',
      robots('User-agent: *\nContent-Usage: /ai-ok/ train-ai=y, search=n\n'),
      'pass',
      /1 rule/,
    ],
    [
      'a header with parameters and other labels passes',
      { '/': headed({ 'content-usage': 'train-ai=n;why="x", bots=?0' }) },
      'pass',
      /1 rule/,
    ],
    ['upper case fails', robots('User-agent: *\nContent-Usage: Train-AI=n\n'), 'fail', /cannot be read/],
    ['a trailing comma fails', { '/': headed({ 'content-usage': 'train-ai=n,' }) }, 'fail', /cannot be read/],
    [
      'a rule above every group fails',
      robots('Content-Usage: train-ai=n\nUser-agent: *\nAllow: /\n'),
      'fail',
      /cannot be read/,
    ],
    [
      'a string instead of a token is partial',
      { '/': headed({ 'content-usage': 'train-ai="n"' }) },
      'partial',
      /neither/,
      { value: 0.5 },
    ],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /none is needed/],
    [
      'a robots.txt that cannot be read is unknown',
      { '/': HOME, '/robots.txt': failure('connection_failed') },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.prefs.rsl': [
    ['a licence that is there passes', declared(xml(RSL)), 'pass', /RSL document/],
    [
      'a prefix of the namespace passes',
      declared(xml('<r:rsl xmlns:r="https://rslstandard.org/rsl"/>')),
      'pass',
      /RSL/,
    ],
    [
      'a Link header passes',
      { '/': headed({ link: '</l.xml>; rel="license"; type="application/rsl+xml"' }), '/l.xml': xml(RSL) },
      'pass',
      /RSL/,
    ],
    [
      'a link element passes',
      { '/': page('x', '<link rel="license" type="application/rsl+xml" href="/l.xml">'), '/l.xml': xml(RSL) },
      'pass',
      /RSL/,
    ],
    ['a dead licence fails', declared(notFound), 'fail', /answers 404/],
    ['a page of HTML fails', declared(html('<!doctype html><p>x')), 'fail', /no RSL document/],
    ['another namespace fails', declared(xml('<rsl xmlns="https://rslstandard.org/rsl/0.9"/>')), 'fail', /namespace/],
    [
      'a relative address fails',
      robots('License: /license.xml\n', { '/license.xml': xml(RSL) }),
      'fail',
      /full address/,
    ],
    ['a licence that cannot be read is unknown', declared(failure('timeout')), 'unknown', /could not be read/],
    ['a refusal is unknown', declared(text('no', { status: 403 })), 'unknown', /could not be read/],
    [
      'a licence for people is no RSL',
      { '/': page('<a rel="license" href="/terms">x</a>') },
      'not_applicable',
      /No RSL/,
    ],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /No RSL/],
    [
      'a robots.txt that cannot be read is unknown',
      { '/': HOME, '/robots.txt': failure('connection_failed') },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.prefs.tdmrep': [
    [
      'a file passes',
      { '/': HOME, [TDM]: json([{ location: '/', 'tdm-reservation': 1, 'tdm-policy': `${SITE}/tdm` }]) },
      'pass',
      /1 location/,
    ],
    ['a header passes', { '/': headed({ 'tdm-reservation': '1' }) }, 'pass', /states a reservation/],
    ['a meta element passes', { '/': page('x', '<meta name="tdm-reservation" content="0">') }, 'pass', /states/],
    [
      'a string instead of a number fails',
      { '/': HOME, [TDM]: json([{ location: '/', 'tdm-reservation': '1' }]) },
      'fail',
      /must be 0 or 1/,
    ],
    ['an entry without a place fails', { '/': HOME, [TDM]: json([{ 'tdm-reservation': 1 }]) }, 'fail', /location/],
    [
      'a policy that is no address fails',
      { '/': HOME, [TDM]: json([{ location: '/', 'tdm-reservation': 1, 'tdm-policy': 'ask' }]) },
      'fail',
      /tdm-policy/,
    ],
    ['an object instead of a list fails', { '/': HOME, [TDM]: json({ location: '/' }) }, 'fail', /another kind/],
    ['a word in the header fails', { '/': headed({ 'tdm-reservation': 'yes' }) }, 'fail', /faults/],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /No reservation/],
    ['a timeout is unknown', { '/': HOME, [TDM]: failure('timeout') }, 'unknown', /could not be read/],
  ],
  'agent.prefs.coherent': [
    [
      'training allowed and GPTBot kept out contradict',
      robots('User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n'),
      'fail',
      /1 contradiction: Content-Signal in robots.txt against rules in robots.txt \(train\)/,
    ],
    [
      'an exception that says no itself is none',
      robots(
        'User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nContent-Signal: ai-train=no\nDisallow: /\n',
      ),
      'pass',
      /agree/,
    ],
    [
      'a header that says otherwise contradicts',
      {
        ...robots('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n'),
        '/': headed({ 'content-signal': 'ai-train=yes' }),
      },
      'fail',
      /header against Content-Signal in robots.txt/,
    ],
    [
      'Content-Usage and Content-Signal contradict',
      robots('User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\n'),
      'fail',
      /Content-Usage in robots.txt \(train\)/,
    ],
    [
      'the longest path of Content-Usage decides',
      robots(
        'User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n',
      ),
      'pass',
      /agree/,
    ],
    [
      'noai and a yes contradict',
      {
        ...robots('User-agent: *\nContent-Signal: ai-train=yes\n'),
        '/': page('x', '<meta name="robots" content="noai">'),
      },
      'fail',
      /robots directives of the page/,
    ],
    [
      'nosnippet and input contradict',
      { ...robots('User-agent: *\nContent-Signal: ai-input=yes\n'), '/': headed({ 'x-robots-tag': 'nosnippet' }) },
      'fail',
      /\(input\)/,
    ],
    [
      'noindex and search contradict',
      {
        ...robots('User-agent: *\nContent-Signal: search=yes\n'),
        '/': page('x', '<meta name="robots" content="noindex">'),
      },
      'fail',
      /\(search\)/,
    ],
    [
      'a TDM reservation and a yes contradict',
      robots('User-agent: *\nContent-Signal: ai-train=yes\n', {
        [TDM]: json([{ location: '/*', 'tdm-reservation': 1 }]),
      }),
      'fail',
      /TDM reservation/,
    ],
    [
      'a reservation of another folder does not',
      robots('User-agent: *\nContent-Signal: ai-train=yes\n', {
        [TDM]: json([{ location: '/shop/', 'tdm-reservation': 1 }]),
      }),
      'not_applicable',
      /No two places/,
    ],
    [
      'a yes in a group that keeps all out contradicts',
      robots('User-agent: *\nContent-Signal: search=yes\nDisallow: /\n'),
      'fail',
      /rules in robots.txt \(search\)/,
    ],
    [
      'two that agree pass',
      robots('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n'),
      'pass',
      /2 statements agree/,
    ],
    [
      'that GPTBot may enter says nothing about training',
      robots('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nAllow: /\n'),
      'not_applicable',
      /No two places/,
    ],
    [
      'one signal is not applicable',
      robots('User-agent: *\nContent-Signal: ai-train=yes\n'),
      'not_applicable',
      /No two/,
    ],
    ['none is not applicable', { '/': HOME }, 'not_applicable', /No two places/],
    [
      'a robots.txt that cannot be read is unknown',
      { '/': HOME, '/robots.txt': failure('connection_failed') },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.prefs.web-bot-auth': [
    ['a signed directory passes', directory([key]), 'pass', /1 key/],
    [
      'another media type is partial',
      directory([key], { 'content-type': 'application/json' }),
      'partial',
      /media type/,
      { value: 0.5 },
    ],
    [
      'an answer that is not signed is partial',
      directory([key], { 'signature-input': '' }),
      'partial',
      /not signed/,
      { value: 0.5 },
    ],
    ['keys of another kind fail', directory([{ kty: 'RSA', n: 'x', e: 'AQAB' }]), 'fail', /Ed25519/],
    ['a short key fails', directory([{ ...key, x: 'abc' }]), 'fail', /Ed25519/],
    ['a private key fails', directory([{ ...key, d: 'secret' }]), 'fail', /private part/],
    ['no keys are not applicable', directory([]), 'not_applicable', /no keys/],
    ['JSON of another kind fails', { '/': HOME, [KEYS]: json({ jwks: [] }) }, 'fail', /another kind/],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /runs no bot/],
    ['a timeout is unknown', { '/': HOME, [KEYS]: failure('timeout') }, 'unknown', /could not be read/],
  ],
};

testChecks(rows);

test('a contradiction shows both places', async () => {
  const map = robots('User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n');
  const outcome = await judgeCheck('agent.prefs.coherent', map);
  expect(outcome.evidence).toMatchObject([
    { url: `${SITE}/robots.txt`, line: 2, excerpt: 'ai-train=yes' },
    { url: `${SITE}/robots.txt`, line: 6, excerpt: 'GPTBot: Disallow: /' },
  ]);
});

test('a site that answers every path with one page states nothing', async () => {
  for (const id of Object.keys(rows))
    expect((await judgeCheck(id, { '/': SHELL }, { catchAll: SHELL })).status).toBe('not_applicable');
});

test('a private site leads to no licence of a stranger', async () => {
  const map = { '/': HOME, '/robots.txt': text('License: https://victim.example/l.xml\n') };
  const { requests, outcome } = await auditCheck('agent.prefs.rsl', map, { at: 'http://127.0.0.1:9000/' });
  expect(requests.filter(({ url }) => url.includes('victim'))).toEqual([]);
  expect(outcome.status).toBe('not_applicable');
});

describe('Content-Usage', () => {
  // The examples of draft-ietf-aipref-vocab, sections 6 and 7.
  test.each([
    [
      'train-ai=y, search=n',
      [
        ['train-ai', true],
        ['search', false],
      ],
    ],
    ['train-ai=y, train-ai, search=n, search="n"', []],
    ['train-ai;allow=n, train-ai=y', [['train-ai', true]]],
    ['train-ai;has;parameters="?"', []],
    ['train-ai=y;a=1;b=:AAAA:, other=(a b), third=2.5', [['train-ai', true]]],
    [
      'search=n,\ttrain-ai=n',
      [
        ['train-ai', false],
        ['search', false],
      ],
    ],
  ])('%s states %j', (value, expected) => {
    expect(parseContentUsage(value)?.map(({ label, allows }) => [label, allows])).toEqual(expected);
  });

  test.each(['', 'Train-AI=y', 'train-ai=y,', 'train-ai=', 'train-ai=y search=n', '=y', 'train-ai=y;', 'train-ai="y'])(
    '%j is no dictionary',
    (value) => {
      expect(parseContentUsage(value)).toBeUndefined();
    },
  );
});

test('no text breaks the parsers of preferences', () => {
  const hostile = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z=,;"() <>?!-]{0,60}$/));
  fc.assert(
    fc.property(hostile, (value) => {
      parseContentSignal(value);
      parseContentUsage(value);
      classifyRslRoot(value);
    }),
  );
});
