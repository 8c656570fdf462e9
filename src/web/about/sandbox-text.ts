import { brand } from '../brand.ts';
import {
  buildCode,
  buildLink,
  buildList,
  buildText,
  type PageText,
  type TextBlock,
  type TextSection,
} from '../start/document.ts';
import { WORDS_CHANGED } from '../start/text.ts';

/** What the page needs to know of the deployment. */
export type SandboxFacts = { baseUrl: string; networks: readonly string[]; isTest: boolean };

const buildPart = (id: string, heading: string, ...blocks: readonly TextBlock[]): TextSection => ({
  id,
  heading,
  level: 2,
  blocks,
});

/** How to try the service without money. */
export const buildSandboxPage = ({ baseUrl, ...sold }: SandboxFacts): PageText => ({
  path: '/sandbox',
  title: 'Try it without money',
  description: `How to try ${brand.name} without paying: free documents and previews, dry runs of every paid call, a test network, and the whole service on one machine.`,
  changed: WORDS_CHANGED,
  lead: ['Every way to learn how the service answers before you pay for anything, from the quickest to the fullest.'],
  sections: [
    buildPart(
      'free',
      'What is free here',
      buildList(
        [buildLink('The catalogue', '/api/agent/index'), ': prices, bodies and what can be bought now, as JSON'],
        [buildLink('The preview', '/audit'), ': the four scores of a site and its cheap checks, in a browser'],
        [buildLink('The example', '/example'), ': a whole report, of a demo site'],
        [
          'Every description: ',
          buildLink('OpenAPI', '/openapi.json'),
          ', ',
          buildLink('JSON Schemas', '/schemas'),
          ', MCP and A2A',
        ],
      ),
    ),
    buildPart(
      'dry-run',
      'Dry run of a paid call',
      buildText(
        'Add ',
        buildCode('?dry=1'),
        ' to any paid address. The body is checked, its site is asked once whether it can be reached, and the answer says what would be charged. Nothing is charged or stored, and a request that brings a payment is refused.',
      ),
      {
        kind: 'code',
        language: 'sh',
        label: 'Copy the command',
        code: `curl -sS '${baseUrl}/api/agent/check_health?dry=1' \\\n  -H 'content-type: application/json' \\\n  -d '{"url":"https://example.com/"}'`,
      },
    ),
    buildPart('network', 'Test network', buildText(...describeNetworks(sold))),
    buildPart(
      'local',
      'The whole service on one machine',
      buildText(
        'The software is free. ',
        buildCode('npm ci && npm start'),
        ' in its repository starts the service with its own chain, USDC, facilitator, demo sites and demo buyer: every purchase is real there and costs nothing. ',
        buildLink('Run everything on one machine', '/docs/operate/local-stack'),
        ' says how, and ',
        buildCode('sightline audit URL'),
        ' audits from your own machine without any payment.',
      ),
    ),
  ],
});

function describeNetworks({ networks, isTest }: Omit<SandboxFacts, 'baseUrl'>): readonly string[] {
  const title = networks.join(' and ');
  return isTest
    ? [
        `This deployment sells on ${title}, a test network: its USDC is worth nothing, and faucets give it away. All else is as where real money is paid.`,
      ]
    : [
        `This deployment sells on ${title}, with real USDC. A deployment of your own sells on Base Sepolia, a test network, where PAYMENT_NETWORK is eip155:84532.`,
      ];
}
