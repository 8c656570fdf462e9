import { accuracy } from '../../audit/core/accuracy-data.ts';
import { ACCURACY_PATH } from '../../report/reportable.ts';
import { brand } from '../brand.ts';
import { buildAccuracyPage } from './accuracy-text.ts';
import {
  buildCode,
  type Inline,
  buildLink,
  buildList,
  type PageText,
  type TextSection,
  buildText,
} from './document.ts';
import { WORDS_CHANGED } from './text.ts';

/** Who runs a deployment, as its settings say; the pages say nothing else about anyone. */
export type Operator = {
  /** E-mail address of the operator. */
  contact?: string | undefined;
  /** https addresses of the operator's own entries in public registers. */
  identities: readonly string[];
};

const buildSection = (id: string, heading: string, ...blocks: TextSection['blocks']): TextSection => ({
  id,
  heading,
  level: 2,
  blocks,
});

/** The pages about the service itself, by what the settings say of its operator. */
export const buildSiteTexts = (operator: Operator): readonly PageText[] => [
  buildAboutPage(operator),
  buildAccuracyPage(accuracy),
  buildContactPage(operator),
  buildPrivacyPage(operator),
  terms,
];

/** The way to reach the operator, where one is set. */
const reach = ({ contact }: Operator): Inline =>
  contact === undefined ? buildLink('the contact page', '/contact') : buildLink(contact, `mailto:${contact}`);

const buildAboutPage = (operator: Operator): PageText => ({
  path: '/about',
  title: `About ${brand.name}`,
  description: `What ${brand.name} is, how it judges websites without asking a model for a verdict, what it refuses to do, and who runs this deployment.`,
  changed: WORDS_CHANGED,
  lead: [
    `${brand.name} is an audit service that exists since 2026. It shows what AI systems can see of a website or a brand: whether assistants can read it, whether answers can cite it, and whether agents can use it.`,
  ],
  sections: [
    buildSection(
      'how-we-judge',
      'How we judge',
      buildText(
        'Every check is a fact that can be looked up again. A report names the address, the header or the line that was seen, the way to reproduce it, the weight, and the source of the check. No model is asked for a verdict, so the same snapshot of a site gives the same bytes.',
      ),
      buildText(
        'A check has one of five results: it passes, passes partly, fails, does not apply, or could not be checked. What we could not see is never counted against a site, and what was measured on few answers is shown with its interval.',
      ),
      buildText(
        'How often the verdicts are right was measured on pages of public corpora: ',
        buildLink('right, arguable and wrong for each check', ACCURACY_PATH),
        '.',
      ),
    ),
    buildSection(
      'what-we-refuse',
      'What we refuse to do',
      buildList(
        ['We sell no score: a payment buys the reading of a site, and the same engine runs free on your own machine.'],
        ['We invent nothing: fixes use the facts that the site states, and say which facts only you can give.'],
        ['We do not overload sites: one audit makes at most 60 requests, and one host is read twice at once at most.'],
        ['We publish nothing that was not asked for: a report is private to its address until its buyer publishes it.'],
      ),
    ),
    buildSection(
      'who',
      'Who runs it',
      buildText(
        `${brand.name} is free software under the MIT licence, so more than one operator can run it. The operator of this deployment can be reached at `,
        reach(operator),
        '.',
      ),
      ...(operator.identities.length === 0
        ? []
        : [
            buildText('The operator is also known at these addresses:'),
            buildList(...operator.identities.map(buildKnownLink)),
          ]),
    ),
  ],
});

const buildKnownLink = (href: string): readonly Inline[] => [buildLink(href, href)];

const buildContactPage = (operator: Operator): PageText => ({
  path: '/contact',
  title: `Contact ${brand.name}`,
  description: `How to reach the operator of ${brand.name}: questions about a payment or a report, complaints about our bot, and weaknesses that should stay private.`,
  changed: WORDS_CHANGED,
  lead:
    operator.contact === undefined
      ? [
          'The operator of this deployment has not stated an address yet. What most people write for can be done without:',
        ]
      : [
          'Write to the operator of this deployment at ',
          reach(operator),
          '. What most people write for can also be done at once:',
        ],
  sections: [
    buildSection(
      'payment',
      'A payment without a result',
      buildText(
        'Send the same request again with the same payment: it is answered with the stored result, or with the reason. Every problem has a code, a page that explains the code, and a request number. Put that number into your letter, never a key or a payment header.',
      ),
    ),
    buildSection(
      'bot',
      'Our bot on your site',
      buildText(
        'What our audits ask of a website is described on ',
        buildLink('the page about our bot', '/bot'),
        '. The bot calls when someone asks for an audit of your host, and all callers together are held to a limit an hour.',
      ),
    ),
    buildSection(
      'weakness',
      'A weakness of the service',
      buildText(
        'Report it privately, and leave money and data of others alone. What we care about most is a payment taken without a result, a way to make the service read a private address, and secrets in answers.',
      ),
    ),
  ],
});

const buildPrivacyPage = (operator: Operator): PageText => ({
  path: '/privacy',
  title: 'Privacy',
  description: `What ${brand.name} keeps of calls, payments and reports, for how long and why. No advertising, no measuring of readers, nothing loaded from elsewhere.`,
  changed: WORDS_CHANGED,
  lead: [
    'These pages load nothing from anywhere else, measure no one and show no advertising. This is what is stored:',
  ],
  sections: [
    buildSection(
      'kept',
      'What is stored',
      buildList(
        [
          'Reports: to be read for thirty days under an address that cannot be guessed, deleted within the thirty days after. They hold what was read from public pages, or what an answer engine said.',
        ],
        [
          'Payments: the paying address and the transaction, so that no payment is accepted twice. Both are public on the chain anyway. Beside them the sum that an address has paid in all, until 400 days after its last purchase or until you delete the account.',
        ],
        [
          'Purchases by card, where they are offered: the account, the pack, the amount, and the names that Stripe gave the payment. The card, your name and your address go to Stripe alone, on whose page you pay.',
        ],
        [
          'Accounts: the Ethereum address that signed in, its credits with their movements of 400 days, the reports that it bought in the last 31 days, and the clients it let in. You can delete an account on its page; the page says what has to stay.',
        ],
        [
          'Free previews: the address asked for and what the preview showed, for about an hour, so that the same question within ten minutes asks the site nothing.',
        ],
        [
          'Brand measurements: brand and niche are stored with the report. The niche is asked about at the answer engine of the operator.',
        ],
        [
          'Published scores: the newest fifty reports of a host, until they are taken back; of those the address is stored, so that nothing publishes them again by itself.',
        ],
        ['Logs: time, route, outcome and request number. Keys, tokens and payment headers are never written.'],
      ),
    ),
    buildSection(
      'cookies',
      'Cookies',
      buildText(
        'A cookie is set when you open the sign-in or the account page, and serves to know that you signed in. There are no others. The browser itself may keep, in its own storage, what a page needs to show a report that you bought.',
      ),
    ),
    buildSection(
      'published',
      'What becomes public',
      buildText(
        'A report becomes public when its buyer publishes it, and only reports of the start page of a site, judged with the detected profile, can be. Badge and history of a host are made of published reports alone.',
      ),
    ),
    buildSection(
      'ask',
      'Whom to ask',
      buildText('Questions about what is stored go to the operator of this deployment: ', reach(operator), '.'),
    ),
  ],
});

const terms: PageText = {
  path: '/terms',
  title: 'Terms',
  description: `The rules of ${brand.name}: prices, what a payment buys, when nothing is charged, what may be audited, and what the software does not promise.`,
  changed: WORDS_CHANGED,
  lead: ['These are the rules of the service. The prices and what each capability returns are in the catalogue.'],
  sections: [
    buildSection(
      'sale',
      'What a payment buys',
      buildText(
        'One payment buys one result of one capability, at the price of ',
        buildLink('the catalogue', '/prices'),
        '. Nothing is charged without delivery. Value above the price is accepted and not paid back, and there are no refunds on the chain. A transfer whose work could not be delivered can be used again for thirty days.',
      ),
    ),
    buildSection(
      'use',
      'What may be audited',
      buildText(
        'Audit sites that anyone may read. The service opens public addresses only, reads at most 60 documents of a site, and turns callers away who would make it a burden to others. Generated files and fixes are yours to use as you like.',
      ),
    ),
    buildSection(
      'promise',
      'What is not promised',
      buildText(
        'A score is what the checks came to on the day of the report; no one can promise what an assistant will answer. The software is free under the MIT licence, which disclaims all warranties: read ',
        buildCode('LICENSE'),
        ' in its repository.',
      ),
    ),
  ],
};
