import type { Hono } from 'hono';
import {
  computeDeliveryStart,
  type DeliveryFigure,
  DELIVERY_WEEKS,
  summariseDelivery,
} from '../../../src/payment/ledger/delivery.ts';
import { statementOperations } from '../../../src/openapi/statement-operations.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { loadServiceKeys } from '../../../src/statements/service-keys.ts';
import { buildDeliverySummary } from '../../../src/statements/delivery-summary.ts';
import { buildDidDocument, buildKeySet } from '../../../src/statements/key-set.ts';
import { DELIVERY_PATH, renderDeliveryPage } from '../../../src/web/delivery/page.tsx';
import { renderVerifyPage, VERIFY_PATH } from '../../../src/web/verify/page.tsx';
import { openCardLedger } from '../bindings/cards/card-ledger.ts';
import { readRegisters } from '../bindings/console/console-counters.ts';
import type { Env } from '../bindings/env.ts';
import { completeBooks, getBooks } from '../bindings/ledger-books.ts';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import { logLine } from '../../shared/telemetry.ts';

/** A rotation is seen within an hour; both keys are listed then. */
const KEYS_CACHE = 'public, max-age=3600';
const FIGURES_CACHE = 'public, max-age=300';
const PAGE_CACHE = 'public, max-age=300';
const LANGUAGE_VARY = 'Accept-Language, Cookie';
const RETRY_S = 30;

/** Keys, delivery figures, and the pages for both. All is public: figures have no buyers in them. */
export function registerStatementRoutes(app: Hono<AppEnv>): void {
  const { keySet, did, delivery } = statementOperations;
  app.on(keySet.method, keySet.route, guardFreeRoute, async (c) => {
    const keys = await loadServiceKeys(c.get('settings'));
    return c.json(await buildKeySet(keys), 200, { 'cache-control': KEYS_CACHE });
  });
  app.on(did.method, did.route, guardFreeRoute, async (c) => {
    const keys = await loadServiceKeys(c.get('settings'));
    return c.json(await buildDidDocument(keys.issuer, keys), 200, { 'cache-control': KEYS_CACHE });
  });
  app.on(delivery.method, delivery.route, guardFreeRoute, async (c) => {
    const figures = await readFigures(c);
    if (figures === undefined) return failWith(c, UNREADABLE);
    const { issuer, delivery: key } = await loadServiceKeys(c.get('settings'));
    const { readAtMs, ...read } = figures;
    const summary = await buildDeliverySummary({ issuer, ...read, nowMs: readAtMs }, key);
    return c.json(summary, 200, { 'cache-control': FIGURES_CACHE });
  });
  app.get(DELIVERY_PATH, guardFreeRoute, async (c) => {
    const figures = await readFigures(c);
    if (figures === undefined) return refuseRequest(c, UNREADABLE);
    c.header('vary', LANGUAGE_VARY, { append: true });
    const { BASE_URL: baseUrl } = c.get('settings');
    const { rows, unread } = figures;
    const page = renderDeliveryPage({ rows, unread, language: c.get('language'), baseUrl });
    return showPage(c, page, { cacheControl: FIGURES_CACHE });
  });
  app.get(VERIFY_PATH, guardFreeRoute, (c) => {
    c.header('vary', LANGUAGE_VARY, { append: true });
    const page = renderVerifyPage({ baseUrl: c.get('settings').BASE_URL, language: c.get('language') });
    return showPage(c, page, { script: true, cacheControl: PAGE_CACHE });
  });
}

const UNREADABLE = buildProblem('ledger_unavailable', {
  detail: 'The figures cannot be read now, so none are shown: a part of them would look like all',
  next: 'Ask again a little later.',
  retryAfterS: RETRY_S,
});

async function readFigures(c: AppContext): Promise<DeliveryFigures | undefined> {
  try {
    return await readDeliveryFigures(c.env, Date.now());
  } catch (error) {
    logLine({
      event: 'delivery_figures_unreadable',
      request_id: c.get('requestId'),
      name: error instanceof Error ? error.name : 'thrown',
    });
    return undefined;
  }
}

/** So long an isolate shows the figures that it has read, in milliseconds: anyone may ask, and reading asks many objects. */
const FIGURES_AGE_MS = 300_000;

type DeliveryFigures = {
  rows: readonly DeliveryFigure[];
  since: string;
  weeks: number;
  /** Shards that have not reported yet, such as right after an update. */
  unread: number;
  readAtMs: number;
};

/** Read figures, never pending ones: a request must not wait for another request's promise. */
const known = new WeakMap<object, DeliveryFigures>();

/** The figures of the ledger, of credits and of cards. @throws what an object throws: a part of the counts would look like all of them */
async function readDeliveryFigures(env: Env, nowMs: number): Promise<DeliveryFigures> {
  const before = known.get(env.OPERATIONS_REGISTER);
  if (before !== undefined && nowMs - before.readAtMs < FIGURES_AGE_MS) return before;
  const since = computeDeliveryStart(nowMs);
  const [books, { creditUses, givenBack }, times, cards = []] = await Promise.all([
    completeBooks(env, since),
    readRegisters(env).readDays(since),
    getBooks(env).readDeliveryTimes(since),
    openCardLedger(env, logLine)?.days(since),
  ]);
  const rows = summariseDelivery({ lines: books.lines, creditUses, givenBack, cards, times });
  const read = { rows, since, weeks: DELIVERY_WEEKS, unread: books.unread, readAtMs: nowMs };
  if (books.unread === 0) known.set(env.OPERATIONS_REGISTER, read);
  return read;
}
