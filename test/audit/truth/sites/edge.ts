import { CLOUDFLARE, CLOUDFLARE_BLOCK, AGENT_AND_MULTI, refuseAgents } from '../../../support/audit/edge-sites.ts';
import { html, text } from '../../../support/audit/site-fetch.ts';
import { linkList, navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const content = `# Ferry times between Larne and the islands

The boats leave the old pier at seven, at noon and at five. In winter the noon boat is left out, and in a south wind over thirty knots none sails at all. The harbour master decides an hour before, and the board at the gate shows what was decided.

## What a crossing costs

A crossing costs six pounds for grown-ups and three for children. Bicycles travel free as long as there is room on the deck. Tickets are sold on board, and nobody needs to book.`;

const served = html(
  pageHtml({
    path: '/',
    title: 'Ferry times between Larne and the islands',
    description: 'When the boats leave, what a crossing costs, and how to find out whether one sails in bad weather.',
    header: navigation('Ferries', { '/': 'Times', '/prices': 'Prices', '/weather': 'Weather' }),
    footer: `<footer>${linkList({ '/privacy': 'Privacy' })}</footer>`,
    content,
  }),
  { headers: CLOUDFLARE },
);

const refused = html('error code: 1010', { status: 403, headers: CLOUDFLARE });

/** A network in front that shuts out agents and crawlers of several purposes, beside a file that invites all of them. */
export const edgeShut: TruthSite = {
  name: 'edge against agents',
  map: {
    ...httpsUpgrade,
    '/': refuseAgents(AGENT_AND_MULTI, refused, served),
    '/robots.txt': text(`${CLOUDFLARE_BLOCK}User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nDisallow: /caf%2\n`),
  },
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'A client of another name gets 200.',
      'aeo.robots.ai-search-bots': 'robots.txt keeps no search crawler out.',
      'agent.pay.charged-fetchers': 'No answer is 402, and none names a price.',
      'agent.prefs.content-signal': 'The signal of the block has keys and values that readers know.',
    },
    partial: {
      'aeo.reach.ua-parity': 'ChatGPT-User, Claude-User, Googlebot, Bingbot and Applebot get 403, all others the page.',
      'aeo.reach.robots-vs-edge': 'robots.txt allows five agents that get 403.',
    },
    fail: {
      'aeo.reach.edge-policy': 'Googlebot and Bingbot get 403, a browser gets 200.',
      'aeo.robots.managed-block': 'The block forbids GPTBot, the own file allows it.',
      'aeo.robots.encoding': 'The path /caf%2 ends within an escape.',
    },
    not_applicable: {
      'aeo.robots.training-token': 'No group names a use.',
    },
  }),
};

/** The same network, whose owner lets all of them in; fetchers that a person sent are charged. */
export const edgeCharging: TruthSite = {
  name: 'edge that charges',
  map: {
    ...httpsUpgrade,
    '/': refuseAgents(
      ['Perplexity-User'],
      text('Payment required', { status: 402, headers: { ...CLOUDFLARE, 'crawler-price': 'USD 0.01' } }),
      served,
    ),
    '/robots.txt': text(
      `${CLOUDFLARE_BLOCK}User-agent: *\nDisallow: /caf%C3%A9\n\nUser-agent: __usage_ai-training\nDisallow: /\n`,
    ),
  },
  truth: planted({
    pass: {
      'aeo.robots.managed-block': 'Block and own file agree.',
      'aeo.robots.training-token': 'The group has a rule, and the signal of the block says the same.',
      'aeo.robots.training-choice': 'The signal of the block says ai-train=no for all.',
      'aeo.robots.encoding': 'The only escape is whole.',
    },
    partial: {
      'aeo.reach.edge-policy': 'Perplexity-User gets 402, all others the page.',
    },
    fail: {
      'agent.pay.charged-fetchers': 'Perplexity-User is asked for a price.',
    },
  }),
};
