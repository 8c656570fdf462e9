import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, buildRequestEvidence } from '../../core/evidence.ts';
import { listNumberReadings } from '../../language/statistics.ts';
import { isRefusalStatus } from '../../reach/facts/blocked-crawler.ts';
import type { SamplePage } from '../../reach/facts/site-files.ts';
import { normaliseComparableUrl } from '../../reach/facts/urls.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listProducts } from '../../structured-data/facts/schema-nodes.ts';
import { type FeedProduct, feedFields, parseProductFeed } from '../facts/product-feed.ts';

/** Checks of what a shop hands to shopping agents as a list. */
export const productFeedChecks = [
  defineCheck({
    id: 'agent.feed.products',
    title: 'The product feed is complete and true when present',
    failureTitle: 'Complete and correct the product feed',
    weight: 1,
    grade: 'B',
    why: 'Shopping agents take a product from its feed: an item without price, link or stock is left out, and one whose price is not that of its page misleads. Judged is a feed that the start page names; one that is handed to a programme by upload cannot be seen.',
    source:
      'https://support.google.com/merchants/answer/7052112 (product data specification); Agentic Commerce Protocol, product feed specification',
    fix: 'Give every item id, title, link, price with its currency and availability, built from the same values as the page.',
    needs: ['start', 'page', 'samplePages', 'productFeed'],
    judge: judgeFeed,
  }),
];

type Facts = FactsOf<'start' | 'page' | 'samplePages' | 'productFeed'>;

function judgeFeed({ start, page, samplePages, productFeed: { link, exchange } }: Facts): CheckOutcome {
  if (!link) return verdict.notApplicable('The start page names no feed of products.');
  const named = buildEvidence(start.exchange, { selector: 'link, a[href]', line: link.line, excerpt: link.href });
  if (!exchange) return verdict.unknown('The feed was not asked: the budget of requests was used up.', named);
  const { answer } = exchange;
  if (!answer.ok || isRefusalStatus(answer.status) || answer.status >= 500)
    return verdict.unknown('The feed gave us no answer to judge.', [buildRequestEvidence(exchange), named]);
  if (answer.status >= 400)
    return verdict.fail('The feed that the start page names is not there.', [buildRequestEvidence(exchange), named]);
  const products = parseProductFeed(answer.body);
  if (products.length === 0)
    return verdict.fail('The feed that the start page names lists no products.', [
      buildRequestEvidence(exchange),
      named,
    ]);
  const faulty = products.filter((product) => listMissing(product).length > 0);
  const pages = [{ exchange: start.exchange, page }, ...samplePages];
  const untrue = products.filter((product) => hasOtherPrice(product, pages));
  const share = 1 - new Set([...faulty, ...untrue]).size / products.length;
  const missing = [...new Set(faulty.flatMap(listMissing))];
  const words = [
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}`]),
    ...(untrue.length === 0 ? [] : [`${formatCount(untrue.length, 'price')} not that of the page`]),
  ];
  const note = `${products.length - new Set([...faulty, ...untrue]).size} of ${formatCount(products.length, 'product')} complete and true${words.length === 0 ? '' : `; ${words.join('; ')}`}.`;
  const shown = [...untrue, ...faulty]
    .slice(0, 5)
    .map((product) =>
      buildRequestEvidence(exchange, { selector: 'item', excerpt: `${product.id}: ${product.link} ${product.price}` }),
    );
  const evidence = shown.length > 0 ? shown : [buildRequestEvidence(exchange)];
  // One false price is a fault, however many are right.
  if (untrue.length > 0)
    return verdict.partial(Math.min(0.5, Math.max(0.1, Math.round(share * 1000) / 1000)), note, evidence);
  return verdict.byShare(share, { passAt: 0.98, partialAt: 0.1 }, note, evidence);
}

const listMissing = (product: FeedProduct): readonly string[] =>
  feedFields.filter((field) => product[field].trim() === '');

/** The page of a product was read, and none of its structured prices is that of the feed. */
function hasOtherPrice({ link, price }: FeedProduct, pages: readonly SamplePage[]): boolean {
  const key = normaliseComparableUrl(link.trim());
  const at = pages.find(({ page }) => normaliseComparableUrl(page.url) === key);
  if (!at || price.trim() === '') return false;
  const prices = listProducts(getJsonLd(at.page).graph).flatMap(({ offers }) =>
    offers.flatMap((offer) => offer.prices),
  );
  if (prices.length === 0) return false;
  const values = readPrices(price);
  return !prices.some((stated) => readPrices(stated).some((value) => values.includes(value)));
}

function readPrices(text: string): readonly number[] {
  const digits = text.replaceAll(/[^\d.,']/g, '');
  const exact = Number(digits);
  return digits !== '' && Number.isFinite(exact) ? [exact] : listNumberReadings(digits);
}
