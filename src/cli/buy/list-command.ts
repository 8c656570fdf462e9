import { createInterface } from 'node:readline/promises';
import { exampleBodies } from '../../capabilities/bodies.ts';
import { findCapability } from '../../capabilities/catalog.ts';
import { formatUsdAmount } from '../../payment/terms/constants.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { createNotes, writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { buyWithX402 } from './buyer.ts';
import { readListing, type ListingRefusal } from './listing.ts';
import {
  type BuyerTools,
  DEFAULT_MAX_USD_PER_DAY,
  DEMO_MAX_USD_PER_DAY,
  forgetOrder,
  formatSalesPath,
  type OpenablePurchase,
} from './order.ts';
import { type Catalogue, fetchCatalogue, parseBaseUrl, type ServiceRefusal } from './service.ts';
import { describeOtherNetworks, type PaymentNetwork, readNetwork } from './network.ts';
import type { SpendingRefusal } from './spending.ts';
import { createBuyerTools } from './tools.ts';
import { chooseWallet, readStack, STACK_FILE, type Wallet } from './wallet.ts';

/** The most that one run pays where no other limit is given, in USD: all that is cheap, and a measurement. */
const DEFAULT_MAX_USD = 5;
const MICRO_PER_USD = 1_000_000;

/** What only asks needs no wallet. */
const { fetch: dial } = createBuyerTools({ loopback: false });

type ListValues = GivenWords<CommandTable['list']['options']>['values'];
/** Where the service is, what lists it, what it sells, and who is paid on the chosen network. */
type Place = {
  origin: string;
  facilitator: string;
  catalogue: Catalogue & { ok: true };
  network: PaymentNetwork;
  payTo: string;
};
/** A route that is sold. `paid`: how buying it ended in this run. */
export type ListedRoute = { name: string; url: string; microUsdc: number; listed: boolean; paid?: string };

/**
 * `sightline list`: which paid routes of a service the directory of its facilitator has. With `--self-pay` it buys each
 * route that is not there once, since facilitators list what they settle; the money goes to the payee of the service.
 */
export async function listCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('list', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const maxUsd = values['max-usd'] === undefined ? DEFAULT_MAX_USD : Number(values['max-usd']);
  if (!Number.isFinite(maxUsd) || maxUsd <= 0) return refuseUsage('--max-usd takes an amount in USD, such as 2.50.');
  const place = await findPlace(values);
  if (isFailure(place)) return place;
  const names = words.length === 0 ? [...place.catalogue.results] : words;
  const unknown = names.find((name) => !place.catalogue.rows.has(name));
  if (unknown !== undefined) return refuseUsage(formatSafeLine(`The catalogue has no ${unknown}.`));
  const before = await readRoutes(place, names);
  if (isFailure(before)) return before;
  if (values['self-pay'] !== true) return report(before, values);
  const paid = await payRoutes(place, before, values, maxUsd);
  if (isFailure(paid)) return paid;
  const after = await readRoutes(place, names);
  if (isFailure(after)) return after;
  return report(
    after.map((route) => ({ ...route, ...paid.get(route.name) })),
    values,
  );
}

async function findPlace(values: ListValues): Promise<Place | CommandFailure> {
  const network = readNetwork(values);
  if (isFailure(network)) return network;
  const stack = values.base === undefined ? await readStack(STACK_FILE) : undefined;
  if (stack?.ok === false) return refuseCommand(stack.reason, stack.detail, EXIT.unreachable, NAME_SERVICE);
  const facilitator = values.facilitator ?? stack?.stack.facilitator ?? process.env['FACILITATOR_URL'];
  if (facilitator === undefined)
    return refuseUsage('Name the facilitator of the service with --facilitator <url>, or FACILITATOR_URL.');
  const base = parseBaseUrl(values.base ?? stack?.stack.api ?? '');
  if (!base.ok) return refuseService(base);
  const catalogue = await fetchCatalogue(base.origin, dial);
  if (!catalogue.ok) return refuseService(catalogue);
  const payee = catalogue.findPayee(network);
  if (payee === undefined)
    return refuseCommand('not_for_sale', 'The service names no payee: it sells nothing.', EXIT.below);
  if (!payee.ok) return refuseService(payee, describeOtherNetworks(payee.offered));
  return { origin: base.origin, facilitator, catalogue, network, payTo: payee.payTo };
}

const NAME_SERVICE = 'Name the service with --base <url>; npm start in a checkout runs one here.';

const refuseService = (
  { reason, detail }: ServiceRefusal | ListingRefusal | SpendingRefusal,
  next?: string,
): CommandFailure =>
  refuseCommand(reason, `${reason}: ${detail}`, reason === 'service_unreachable' ? EXIT.unreachable : EXIT.below, next);

async function readRoutes(
  { origin, facilitator, catalogue, payTo }: Place,
  names: readonly string[],
): Promise<readonly ListedRoute[] | CommandFailure> {
  const listing = await readListing(facilitator, payTo, dial);
  if (!listing.ok) return refuseService(listing);
  return names.map((name) => {
    const url = `${origin}${formatSalesPath(name)}`;
    return { name, url, microUsdc: catalogue.rows.get(name)?.microUsdc ?? 0, listed: listing.resources.has(url) };
  });
}

type Payments = ReadonlyMap<string, { paid: string }>;

/** Buys what is not listed, the cheapest first, once the whole price was shown and agreed to. */
async function payRoutes(
  place: Place,
  routes: readonly ListedRoute[],
  values: ListValues,
  maxUsd: number,
): Promise<Payments | CommandFailure> {
  const notes = createNotes(values);
  const wanted = routes
    .filter(
      ({ name, listed }) => (values.all === true || !listed) && place.catalogue.rows.get(name)?.isAvailable === true,
    )
    .toSorted((one, other) => one.microUsdc - other.microUsdc);
  if (wanted.length === 0) return new Map();
  const totalMicroUsdc = wanted.reduce((sum, { microUsdc }) => sum + microUsdc, 0);
  const total = formatUsdAmount(totalMicroUsdc);
  notes(`${countRoutes(wanted.length)} to buy, ${total} USD in all: ${wanted.map(({ name }) => name).join(', ')}`);
  if (totalMicroUsdc > maxUsd * MICRO_PER_USD)
    return refuseCommand(
      'amount_above_cap',
      `${total} USD in all is more than your limit of ${maxUsd} USD. Nothing was signed or paid.`,
      EXIT.below,
      `Raise it with --max-usd ${total}, or name the routes to buy.`,
    );
  const wallet = await chooseWallet(place.origin, process.env, STACK_FILE);
  if (!wallet.ok) return refuseCommand(wallet.reason, `${wallet.reason}: ${wallet.detail}`, EXIT.usage);
  if (values.yes !== true && !(await isAgreed(total)))
    return refuseUsage('Nothing was bought: agree to the price, or give --yes.');
  return buyEach(place, wanted, { values, wallet, notes });
}

/** Asks at a terminal; elsewhere no one can agree. */
async function isAgreed(total: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`Pay ${total} USD? [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

type Buying = { values: ListValues; wallet: Wallet; notes: (line: string) => void };

/** One after the other: each is a purchase by the buyer of `sightline buy`, with its limits (rule A9). */
async function buyEach(
  place: Place,
  wanted: readonly ListedRoute[],
  { values, wallet, notes }: Buying,
): Promise<Payments> {
  const tools: BuyerTools = createBuyerTools(wallet);
  const paid = new Map<string, { paid: string }>();
  for (const { name, microUsdc } of wanted) {
    const order = buildOrder(place, { name, microUsdc }, values, wallet);
    const purchase = await buyWithX402(order, tools);
    if (purchase.ok) await forgetOrder(order, purchase, tools);
    const outcome = purchase.ok ? 'paid' : formatSafeLine(`${purchase.reason}: ${purchase.detail}`);
    paid.set(name, { paid: outcome });
    notes(`${name}: ${outcome}`);
    if (!purchase.ok && ENDS.has(purchase.reason)) break;
  }
  return paid;
}

/** What holds for each further purchase as well. */
const ENDS: ReadonlySet<string> = new Set([
  'daily_limit_reached',
  'counter_unavailable',
  'orders_unavailable',
  'wrong_network',
]);

function buildOrder(
  { origin, network }: Place,
  { name, microUsdc }: Pick<ListedRoute, 'name' | 'microUsdc'>,
  values: ListValues,
  { account, loopback }: Wallet,
): OpenablePurchase {
  const maxUsdPerDay = loopback ? DEMO_MAX_USD_PER_DAY : DEFAULT_MAX_USD_PER_DAY;
  const maxUsd = microUsdc / MICRO_PER_USD;
  return {
    baseUrl: origin,
    capability: name,
    body: buildBody(name, values),
    account,
    maxUsd,
    maxUsdPerDay,
    network,
  };
}

/** The example of a route, about the site that was named. */
function buildBody(name: string, { site, competitor }: ListValues): Record<string, unknown> {
  const row = findCapability(name);
  if (row === undefined) return name.startsWith('credits_') ? {} : exampleBodies.visibility_check;
  const example = exampleBodies[row.name];
  return {
    ...example,
    ...(site === undefined || !('url' in example) ? {} : { url: site }),
    ...(competitor === undefined || !('competitor' in example) ? {} : { competitor }),
  };
}

const countRoutes = (count: number): string => (count === 1 ? '1 route' : `${count} routes`);

/** The table, and status 1 while something is not listed. */
function report(routes: readonly ListedRoute[], values: ListValues): CommandEnd {
  const missing = routes.filter(({ listed }) => !listed);
  const ended = writeResult(values.json === true ? formatJson(routes) : formatTable(routes, missing.length), values);
  return isFailure(ended) || missing.length === 0 ? ended : EXIT.below;
}

const formatJson = (routes: readonly ListedRoute[]): string =>
  `${formatSafeJson({
    routes: routes.map(({ name, url, microUsdc, listed, paid }) => ({
      name,
      url,
      price_usd: formatUsdAmount(microUsdc),
      listed,
      ...(paid === undefined ? {} : { paid }),
    })),
  })}\n`;

function formatTable(routes: readonly ListedRoute[], missing: number): string {
  const lines = routes.map(
    ({ name, microUsdc, listed }) =>
      `${listed ? 'listed' : 'not listed'.padEnd(10)}  ${formatUsdAmount(microUsdc).padStart(10)}  ${formatSafeLine(name)}`,
  );
  const end =
    missing === 0
      ? 'All of them are listed.'
      : `${countRoutes(missing)} not listed. Facilitators list what they settle, some only after an hour: run sightline list again, or with --self-pay.`;
  return `${lines.join('\n')}\n${end}\n`;
}
