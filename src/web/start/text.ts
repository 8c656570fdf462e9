import { listMcpUrls } from '../../capabilities/service.ts';
import { brand } from '../brand.ts';
import { connectSections } from './connect-text.ts';
import {
  buildCode,
  buildLink,
  buildList,
  type PageText,
  type TextSection,
  buildText,
  formatPageMarkdown,
} from './document.ts';
import { offerGroups, buildOffers, computePriceRange } from './offers.ts';

/** The day on which the words of the pages were changed last: it goes into their dates and into the sitemap. */
export const WORDS_CHANGED = '2026-11-22';

const GEO_PAPER = 'https://arxiv.org/abs/2311.09735';

/** What the start page says, in HTML and in Markdown alike: from the tables and our own address. */
export function startText(baseUrl: string): PageText {
  const { from, to } = computePriceRange();
  return {
    path: '/',
    title: 'What AI systems can see of your website',
    description: `${brand.name} audits what AI assistants and agents can see of a website: four scores, evidence for every check, and fixes to copy. Paid per call, no account.`,
    changed: WORDS_CHANGED,
    lead: [
      `${brand.name} is an audit service for people who answer for a website, and for their agents. It shows whether AI assistants can read, cite and use the site, with evidence for every check. A call costs from ${from} to ${to} dollars, paid in USD Coin (USDC), without an account.`,
    ],
    sections: [
      scores,
      evidence,
      ...buildPriceSections(baseUrl),
      ...connectSections(baseUrl),
      ...questions,
      buildDocumentsSection(baseUrl),
    ],
  };
}

/** The start page in Markdown, for clients that prefer it. */
export const startMarkdown = (baseUrl: string): string => formatPageMarkdown(startText(baseUrl), baseUrl);

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
          term: 'Answer engine optimization (AEO)',
          parts: [
            'Can search assistants reach, read and index the pages: robots rules, sitemap, titles, dates, answers.',
          ],
        },
        {
          term: 'Generative engine optimization (GEO)',
          parts: [
            'Can an answer quote and credit the site: figures, sources, structured data, a publisher one can look up.',
          ],
        },
        {
          term: 'Agent readiness',
          parts: [
            'Can an agent act here: Markdown copies, interface descriptions, honest errors, forms with labels, payment.',
          ],
        },
        {
          term: 'Model Context Protocol (MCP) readiness',
          parts: ['Can a client find, connect to and trust the tools that the site offers, where it offers any.'],
        },
      ],
    },
  ],
};

const evidence: TextSection = {
  id: 'evidence',
  heading: 'Do such changes make a difference?',
  level: 2,
  blocks: [
    buildText(
      'Some changes make a measured difference, and most advice was never measured. Each check names its source and how strong that is, from a controlled experiment to a convention.',
    ),
    buildList(
      [
        'Statistics raised the visibility of a source in generated answers by 31 %, citing sources by 27 %, and keyword stuffing lowered it by 8 %: ',
        buildLink('the controlled experiment of Aggarwal and others', GEO_PAPER),
        ', Table 1.',
      ],
      [
        'A crawler reads at least 500 KiB of a robots.txt, and takes the rules as unknown while the server fails: ',
        buildLink('the Robots Exclusion Protocol', 'https://www.rfc-editor.org/rfc/rfc9309'),
        '.',
      ],
      [
        'A payment shows on the network after about 2 seconds, the time of a block: ',
        buildLink('the documentation of Base', 'https://docs.base.org/'),
        '.',
      ],
    ),
  ],
};

const buildPriceSections = (baseUrl: string): TextSection[] => [
  {
    id: 'prices',
    heading: 'What does a call cost?',
    level: 2,
    blocks: [
      buildText(
        'Every call has one price, in ',
        buildLink('USDC, a coin that can be exchanged for one dollar', 'https://www.circle.com/usdc'),
        ', on the network Base. Nothing is charged without delivery: a call that cannot be served answers before any payment, and a payment whose work fails is not taken.',
      ),
    ],
  },
  ...offerGroups.map((group): TextSection => ({
    id: group.id,
    heading: group.heading,
    level: 3,
    blocks: [
      buildText(group.lead),
      ...(group.page === undefined ? [] : [buildText(group.page, '.')]),
      { kind: 'offers', rows: buildOffers(group, baseUrl) },
    ],
  })),
];

const buildQuestion = (id: string, heading: string, ...blocks: TextSection['blocks']): TextSection => ({
  id,
  heading,
  level: 3,
  blocks,
});

const questions: readonly TextSection[] = [
  {
    id: 'questions',
    heading: 'What do people ask first?',
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

const buildDocumentsSection = (baseUrl: string): TextSection => ({
  id: 'documents',
  heading: 'Which documents are there for machines?',
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
    ),
  ],
});
