import { a2aCard, AGENT_TABLE, page } from '../../../support/audit/agent-site.ts';
import {
  failure,
  json,
  notFound,
  redirect,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { a2aCardAt, CARD, HOME } from '../../../support/audit/api-pages.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

testChecks<SiteMap>(
  {
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
      [
        'the same agent in the older form passes',
        { '/.well-known/agent.json': json(olderCard()) },
        'pass',
        /same agent/,
      ],
      [
        'an address that the card does not name fails',
        { '/.well-known/agent.json': json(olderCard({ url: `${SITE}/other` })) },
        'fail',
        /different cards/,
      ],
      [
        'the older form of another agent fails',
        { '/.well-known/agent.json': json(olderCard({ name: 'Other' })) },
        'fail',
        /different cards/,
      ],
      [
        'another card fails',
        { '/.well-known/agent.json': json(a2aCard({ name: 'Other' })) },
        'fail',
        /different cards/,
      ],
      [
        'a lone old card is partial',
        { '/.well-known/agent.json': json(a2aCard()), '/.well-known/agent-card.json': notFound },
        'partial',
        /former address/,
      ],
      ['a timeout is unknown', { '/.well-known/agent.json': failure('timeout') }, 'unknown', /timeout/],
    ],
  },
  AGENT_TABLE,
);

const agent = (answer: SiteAnswer, more: SiteMap = {}): SiteMap => ({
  '/': HOME,
  [CARD]: a2aCardAt(`${SITE}/a2a`),
  'GET /a2a': answer,
  ...more,
});

/** The agent of the fixture site, in the form of A2A 0.3. */
function olderCard(members: object = {}): object {
  return a2aCard({ supportedInterfaces: undefined, protocolVersion: '0.3.0', url: `${SITE}/a2a`, ...members });
}

testChecks({
  'agent.a2a.interface-live': [
    ['an interface that answers passes', agent(json({})), 'pass', /answers/],
    ['401 is an answer', agent(json({}, { status: 401 })), 'pass', /answers/],
    ['402 is an answer', agent(json({}, { status: 402 })), 'pass', /answers/],
    ['405 is an answer', agent(json({}, { status: 405 })), 'pass', /answers/],
    [
      'an endpoint that knows only POST passes by OPTIONS',
      agent(notFound, { 'OPTIONS /a2a': { status: 204, headers: { allow: 'POST' }, body: '' } }),
      'pass',
      /answers/,
    ],
    ['404 fails', agent(notFound), 'fail', /Nothing answers/],
    ['410 fails', agent(text('', { status: 410 })), 'fail', /Nothing answers/],
    ['500 fails', agent(text('', { status: 500 })), 'fail', /Nothing answers/],
    ['503 is unknown', agent(text('', { status: 503 })), 'unknown', /could not be seen/],
    ['a timeout is unknown', agent(failure('timeout')), 'unknown', /could not be seen/],
    ['http fails', { '/': HOME, [CARD]: a2aCardAt('http://acme.example/a2a') }, 'fail', /not https/],
    [
      'another owner is partial',
      {
        '/': HOME,
        [CARD]: a2aCardAt('https://agents.other.example/a2a'),
        'https://agents.other.example/a2a': json({}),
      },
      'partial',
      /another owner/,
      { value: 0.5 },
    ],
    ['no card is not applicable', { '/': HOME }, 'not_applicable', /no agent card/],
    ['a card that times out is unknown', { '/': HOME, [CARD]: failure('timeout') }, 'unknown', /could not be seen/],
  ],
});
