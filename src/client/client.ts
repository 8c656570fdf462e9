import { toSightlineError, type WireAnswer } from './answer.ts';
import { createMemorySpending, readBudget, type SpendingBudget, type SpendingStore } from './budget.ts';
import { SightlineError } from './errors.ts';
import { createMemoryOrders, type OpenOrders } from './orders.ts';
import { type BuyerPorts, createBuyer, getSalesPath } from './purchase.ts';
import type { Progress } from './read-answer.ts';
import { createReport, formatQuery, getReportId, type ReportReader } from './report.ts';
import type {
  CapabilityBody,
  CapabilityName,
  Catalogue,
  DryRun,
  Offer,
  Publication,
  ViewedResult,
  ViewName,
} from './results.ts';
import { createTransport, DEFAULT_TIMEOUT_MS, type FetchPort, MAX_ATTEMPTS, type Transport } from './transport.ts';
import { type ExpectedTerms, type PaymentChain, refuseChain, type Wallet } from './wallet.ts';

export type SightlineOptions = {
  /** Address of the service, such as `https://sightline.example`. */
  baseUrl: string;
  /** What signs payments. Without it everything that is free works. */
  wallet?: Wallet;
  /** Most that may be spent, in USD; 1 a call and 20 a day (UTC) until you say otherwise. */
  budget?: Partial<SpendingBudget>;
  /** Where payments are saved before they are sent; in memory until you say otherwise. */
  orders?: OpenOrders;
  /** Where it is counted what was signed for; in memory until you say otherwise. */
  spending?: SpendingStore;
  /** The payee on your chain, where you know it better than the catalogue of the service. */
  payTo?: string;
  /** The chain to pay on; Base until you say otherwise. */
  chain?: PaymentChain;
  fetch?: FetchPort;
  /** Longest wait for one answer, in milliseconds. */
  timeoutMs?: number;
  /** Times that one request is sent at most; with a payment it is the same payment each time. */
  maxAttempts?: number;
};

export type ReadOptions<V extends ViewName = ViewName> = {
  /** How much of the result comes back; `summary` until you say otherwise. */
  view?: V;
  /** Members to keep, such as `scores` or `do_first(id,title)`. */
  fields?: readonly string[];
  signal?: AbortSignal;
};

export type BuyOptions<V extends ViewName = ViewName> = ReadOptions<V> & {
  /** Hears how far the work is. */
  onProgress?: (counts: Progress) => void;
  /**
   * Your own name for this purchase. A call with the same name and body is the same purchase for 30 days, and gets its
   * result again. Without a name a call is repeated only until its result is there.
   */
  order?: string;
};

export type Report<N extends CapabilityName = CapabilityName, V extends ViewName = 'summary'> = ViewedResult<N, V> &
  ReportReader;

export type SightlineClient = {
  /** Buys `full_audit` of a website: all four scores. */
  audit: <V extends ViewName = 'summary'>(url: string, options?: BuyOptions<V>) => Promise<Report<'full_audit', V>>;
  /** Buys a capability of the catalogue, a panel or a tool. */
  buy: <N extends CapabilityName, V extends ViewName = 'summary'>(
    capability: N,
    body: CapabilityBody<N>,
    options?: BuyOptions<V>,
  ) => Promise<Report<N, V>>;
  /** What `buy` with the same words would be charged, and whether the site answers; signs and pays nothing. */
  dryRun: <N extends CapabilityName>(
    capability: N,
    body: CapabilityBody<N>,
    options?: { signal?: AbortSignal },
  ) => Promise<DryRun>;
  /** Reads a bought report again, free. */
  report: <V extends ViewName = 'summary'>(id: string, options?: ReadOptions<V>) => Promise<Report<CapabilityName, V>>;
  /** What is for sale, free. */
  catalogue: (options?: { signal?: AbortSignal }) => Promise<Catalogue>;
  /** Publishes a report of yours: its badge and history become public. */
  publish: (report: { report_id: string; publish_token?: string }) => Promise<Publication>;
};

/** How long a price and a payee of the catalogue are taken as known. */
const CATALOGUE_TTL_MS = 10 * 60 * 1_000;

/**
 * A client of one service. It signs nothing above its budget, never signs a second payment while it is not known what
 * became of the first, and sends a request again where the service asks for that.
 */
export function sightline(options: SightlineOptions): SightlineClient {
  const { wallet, chain = 'eip155:8453', timeoutMs = DEFAULT_TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS } = options;
  const fetchPort: FetchPort = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const transport = createTransport({ baseUrl: options.baseUrl, fetch: fetchPort, timeoutMs, maxAttempts });
  const ports: BuyerPorts = {
    transport,
    wallet,
    chain,
    budget: readBudget(options.budget),
    spending: options.spending ?? createMemorySpending(),
    orders: options.orders ?? createMemoryOrders(),
    expect: createExpectation(transport, chain, options.payTo),
  };
  const buyer = createBuyer(ports);
  const buy: SightlineClient['buy'] = async (capability, body, buying = {}) => {
    const { order: name, signal, onProgress } = buying;
    const query = formatView(buying);
    const answer = await buyer.buy({ capability, body, query, name, signal, onProgress });
    return createReport(transport, answer.body) as never;
  };
  return {
    buy,
    audit: (url, buying) => buy('full_audit', { url }, buying),
    report: async (id, reading = {}) => {
      const path = `/reports/${encodeURIComponent(id)}.json${formatView(reading)}`;
      return createReport(transport, readBody(await transport.send({ path, signal: reading.signal }))) as never;
    },
    dryRun: async (capability, body, { signal } = {}) => {
      const path = `${getSalesPath(capability)}?dry=1`;
      const headers = { 'content-type': 'application/json' };
      return readBody(
        await transport.send({ path, method: 'POST', headers, body: JSON.stringify(body), signal }),
      ) as DryRun;
    },
    catalogue: ({ signal } = {}) => fetchCatalogue(transport, signal),
    publish: (report) => publishReport(transport, report),
  };
}

/** The result that the caller wants to see; its report is always named, so that the rest can be read. */
function formatView({ view = 'summary', fields }: ReadOptions): string {
  return formatQuery({ view, fields: fields && [...new Set([...fields, 'report_id'])].join(',') });
}

function readBody(answer: WireAnswer): unknown {
  if (answer.status !== 200) throw toSightlineError(answer);
  return answer.body;
}

async function fetchCatalogue(transport: Transport, signal: AbortSignal | undefined): Promise<Catalogue> {
  return readBody(await transport.send({ path: '/api/agent/index', signal })) as Catalogue;
}

/** What the catalogue says of a capability, remembered for a while. */
function createExpectation(transport: Transport, chain: PaymentChain, payTo: string | undefined): BuyerPorts['expect'] {
  let known: { catalogue: Catalogue; readAtMs: number } | undefined;
  return async (capability, isFresh, signal): Promise<ExpectedTerms> => {
    if (known === undefined || isFresh || Date.now() - known.readAtMs > CATALOGUE_TTL_MS)
      known = { catalogue: await fetchCatalogue(transport, signal), readAtMs: Date.now() };
    const { capabilities, panels, tools, payment } = known.catalogue;
    const offers: Readonly<Record<string, Offer>> = { ...capabilities, ...panels, ...tools };
    const offer = Object.hasOwn(offers, capability) ? offers[capability] : undefined;
    const payee = payTo ?? findPayee(payment, chain);
    if (offer === undefined || payee === null)
      throw new SightlineError({ code: 'terms_refused', detail: `The catalogue does not sell ${capability}.` });
    return { chain, payTo: payee, maxMicroUsd: Number(offer.amount) };
  };
}

/** Networks of the catalogue that are looked through. */
const MAX_NETWORKS = 20;
/** Where services sold that named no network. */
const NAMELESS: readonly PaymentChain[] = ['eip155:8453', 'eip155:84532'];
/** `networks`: all of them, where there are several. */
type NamedPayees = { network?: string; payTo: string | null; networks?: { network: string; payTo: string }[] };

/**
 * The payee on this chain and on no other: an address may have another owner elsewhere. null: nothing is sold.
 * @throws SightlineError where the service is paid on other chains
 */
function findPayee({ network: first, payTo, networks = [] }: NamedPayees, chain: PaymentChain): string | null {
  if (payTo === null) return null;
  const rows = networks.slice(0, MAX_NETWORKS);
  const isFirst = first === undefined ? NAMELESS.includes(chain) : first === chain;
  const payee = rows.length === 0 && isFirst ? payTo : rows.find(({ network }) => network === chain)?.payTo;
  if (payee === undefined) throw refuseChain(chain, [first, ...rows.map(({ network }) => network)]);
  return payee;
}

async function publishReport(
  transport: Transport,
  report: { report_id: string; publish_token?: string },
): Promise<Publication> {
  const id = getReportId(report);
  if (report.publish_token === undefined)
    throw new SightlineError({
      code: 'not_published_by_you',
      detail: 'The report has no publish_token: only the answer to its purchase has one.',
    });
  const body = JSON.stringify({ publish_token: report.publish_token });
  const headers = { 'content-type': 'application/json' };
  return readBody(
    await transport.send({ path: `/reports/${id}/publish`, method: 'POST', headers, body }),
  ) as Publication;
}
