import { listMcpUrls, service } from '../../capabilities/service.ts';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { formatCapabilityPath } from '../capability/address.ts';
import { buildCode, buildLink, buildList, buildQuestion, buildText, type TextSection } from './document.ts';
import { EXAMPLE_PATH, EXAMPLE_RECORDING_PATH } from './example.ts';
import { CORPUS, CITED_EXPERIMENT, type StartFacts } from './start-facts.ts';

/** What the start page says below its first screen, in English. */
export const buildEnglishSections = (facts: StartFacts): readonly TextSection[] => [
  scores,
  buildDoors(facts),
  buildProof(facts),
  evidence,
  buildPrices(facts),
  buildConnect(facts),
  ...questions,
  buildDocuments(facts),
];

const scores: TextSection = {
  id: 'scores-explained',
  heading: 'What do the four scores say?',
  level: 2,
  blocks: [
    buildText(
      'Each of the four scores is a number from 0 to 100 for one way in which machines meet a website. The checks behind it are facts that anyone can look up again: no model is asked for a verdict, so the same site gives the same number.',
    ),
    {
      kind: 'terms',
      items: [
        {
          term: 'AI search visibility',
          parts: [
            'Answer engine optimization (AEO): can search assistants reach, read and index the pages, by robots rules, sitemap, titles, dates and answers?',
          ],
        },
        {
          term: 'Citation readiness',
          parts: [
            'Generative engine optimization (GEO): can an answer quote and credit the site, by figures, sources, structured data and a publisher one can look up?',
          ],
        },
        {
          term: 'Agent readiness',
          parts: [
            'Can an agent act here, by Markdown copies, interface descriptions, honest errors, forms with labels and payment?',
          ],
        },
        {
          term: 'MCP readiness',
          parts: [
            'Model Context Protocol (MCP): can a client find, connect to and trust the tools that the site offers, where it offers any?',
          ],
        },
      ],
    },
  ],
};

const buildDoors = ({ capabilities, brandPrice }: StartFacts): TextSection => ({
  id: 'doors',
  heading: 'Begin with your site, your brand or your agent',
  level: 2,
  blocks: [
    buildText('Each of the three has one next step, in the browser and without an account.'),
    {
      kind: 'doors',
      items: [
        {
          title: 'My site',
          parts: ['What can AI assistants read of it, and what should you fix first? The preview is free.'],
          link: { text: 'Audit a site', href: '/audit' },
        },
        {
          title: 'My brand',
          parts: [
            'How often does an answer engine name it, and whom does it recommend instead? A measurement costs ',
            buildLink(brandPrice, '/prices#visibility'),
            '.',
          ],
          link: { text: 'Measure a brand', href: formatCapabilityPath('visibility_check') },
        },
        {
          title: 'My agent',
          parts: [
            buildLink(`${capabilities} capabilities`, '/prices'),
            ` by HTTP, client library or MCP. The agent pays per call, by itself.`,
          ],
          link: { text: 'Connect an agent', href: '/prices#call' },
        },
      ],
    },
    buildText(
      'To keep an eye on either, create ',
      buildLink('a monitor', '/docs/guides/monitors'),
      ': it repeats an audit or a measurement on a schedule, and writes to you only when something changed. To see ',
      buildLink('which AI crawlers came', '/docs/guides/crawler-counts'),
      ' to your site, let your own Worker count them. Both need an account.',
    ),
  ],
});

const buildProof = ({ accuracy, checks, from, to }: StartFacts): TextSection => ({
  id: 'proof',
  heading: 'Verdicts that you can repeat',
  level: 2,
  blocks: [
    buildText(
      'You can trust a verdict because you can repeat it, and because we measured how often ours are wrong and publish the figures.',
    ),
    {
      kind: 'figures',
      items: [
        {
          figure: `${accuracy.verdicts} verdicts`,
          parts: [
            `were compared with what readers of ${accuracy.pages} pages of `,
            buildLink('public corpora', CORPUS),
            ` say. Wrong were ${accuracy.wrong.map(({ title, share }) => `${share} in ${title}`).join(', ')}: `,
            buildLink('how often our verdicts are right', ACCURACY_PATH),
            '.',
          ],
        },
        {
          figure: 'Same answers, same report',
          parts: [
            'Every report comes with the answers that the site gave, and ',
            buildCode('sightline replay'),
            ' judges them again on your machine. Try it with ',
            buildLink('the snapshot', EXAMPLE_RECORDING_PATH),
            ' behind ',
            buildLink('the example', EXAMPLE_PATH),
            '.',
          ],
        },
        {
          figure: `${checks} checks, open source`,
          parts: [
            'Each check names its source, its weight and the way to see it yourself. The code is free software: ',
            buildLink('the rubric', '/docs/project/rubric'),
            '.',
          ],
        },
        {
          figure: 'One price a call',
          parts: [
            `It is between ${from} and ${to}, paid in `,
            buildLink('USD Coin (USDC)', 'https://www.circle.com/usdc'),
            ', without an account or a subscription. A call that delivers nothing costs nothing: ',
            buildLink('all prices', '/prices'),
            '.',
          ],
        },
      ],
    },
  ],
});

const evidence: TextSection = {
  id: 'evidence',
  heading: 'Changes that make a difference',
  level: 2,
  blocks: [
    buildText(
      'Some changes make a measured difference, and most advice was never measured. Each check names its source and how strong that is, from a controlled experiment to a convention.',
    ),
    buildList(
      [
        'Statistics raised the visibility of a source in generated answers by 31 %, citing sources by 27 %, and keyword stuffing lowered it by 8 %: ',
        buildLink('the controlled experiment of Aggarwal and others', CITED_EXPERIMENT),
        ', Table 1.',
      ],
      [
        'A crawler reads at least 500 KiB of a robots.txt, and takes the rules as unknown while the server fails: ',
        buildLink('the Robots Exclusion Protocol', 'https://www.rfc-editor.org/rfc/rfc9309'),
        '.',
      ],
    ),
  ],
};

const buildPrices = ({ from, to }: StartFacts): TextSection => ({
  id: 'prices',
  heading: 'What does a call cost?',
  level: 2,
  blocks: [
    buildText(
      `A call costs from ${from} to ${to}, one price for each capability, in `,
      buildLink('USDC, a coin that can be exchanged for one dollar', 'https://www.circle.com/usdc'),
      ', on the network Base. Nothing is charged without delivery. ',
      buildLink('All prices, and what you get for them', '/prices'),
      '.',
    ),
  ],
});

const buildConnect = ({ baseUrl }: StartFacts): TextSection => ({
  id: 'connect',
  heading: 'Made for agents, too',
  level: 2,
  blocks: [
    buildText(
      'An agent calls a capability by one POST with a JSON body. Without payment the answer is 402 with the terms, in the words of ',
      buildLink('the x402 payment standard', 'https://docs.x402.org/'),
      '; a client that speaks it pays and repeats the call by itself. Assistants connect by ',
      buildLink('the Model Context Protocol', 'https://modelcontextprotocol.io/'),
      ':',
    ),
    {
      kind: 'code',
      language: 'sh',
      label: 'Copy the command',
      code: `claude mcp add --transport http ${service.name} ${listMcpUrls(baseUrl).account}`,
    },
    buildText(buildLink('curl, TypeScript, Python and other MCP clients', '/prices#call'), '.'),
  ],
});

const questions: readonly TextSection[] = [
  {
    id: 'questions',
    heading: 'Questions and answers',
    level: 2,
    blocks: [
      buildText('People ask first about money, about their site and about who can see the result. The short answers:'),
    ],
  },
  buildQuestion(
    'how-computed',
    'How is a score computed?',
    buildText(
      'A score is computed as the weighted share of checks that pass: 100 times the sum of weight and value, divided by the sum of weights, rounded. A check that does not apply, or that could not be checked, counts in neither sum.',
    ),
    buildText(
      'A few checks are gates: good titles do not rescue a site that no one can reach, so a gate that fails caps the score. Each report opens the formula with its real numbers, the coverage, and every check with weight, evidence and source.',
    ),
  ),
  buildQuestion(
    'what-happens',
    'What does an audit do to my site?',
    buildText(
      'An audit reads your site with at most 60 requests, six at a time, and never submits a form, signs in or keeps a cookie. The user agent names us and leads to ',
      buildLink('the page about our bot', '/bot'),
      '. One host is audited by all callers together at most twice at once.',
    ),
  ),
  buildQuestion(
    'need-account',
    'Do I need an account?',
    buildText(
      'You need no account to look or to pay per call: the payment is the permission. An account is an Ethereum address that you sign in with, for prepaid credits and for clients that cannot pay by themselves.',
    ),
  ),
  buildQuestion(
    'who-sees',
    'Who can see my report?',
    buildText(
      'A report can be seen by anyone who knows its address, which cannot be guessed, and search engines are asked to leave it out. It can be read for thirty days and is then deleted within the next thirty. Publishing is your choice: a published report can be read by everyone and feeds the badge and the history of the site.',
    ),
  ),
  buildQuestion(
    'free-part',
    'What is free?',
    buildText(
      'The catalogue, all descriptions and a preview of the audit are free: the preview shows the four scores and the cheap checks in the browser. The command line tool audits from your own machine without any payment.',
    ),
  ),
];

const buildDocuments = ({ baseUrl }: StartFacts): TextSection => ({
  id: 'documents',
  heading: 'Documents for machines',
  level: 2,
  blocks: [
    buildText('The documents for machines say the same as this page, each in the form that its readers expect:'),
    buildList(
      [buildLink('Free catalogue', '/api/agent/index'), ': prices, bodies and availability of every capability'],
      [buildLink('OpenAPI description', '/openapi.json'), ': every route with schemas and problem codes'],
      [
        buildLink('llms.txt', '/llms.txt'),
        ': this service in the words a model needs, in ',
        buildLink('the form that llmstxt.org proposes', 'https://llmstxt.org/'),
      ],
      [
        buildLink('Server Card', '/mcp/server-card'),
        ': the endpoint ',
        buildCode(listMcpUrls(baseUrl).open),
        ' for clients',
      ],
      [buildLink('This page as Markdown', '/index.md'), ': the same words for models'],
      [buildLink('About the bot', '/bot'), ': what our audits ask of a website'],
      [buildLink('Changes', '/changelog'), ': what changed, release by release'],
      [buildLink('Status page', '/status'), ': whether sales are open and what the service needs answers'],
    ),
  ],
});
