import { creditPacks, findCreditPack } from '../../../src/capabilities/credit-packs.ts';
import { isCreditMonth, MAX_LINES_READ } from '../../../src/payment/credits/lines.ts';
import type { CreditLines } from '../../../src/payment/credits/protocol.ts';
import type { CreditLine } from '../../../src/payment/credits/credit-line.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { Balance, formatCreditsCsv, renderCreditsPage } from '../../../src/web/account/credits.tsx';
import { CARD_PATH } from '../../../src/web/account/cards.tsx';
import { creditsWords } from '../../../src/web/account/credits-words.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { formatDollars } from '../../../src/web/language/amounts.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { buildBuyPanel } from '../pages/buy-panel.ts';
import { showPage } from '../pages/pages.ts';
import { buildCardForm, payByCard, showCardPurchase } from './cards.ts';
import { receiptDownloads } from './receipts.ts';
import type { AccountSection, AccountVisit } from './visit.ts';

const CREDITS_PATH = '/account/credits';
/** Movements on one page. */
const PAGE_LINES = 50;
/** Movements of one file. */
const MAX_CSV_LINES = 10_000;
/** `<milliseconds>.<id>`: an id is of a call, or a key of the ledger, a space and a pack, and only ever a bound parameter. */
const PLACE = /^(\d{1,15})\.(.{1,300})$/;

const openCredits = ({ c, session }: AccountVisit) => createCreditAccounts(c.env, logLine).open(session.accountId);

/** What can be spent; undefined when the account cannot be asked, which is logged. */
export const readCredits = (visit: AccountVisit) => runOrUnavailable(() => openCredits(visit).view(), undefined);

/**
 * Prepaid credits: the balance, packs to buy, and every movement.
 * @param frameOf the frame for what is not the page of the section itself
 */
export const createCreditsSection = (frameOf: (visit: AccountVisit) => AccountFrame): AccountSection => ({
  path: CREDITS_PATH,
  id: 'credits',
  title: (language) => creditsWords[language].title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    return { more: creditsWords[language].more, body: Balance({ view: await readCredits(visit), language }) };
  },
  show: showCredits,
  actions: [{ path: CARD_PATH, run: payByCard }],
  downloads: [
    { path: '/account/credits.csv', read: readCreditsFile },
    { path: CARD_PATH, read: (visit) => showCardPurchase(visit, frameOf(visit)) },
    ...receiptDownloads,
  ],
  exported: readCreditsExport,
});

async function readCreditsExport(visit: AccountVisit) {
  const [view, lines] = await Promise.all([readCredits(visit), runOrUnavailable(() => readAllLines(visit), undefined)]);
  return view && lines && { ...view, lines };
}

async function showCredits(visit: AccountVisit, frame: AccountFrame) {
  const { c, options, language } = visit;
  const month = readMonth(visit);
  const pack = findCreditPack(c.req.query('pack') ?? '') ?? creditPacks[0];
  if (pack === undefined) throw new Error('no credits are sold');
  const [view, found] = await Promise.all([readCredits(visit), readLines(visit, month)]);
  const amount = formatDollars(pack.priceMicroUsdc, language);
  const words = creditsWords[language];
  const buy = await buildBuyPanel(c, options, {
    capability: pack.name,
    goods: { heading: words.pack(amount), promise: words.promise(amount), fields: '' },
  });
  const card = buildCardForm(visit, pack.dollars);
  const page = renderCreditsPage({
    frame,
    addresses: visit.session.addresses ?? [],
    view,
    lines: found?.lines.slice(0, PAGE_LINES),
    months: found?.months ?? [],
    month,
    older: found === undefined ? undefined : formatOlderPath(found.lines, month),
    packs: creditPacks.map(({ dollars }) => ({ dollars, isChosen: dollars === pack.dollars })),
    buy: { ...buy, hasSession: false }, // Credits are not bought with credits.
    card: card?.form,
  });
  return showPage(c, page, { script: true, ...(card === undefined ? {} : { formLeadsTo: card.leadsTo }) });
}

/** The month that is asked for; undefined for all of them, and for what names none. */
function readMonth({ c }: AccountVisit): string | undefined {
  const month = c.req.query('month') ?? '';
  return isCreditMonth(month) ? month : undefined;
}

function readLines(visit: AccountVisit, month: string | undefined): Promise<CreditLines | undefined> {
  const [, atMs, id] = PLACE.exec(visit.c.req.query('after') ?? '') ?? [];
  const after = atMs === undefined || id === undefined ? undefined : { atMs: Number(atMs), id };
  return runOrUnavailable<CreditLines | undefined>(
    () => openCredits(visit).lines({ month, after, limit: PAGE_LINES + 1 }),
    undefined,
  );
}

/** Where the list goes on, when there is more than a page of it. */
function formatOlderPath(lines: readonly CreditLine[], month: string | undefined): string | undefined {
  const last = lines[PAGE_LINES - 1];
  if (last === undefined || lines.length <= PAGE_LINES) return undefined;
  const query = new URLSearchParams({ ...(month === undefined ? {} : { month }), after: `${last.atMs}.${last.id}` });
  return `${CREDITS_PATH}?${query.toString()}#use`;
}

/** Every line, or those of a month. */
async function readAllLines(visit: AccountVisit, month?: string): Promise<readonly CreditLine[]> {
  const account = openCredits(visit);
  const all: CreditLine[] = [];
  for (let after: CreditLine | undefined; all.length < MAX_CSV_LINES; after = all.at(-1)) {
    const { lines } = await account.lines({
      month,
      after: after && { atMs: after.atMs, id: after.id },
      limit: MAX_LINES_READ,
    });
    all.push(...lines);
    if (lines.length < MAX_LINES_READ) break;
  }
  return all;
}

async function readCreditsFile(visit: AccountVisit): Promise<Response> {
  const month = readMonth(visit);
  const all = await readAllLines(visit, month);
  return new Response(formatCreditsCsv(all), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="credits-${month ?? 'all'}.csv"`,
      'cache-control': 'no-store',
    },
  });
}
