import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildHeaderEvidence, buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import type { Site } from '../../core/site.ts';
import { judgeEndpoint } from './agent-cards.ts';
import { extractStatedPrice } from '../facts/price-page.ts';
import type { OfferReading } from '../facts/x402-offer.ts';
import type { Exchange } from '../../core/snapshot.ts';

export const paymentChecks = [
  defineCheck({
    id: 'agent.pay.x402',
    title: 'x402 is offered correctly when payments exist',
    failureTitle: 'Offer x402 in a form that clients can use',
    weight: 1,
    grade: 'B',
    why: 'A paying agent reads the terms from the 402 answer; one field it cannot read, and it goes elsewhere.',
    source:
      'https://github.com/x402-foundation/x402 (before: coinbase/x402) specs/x402-specification-v2.md and specs/transports-v2/http.md',
    read: '2026-11-23',
    fix: 'Answer 402 with PAYMENT-REQUIRED: base64 of {"x402Version":2,"resource":{"url":...},"accepts":[{scheme, network, amount, asset, payTo, maxTimeoutSeconds}]}.',
    capabilities: ['check_agent_files'],
    needs: ['payments'],
    judge: judgeOffers,
  }),
  defineCheck({
    id: 'agent.pay.x402-discovery',
    title: 'x402 resources are discoverable',
    failureTitle: 'Make paid resources discoverable',
    weight: 0,
    grade: 'C',
    why: 'No specification says how paid resources are found; a 402 in the OpenAPI document and the bazaar extension are what catalogues read.',
    source: 'https://docs.cdp.coinbase.com/x402/bazaar',
    fix: 'Declare the 402 answer of paid operations in the OpenAPI document.',
    capabilities: ['check_agent_files'],
    needs: ['payments'],
    judge: judgeDiscovery,
  }),
  defineCheck({
    id: 'agent.pay.price-page',
    title: 'Prices are readable without sales contact',
    failureTitle: 'Show prices without a sales contact',
    weight: 1,
    grade: 'C',
    why: 'An agent that compares offers leaves out the one whose price it cannot read. Judged is the text that the server sends, on the page that the start page links as its prices.',
    source: 'https://github.com/agentready-org/standard, changelog of v2.0 (October 2026), AR-READ-11 (SHOULD)',
    fix: 'Write at least one amount with its currency, or "free", into the HTML of the page of prices, even as "from".',
    needs: ['pricePage'],
    judge: judgePrices,
  }),
  defineCheck({
    id: 'agent.pay.ucp-live',
    title: 'The endpoint of the UCP profile answers when declared',
    failureTitle: 'Repair the endpoint of the UCP profile',
    weight: 1,
    grade: 'B',
    why: 'An agent that shops reads the profile and calls the endpoint that it declares; a dead one ends the purchase. Asked with GET, and with OPTIONS where GET finds nothing; 401, 402 and 405 are answers too. Nothing is bought.',
    source: 'https://ucp.dev/ (discovery profile and service bindings, 2026-04-08)',
    read: '2026-11-26',
    fix: 'Name an https address that answers as endpoint of each service in /.well-known/ucp, or remove the service.',
    needs: ['commerceEndpoint'],
    judge: (facts, site) => judgeCommerceEndpoint(facts, site),
  }),
];

type Graded = { rank: number; outcome: CheckOutcome };

/** The worst of the 402 answers speaks for the site. */
function judgeOffers({ payments: { offers, asked, documented } }: FactsOf<'payments'>): CheckOutcome {
  if (offers.length === 0) {
    const unread = asked.filter(({ answer }) => !answer.ok);
    if (documented.length > 0 && unread.length > 0)
      return verdict.unknown(
        'The documented paid paths could not be read.',
        unread.map((exchange) => buildRequestEvidence(exchange)),
      );
    return verdict.notApplicable('No 402 answer was seen.');
  }
  const graded = offers.map(({ exchange, reading }) => judgeOffer(exchange, reading));
  const [worst] = graded.toSorted((a, b) => a.rank - b.rank);
  return worst?.outcome ?? verdict.notApplicable('No 402 answer was seen.');
}

function judgeOffer(exchange: Exchange, reading: OfferReading): Graded {
  const evidence: CheckEvidence[] = [buildHeaderEvidence(exchange, 'payment-required')];
  if (reading.state === 'other')
    return { rank: 4, outcome: verdict.notApplicable(`The 402 answer offers ${reading.why}, not x402.`) };
  if (reading.state === 'unreadable')
    return { rank: 2, outcome: verdict.unknown(`The answer has ${reading.why}.`, evidence) };
  if (reading.state !== 'offer')
    return { rank: 0, outcome: verdict.fail(`The 402 answer has ${reading.why}.`, evidence) };
  const { version, where, issues, options } = reading.offer;
  const faults = issues.map(({ pointer, message }) =>
    buildRequestEvidence(exchange, { selector: pointer, excerpt: message }),
  );
  if (issues.length > 0)
    return {
      rank: 0,
      outcome: verdict.fail(`The terms have ${formatCount(issues.length, 'fault')}: ${issueNote(issues, 3)}`, [
        ...evidence,
        ...faults,
      ]),
    };
  if (version === 1)
    return {
      rank: 1,
      outcome: verdict.partial(
        0.5,
        'The terms are of x402 version 1, in the body: clients of version 2 read the header.',
        evidence,
      ),
    };
  if (where === 'body')
    return {
      rank: 1,
      outcome: verdict.partial(
        0.5,
        'The terms of version 2 are only in the body: clients read the PAYMENT-REQUIRED header.',
        evidence,
      ),
    };
  const ways = options.map(({ scheme, network, amount }) => `${scheme} ${amount} on ${network}`).join('; ');
  const terms = buildRequestEvidence(exchange, { header: 'payment-required', excerpt: ways });
  return { rank: 3, outcome: verdict.pass(`x402 version 2 with ${formatCount(options.length, 'way')} to pay.`, terms) };
}

function judgeDiscovery({ payments: { offers, asked, documentedOperations } }: FactsOf<'payments'>): CheckOutcome {
  const bazaar = offers.find(({ reading }) => reading.state === 'offer' && reading.offer.bazaar);
  if (documentedOperations > 0 || bazaar) {
    const where = [
      ...(documentedOperations > 0
        ? [`${formatCount(documentedOperations, 'operation')} of the OpenAPI document`]
        : []),
      ...(bazaar ? ['the bazaar extension of a 402 answer'] : []),
    ];
    const shown = bazaar ? [bazaar.exchange] : asked;
    return verdict.pass(
      `Paid resources are declared in ${where.join(' and ')}.`,
      shown.map((exchange) => buildRequestEvidence(exchange)),
    );
  }
  if (!offers.some(({ reading }) => reading.state === 'offer'))
    return verdict.notApplicable('No x402 resource was seen.');
  return verdict.partial(
    0.5,
    'x402 is offered and declared nowhere that we looked.',
    offers.map(({ exchange }) => buildRequestEvidence(exchange)),
  );
}

function judgePrices({ pricePage: prices }: FactsOf<'pricePage'>): CheckOutcome {
  if (prices === 'none') return verdict.notApplicable('The start page links no page of prices.');
  if (prices === 'not_asked')
    return verdict.unknown('The page of prices was not read: the budget of requests was used up.');
  const { exchange, read } = prices;
  if (read.state === 'unreadable')
    return verdict.unknown(`The page of prices could not be read (${read.why}).`, buildRequestEvidence(exchange));
  if (read.state === 'dead')
    return verdict.fail('The link to the prices leads nowhere.', buildRequestEvidence(exchange));
  const { kind, excerpt } = extractStatedPrice(read.page);
  const evidence = buildRequestEvidence(exchange, { selector: 'body', excerpt });
  if (kind === 'amount') return verdict.pass('The page of prices states an amount.', evidence);
  if (kind === 'free') return verdict.pass('The page of prices says that it costs nothing.', evidence);
  if (kind === 'contact') return verdict.partial(0.5, 'The page of prices only says whom to ask.', evidence);
  return verdict.fail('The text of the page of prices states no price.', evidence);
}

const judgeCommerceEndpoint = ({ commerceEndpoint }: FactsOf<'commerceEndpoint'>, site: Site): CheckOutcome =>
  judgeEndpoint(commerceEndpoint, site, {
    unseen: 'Whether there is a commerce profile could not be seen.',
    absent: 'No commerce profile declares an endpoint.',
    what: 'endpoint',
    of: 'the profile',
    selector: '/ucp/services',
    mayBeOthers: true,
  });
