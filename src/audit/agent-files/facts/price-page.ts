import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** Role of the request for the page of prices. */
export const PRICE_ROLE = 'price-page';

/** Characters of a page that are searched for prices. */
const MAX_CHARS = 200_000;

/** The page of prices that the start page links; `page` is its text, or why it has none to judge. */
export type PricePage = {
  href: string;
  exchange: Exchange;
  read: { state: 'page'; page: PageFacts } | { state: 'dead'; why: string } | { state: 'unreadable'; why: string };
};

/** Artifact `pricePage`; `none` without a link to prices, `not_asked` when it was not followed. */
export function readPricePage(snapshot: Snapshot): Artifact<PricePage | 'none' | 'not_asked'> {
  const start = readPageFacts(snapshot);
  if (start.state === 'failed') return start;
  const find = getExchangeLookup(snapshot);
  const href = findPriceLink(start.value, new URL(snapshot.url));
  if (href === undefined) return { state: 'ready', value: 'none' };
  const exchange = isOwnSection(href, start.value) ? find('page') : find(PRICE_ROLE);
  if (!exchange) return { state: 'ready', value: 'not_asked' };
  return { state: 'ready', value: { href, exchange, read: readPricePageState(exchange, find) } };
}

const PRICE_PATH =
  /\/(?:pricing|prices|price-?list|plans|plans-and-pricing|pricing-plans|preise|tarife|tarifs|prix|precios|prezzi|prijzen)(?:\.html?)?\/?$/iu;
const PRICE_TEXT =
  /^(?:see |view |our )?(?:pricing|prices|price list|plans|plans (?:&|and) pricing|preise|tarife|tarifs|prix|precios|prezzi|prijzen)$/iu;
const PRICE_SECTION = /^#(?:pricing|prices|plans|preise|tarifs|precios)$/iu;

/** Where the start page sends people who ask for prices: a page of the same host, or a section of its own. */
export function findPriceLink(page: PageFacts, start: URL): string | undefined {
  return page.anchors.find(({ href, text }) => {
    const url = URL.parse(href);
    if (!url || !/^https?:$/u.test(url.protocol) || url.host !== start.host) return false;
    return PRICE_PATH.test(url.pathname) || PRICE_SECTION.test(url.hash) || PRICE_TEXT.test(text.trim().slice(0, 60));
  })?.href;
}

/** Whether a link leads to a part of the page itself. */
export const isOwnSection = (href: string, page: PageFacts): boolean =>
  href.includes('#') && href.split('#')[0] === page.url.split('#')[0];

function readPricePageState(exchange: Exchange, find: ExchangeLookup): PricePage['read'] {
  const { answer } = exchange;
  if (!answer.ok) return { state: 'unreadable', why: answer.reason };
  if ([401, 403, 429].includes(answer.status) || answer.status >= 500)
    return { state: 'unreadable', why: `http_${answer.status}` };
  const control = exchange.role === 'page' ? undefined : find('control');
  if (control && readExistence(exchange, control, 'any').state === 'absent')
    return { state: 'dead', why: `answered ${answer.status}` };
  if (!isHtmlAnswer(answer)) return { state: 'unreadable', why: 'not_html' };
  return { state: 'page', page: getPageFacts(answer) };
}

const CODES = 'USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|USDC';
/** A symbol or code beside a number, on either side. */
const AMOUNT = new RegExp(
  String.raw`(?:[$€£¥₹₩₽₺]|\b(?:${CODES})\b)\s?\d[\d.,']{0,15}|\b\d[\d.,']{0,15}\s?(?:[€£¥₹₩₽₺]|(?:${CODES})\b|kr\b|zł)`,
  'u',
);
/** A word for "costs nothing" used as a price, as on a line by itself or next to a plan. */
const FREE =
  /^(?:[\p{L}\d ]{1,20}[:–-] )?(?:free|free (?:forever|plan|tier|of charge)|for free|kostenlos|gratis|gratuit|gratuito)[.!]?$/iu;
const FREE_PHRASE =
  /\b(?:is|are|remains?|completely|always) free\b|\bfree (?:of charge|forever|plan|tier)\b|\bno charge\b/iu;
const CONTACT =
  /\b(?:contact (?:us|sales)|talk to (?:us|sales|an expert)|request (?:a )?(?:quote|demo)|get a quote|on request|auf anfrage|sur devis)\b/iu;

/** What a page says of prices: the first amount or "free" in its text, the request to ask for them, or nothing. */
export function extractStatedPrice({ text }: PageFacts): {
  kind: 'amount' | 'free' | 'contact' | 'none';
  excerpt: string;
} {
  const lines = text.slice(0, MAX_CHARS).split('\n');
  const first = (test: (line: string) => boolean): string | undefined => lines.find(test)?.slice(0, 300);
  const amount = AMOUNT.exec(text.slice(0, MAX_CHARS))?.[0];
  if (amount !== undefined) return { kind: 'amount', excerpt: amount };
  const free = first((line) => line.length <= 300 && (FREE.test(line.trim()) || FREE_PHRASE.test(line)));
  if (free !== undefined) return { kind: 'free', excerpt: free };
  const contact = first((line) => CONTACT.test(line.slice(0, 300)));
  return contact === undefined ? { kind: 'none', excerpt: '' } : { kind: 'contact', excerpt: contact };
}
