import { channelsPage } from './channels.ts';
import type { ConsoleAction, ConsoleDownload, ConsolePage, ConsoleContext, NothingToShow } from './console-request.ts';
import { deadLettersPage } from './dead-letters.ts';
import { logsPage } from './logs.ts';
import { quotasPage } from './quotas.ts';
import { tracePage, tracesPage } from './traces.ts';
import { renderOverview, type OverviewTile, type Tile } from '../../../src/web/console/overview.tsx';
import { logLine } from '../../shared/telemetry.ts';
import { formatRevenueCsv, sumRevenue, formatMicroUsdc } from '../../../src/web/console/money-numbers.ts';
import { renderMoney, RANGES } from '../../../src/web/console/money.tsx';
import type { Revenue } from '../../../src/console-api/operations.ts';
import type { PaymentState } from '../../../src/payment/ledger/list.ts';
import { PAYMENT_STATES, renderPayments } from '../../../src/web/console/payments.tsx';
import { renderRuns } from '../../../src/web/console/runs.tsx';

// A page that has little to read is declared here, with what it reads; the others are in files of their own, named like
// their views in `src/web/console`.

/** A tile that is not there by then could not be looked up. */
export const TILE_TIMEOUT_MS = 5_000;

type TiledPage = ConsolePage & { tile: NonNullable<ConsolePage['tile']> };

/** `/console/`: a tile of every page that has one, each looked up by itself. */
export const overviewPage: ConsolePage = {
  path: '/console/',
  title: 'Overview',
  show: async (c) => renderOverview(await Promise.all(c.pages.filter(isTiled).map((page) => loadTile(page, c)))),
};

const isTiled = (page: ConsolePage): page is TiledPage => page.tile !== undefined;

async function loadTile({ path: href, title, tile }: TiledPage, c: ConsoleContext): Promise<OverviewTile> {
  const late = scheduler.wait(TILE_TIMEOUT_MS).then(() => undefined);
  try {
    const seen = await Promise.race([tile(c), late]);
    return seen === undefined ? { href, title, seen: false } : { href, seen: true, ...seen };
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_tile_failed', request_id: c.requestId, route: href, error: name });
    return { href, title, seen: false };
  }
}

const DEFAULT_DAYS = 30;

/** `/console/money?days=30`: revenue per capability and day, failed settlements, and what credits were used for. */
const moneyPage: ConsolePage = {
  path: '/console/money',
  title: 'Money',
  scripts: ['/web/revenue.js'],
  show: async (c) => {
    const days = parseDays(c);
    return days === undefined ? NO_SUCH_RANGE : renderMoney(await c.env.OPERATIONS.revenue({ days }));
  },
  tile: buildRevenueTile,
  downloads: [{ path: '/console/money.csv', read: readRevenueFile }],
};

async function readRevenueFile(c: ConsoleContext) {
  const days = parseDays(c);
  if (days === undefined) return NO_SUCH_RANGE;
  return {
    name: `revenue-${days}-days.csv`,
    type: 'text/csv; charset=utf-8; header=present',
    text: formatRevenueCsv(await c.env.OPERATIONS.revenue({ days })),
  };
}

async function buildRevenueTile(c: ConsoleContext): Promise<Tile> {
  const { lines, unread, shards, facilitator } = await c.env.OPERATIONS.revenue({ days: 1 });
  const { netMicroUsdc, sales, failures } = sumRevenue(lines);
  const unseen = unread === 0 ? '' : `; could not read ${unread} of ${shards} shards`;
  return {
    title: 'Revenue today',
    value: `${formatMicroUsdc(netMicroUsdc)} USDC`,
    note: `${sales} sales, ${failures} failed settlements, by UTC${unseen}${formatTrustNote(facilitator)}`,
  };
}

/** Nothing to say while the facilitator is believed. */
function formatTrustNote(facilitator: Revenue['facilitator']): string {
  if (!facilitator.read) return '; could not check whether the facilitator is trusted';
  return facilitator.distrustedAtMs === null ? '' : '; the facilitator is not trusted';
}

function parseDays({ query }: ConsoleContext): number | undefined {
  const given = query.get('days') ?? String(DEFAULT_DAYS);
  return RANGES.find((range) => String(range) === given);
}

const NO_SUCH_RANGE: NothingToShow = {
  status: 400,
  title: 'There is no such range',
  detail: `Ask for ${RANGES.join(', ')} days.`,
};

const PAGE = 50;
const MAX_CURSOR_CHARS = 40;

/** `/console/payments?state=refused&cursor=...`: payments with their state and what proves them. */
const paymentsPage: ConsolePage = {
  path: '/console/payments',
  title: 'Payments',
  show: async ({ env, query }) => {
    const given = query.get('state') ?? '';
    const state = given === '' ? undefined : parsePaymentState(given);
    const cursor = query.get('cursor') ?? undefined;
    if (given !== '' && state === undefined) return NO_SUCH_STATE;
    if (cursor !== undefined && cursor.length > MAX_CURSOR_CHARS) return NO_SUCH_PAGE;
    const page = await env.OPERATIONS.payments({
      limit: PAGE,
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return page === null ? NO_SUCH_PAGE : renderPayments({ ...page, state });
  },
};

function parsePaymentState(text: string): PaymentState | undefined {
  return Object.hasOwn(PAYMENT_STATES, text) ? (text as PaymentState) : undefined; // Its keys are the states.
}

const NO_SUCH_STATE: NothingToShow = {
  status: 400,
  title: 'There is no such state',
  detail: 'Choose one of the list of the page.',
};
const NO_SUCH_PAGE: NothingToShow = {
  status: 400,
  title: 'There is no such page of payments',
  detail: 'Begin with the newest payments again.',
};

const LISTED = 50;

/** `/console/runs`: measurements with their state and progress, and how many prompts wait. */
const runsPage: ConsolePage = {
  path: '/console/runs',
  title: 'Runs',
  show: async ({ env: { OPERATIONS } }) => {
    const [runs, { queues, deadLetters }] = await Promise.all([
      OPERATIONS.runs({ limit: LISTED }),
      OPERATIONS.queues(),
    ]);
    return renderRuns({ runs, queues, deadLetters });
  },
  tile: buildQueuesTile,
};

async function buildQueuesTile({ env: { OPERATIONS } }: ConsoleContext): Promise<Tile> {
  const { queues } = await OPERATIONS.queues();
  const counts = queues.map((queue) => (queue.read ? queue.messages : undefined));
  const known = counts.filter((count) => count !== undefined);
  if (known.length === 0) throw new Error('No queue could be read');
  const note = known.length < counts.length ? 'could not read every queue' : undefined;
  const value = String(known.reduce((sum, count) => sum + count, 0));
  return { title: 'Prompts that wait', value, ...(note === undefined ? {} : { note }) };
}

/** Every page of the console: its navigation and the tiles of the overview follow this order. */
export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  moneyPage,
  paymentsPage,
  runsPage,
  channelsPage,
  deadLettersPage,
  logsPage,
  tracesPage,
  tracePage,
  quotasPage,
];

/** Every file of the console. */
export const consoleDownloads: readonly ConsoleDownload[] = consolePages.flatMap(({ downloads = [] }) => downloads);

/** Everything that the console can have done. */
export const consoleActions: readonly ConsoleAction[] = consolePages.flatMap(({ actions = [] }) => actions);
