import * as z from 'zod';
import { RUBRIC_VERSION } from '../../../../src/audit/core/rubric-version.ts';
import type { Account } from '../../../../src/authorization/people/account.ts';
import { RECORDING_VERSION } from '../../../../src/capabilities/recording.ts';
import { MEASUREMENT_VERSION } from '../../../../src/capabilities/visibility-recording.ts';
import { type FourScores, hasScore, PUBLISHED_VERSION } from '../../../../src/capabilities/published/history.ts';
import { parseSiteKey } from '../../../../src/capabilities/published/site-key.ts';
import type {
  CustomerLine,
  CustomerPage,
  CustomersPage,
  PayingCustomer,
  PayingCustomersPage,
  PublishedEnds,
  PublishedReportLine,
  PublishedSitesPage,
  ServiceFactsPort,
  WorkerAbout,
} from '../../../../src/console-api/service.ts';
import { describeWorker } from '../../../../src/deploy/describe-settings.ts';
import {
  REMEMBERED_SECRETS,
  SECRET_AGES_OBJECT,
  type SecretAge,
  type SecretsSeen,
} from '../../../../src/authorization/operators/secret-ages.ts';
import { describeSecrets } from '../../../../src/deploy/secret-prints.ts';
import { callWithTimeout } from '../../../../src/lib/concurrency.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { computeFirstDay } from '../../../../src/payment/ledger/totals.ts';
import { computeReportExpiry } from '../../../../src/sales/reports/report-store.ts';
import { listPublishedSites, readHistory } from '../../../../src/sales/reports/published-store.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { createCreditAccounts } from '../credit-account.ts';
import type { Env } from '../env.ts';
import { completeBooks, getBooks } from '../ledger-books.ts';
import { getAuthorizationStore } from '../people-store.ts';
import { readOr } from '../queue-depths.ts';
import { findCustomerByText, findPayer } from './find-customer.ts';

/** Rows of one page. */
const MAX_PAGE = 50;
/** A list shows what it has when an account takes longer than this. */
const LOOK_MS = 1_500;

const address = z.string().regex(/^0x[0-9a-f]{40}$/);
const customersAsked = z.strictObject({
  search: z.string().regex(/^(?:0x[0-9a-f]{0,40})?$/),
  limit: z.int().min(1).max(MAX_PAGE),
  after: address.optional(),
});
const payingAsked = z.strictObject({
  limit: z.int().min(1).max(MAX_PAGE),
  after: z.strictObject({ payer: address, microUsdc: z.int() }).optional(),
});
const beforeMs = z.int().min(1).optional();
const customerAsked = z.union([
  z.strictObject({ address, beforeMs }),
  z.strictObject({ account: z.string().regex(/^[0-9a-f]{32}$/), beforeMs }),
]);
const sitesAsked = z.strictObject({
  prefix: z.string().regex(/^[a-z0-9._:[\]-]{0,260}$/),
  limit: z.int().min(1).max(MAX_PAGE),
  cursor: z.string().max(2_048).optional(),
});
const hostAsked = z.strictObject({ host: z.string().max(300) });

const secretPrint = z.strictObject({ name: z.string().max(64), print: z.string().regex(/^[0-9a-f]{8}$/) });
const secretsSeen = z
  .array(
    z.strictObject({
      worker: z.enum(['api', 'control', 'webhook']),
      secrets: z.array(secretPrint).max(REMEMBERED_SECRETS),
    }),
  )
  .max(3);
/** Sites that one look counts. */
const MAX_SITES = 1_000;
/** A report that ends within these days is about to. */
const ENDING_DAYS = 7;

/** What the console asks of customers, published reports, settings and versions of this Worker. It changes nothing but the memory of secrets. */
export const createServiceFacts = (env: Env): ServiceFactsPort => ({
  about: () => describeApiWorker(env),
  customers: (asked) => listCustomers(env, customersAsked.parse(asked)),
  payingCustomers: (asked) => listPayingCustomers(env, payingAsked.parse(asked)),
  findCustomer: (asked) => findCustomerByText(env, asked),
  customer: (asked) => readCustomer(env, customerAsked.parse(asked)),
  secretAges: (seen) => recordSecrets(env, secretsSeen.parse(seen)),
  publishedEnds: () => readPublishedEnds(env, Date.now()),
  publishedSites: async (asked) => listSites(env, sitesAsked.parse(asked)),
  publishedReports: async (asked) => listReports(env, hostAsked.parse(asked).host),
});

async function describeApiWorker(env: Env): Promise<WorkerAbout> {
  return {
    ...describeWorker('api', env),
    secrets: await describeSecrets('api', env),
    formats: [
      { what: 'Rubric of audits', version: RUBRIC_VERSION },
      { what: 'Recordings of audits', version: String(RECORDING_VERSION) },
      { what: 'Recordings of measurements', version: String(MEASUREMENT_VERSION) },
      { what: 'Published reports of a site', version: String(PUBLISHED_VERSION) },
    ],
  };
}

async function listCustomers(env: Env, asked: z.infer<typeof customersAsked>): Promise<CustomersPage> {
  const { after, ...rest } = asked;
  const { payers, next } = await getAuthorizationStore(env).listPayers(after === undefined ? rest : { ...rest, after });
  const customers = await Promise.all(
    payers.map(async (payer): Promise<CustomerLine> => ({
      ...toCustomer(payer),
      credits: await readCredits(env, payer),
    })),
  );
  return next === undefined ? { customers } : { customers, next };
}

/** Who paid most, as the books of the ledger have it; an address needs no account to buy. */
async function listPayingCustomers(env: Env, asked: z.infer<typeof payingAsked>): Promise<PayingCustomersPage> {
  const { limit, after } = asked;
  await completeBooks(env, computeFirstDay(1, Date.now()));
  const found = await getBooks(env).readCustomerTotals(after === undefined ? { limit } : { limit, after });
  const totals = found.slice(0, limit);
  const { payers } = await getAuthorizationStore(env).listPayers({ addresses: totals.map(({ payer }) => payer) });
  const known = new Map(payers.map((account) => [account.address, account]));
  const customers = totals.map(async (total): Promise<PayingCustomer> => {
    const account = known.get(total.payer);
    if (account === undefined) return total;
    const { id, createdAtMs } = account;
    return { ...total, customer: { account: id, createdAtMs, credits: await readCredits(env, account) } };
  });
  return { customers: await Promise.all(customers), hasNext: found.length > limit };
}

/** The account of an address that is stored for good. Nothing is made by looking. */
export async function findCustomer(env: Env, wanted: string): Promise<Account | undefined> {
  const { payers } = await getAuthorizationStore(env).listPayers({ search: wanted, limit: 1 });
  return payers.find((payer) => payer.address === wanted);
}

const toCustomer = ({ id: account, address: known = '', createdAtMs }: Account) => ({
  account,
  address: known,
  createdAtMs,
});

async function readCustomer(env: Env, asked: z.infer<typeof customerAsked>): Promise<CustomerPage | null> {
  const payer = 'address' in asked ? await findCustomer(env, asked.address) : await findPayer(env, asked);
  if (payer === undefined) return null;
  const [known, credits, entries] = await Promise.all([
    findPayer(env, { account: payer.id }),
    readCredits(env, payer),
    readOr('credit_entries', () => createCreditAccounts(env, logLine).open(payer.id).entries(asked.beforeMs)),
  ]);
  const { email, ways = [] } = known ?? {};
  return { ...toCustomer(payer), ...(email === undefined ? {} : { email }), ways, credits, entries };
}

const readCredits = (env: Env, { id }: Account) =>
  readOr('credit_account', async () => {
    const seen = await callWithTimeout(() => createCreditAccounts(env, logLine).open(id).view(), LOOK_MS);
    if (!seen.ok) throw new Error(seen.name);
    return seen.value;
  });

async function listSites(env: Env, asked: z.infer<typeof sitesAsked>): Promise<PublishedSitesPage> {
  const { sites, next } = await listPublishedSites(env.REPORTS, { ...asked, cursor: asked.cursor });
  const lines = sites.map(({ key, scores, changedAtMs }) => ({ key, scores: formatScores(scores), changedAtMs }));
  return next === undefined ? { sites: lines } : { sites: lines, next };
}

const recordSecrets = (env: Env, seen: readonly SecretsSeen[]): Promise<SecretAge[]> =>
  env.OPERATIONS_REGISTER.getByName(SECRET_AGES_OBJECT).noteSecrets(seen);

/** A site's record changes when a report is published, so that its newest report ends so many days after that, or before. */
async function readPublishedEnds(env: Env, nowMs: number): Promise<PublishedEnds> {
  const { sites, next: further } = await listPublishedSites(env.REPORTS, { prefix: '', limit: MAX_SITES });
  const ends = sites
    .map(({ key, changedAtMs }) => ({ key, endsAtMs: computeReportExpiry({ storedAtMs: changedAtMs }) }))
    .filter(({ endsAtMs }) => endsAtMs > nowMs)
    .toSorted((left, right) => left.endsAtMs - right.endsAtMs);
  const [next] = ends;
  return {
    sites: sites.length,
    withinDays: ENDING_DAYS,
    ending: ends.filter(({ endsAtMs }) => endsAtMs < nowMs + ENDING_DAYS * DAY_MS).length,
    ...(next === undefined ? {} : { next }),
    isPartial: further !== undefined,
  };
}

async function listReports(env: Env, host: string): Promise<PublishedReportLine[]> {
  const key = parseSiteKey(host);
  if (key === undefined) return [];
  const history = await readHistory(env.REPORTS, key);
  return history.map(({ reportId, atMs, capability, rubric, scores }) => ({
    reportId,
    atMs,
    capability,
    rubric,
    scores: formatScores(scores),
  }));
}

/** `87 B`; what does not apply is left out. */
function formatScores(scores: FourScores): Record<string, string> {
  const shown = Object.entries(scores).flatMap(([name, one]) =>
    hasScore(one) ? [[name, `${one.score} ${one.grade}`] as const] : [],
  );
  return Object.fromEntries(shown);
}
