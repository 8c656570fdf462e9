import type { Hono, MiddlewareHandler } from 'hono';
import { TARGET_FIELDS } from '../../../src/capabilities/bodies.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { findCreditPack, type SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { findPanel } from '../../../src/capabilities/panels.ts';
import { findTool } from '../../../src/capabilities/sold-tools.ts';
import type { NewMonitor } from '../../../src/monitors/core/protocol.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { PAID_ROUTES } from '../../../src/openapi/paid-operations.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import {
  buildDryRun,
  DRY_RUN_FETCH_LIMITS,
  type DryTarget,
  isDryRunAsked,
  reachTargets,
  refusePaidDryRun,
} from '../../../src/sales/dry-run/dry-run.ts';
import { readPrepaidMonitor } from '../../../src/sales/monitors/prepaid-monitor.ts';
import { checkOrderEngines } from '../../../src/sales/order-engines.ts';
import { checkTargets } from '../../../src/sales/purchase.ts';
import { normaliseInput, readOrder } from '../../../src/sales/read-order.ts';
import { buildOfferedSale } from '../../../src/sales/seller.ts';
import { buildRequestScope, createSalesPorts, createWorkerFetch } from '../bindings/composition.ts';
import { createMonitorApiPorts } from '../bindings/monitor-api.ts';
import { createTargetPlaces } from '../bindings/target-places.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith, FREE_REQUESTS, getChosenLimits } from '../context.ts';
import { buildTooManyFreeProblem, countFreeRequest } from '../free-guard.ts';
import { readJson } from '../monitors/answers.ts';

/** What would be bought: the input as it is sold, and what of it is fetched. */
type DryOrder = { input: Record<string, unknown>; fingerprint?: string; targets: readonly DryTarget[] };
type DryOrderResult = { ok: true; order: DryOrder } | { ok: false; problem: ProblemInput } | Response;

/** Reads what a request asks of its row; what a purchase refuses, a dry run refuses with the same words. */
type ReadDryOrder = (c: AppContext, options: AppOptions, row: SoldRow) => Promise<DryOrderResult>;

/**
 * `?dry=1` on every paid route: what the same request with a payment would be charged, and whether it would get so far.
 * It is free, counted as what is free, and as an unpaid audit of each host that it names.
 */
export function registerDryRuns(app: Hono<AppEnv>, options: AppOptions): void {
  const define = (
    read: ReadDryOrder,
    find: (name: string) => SoldRow | undefined,
    parameter: string,
  ): MiddlewareHandler<AppEnv> => {
    return async (c, next) => {
      const row = isDryRunAsked(c.req.queries('dry') ?? []) ? find(c.req.param(parameter) ?? '') : undefined;
      return row === undefined ? next() : answerDryRun(c, options, row, read);
    };
  };
  app.post(PAID_ROUTES.capability, define(readDryOrder, findCapability, 'capability'));
  app.post(PAID_ROUTES.panel, define(readDryOrder, findPanel, 'panel'));
  app.post(PAID_ROUTES.tool, define(readDryOrder, findTool, 'tool'));
  app.post(PAID_ROUTES.pack, define(readDryOrder, findCreditPack, 'pack'));
  app.post(PAID_ROUTES.packMonitor, define(readDryMonitor, findCreditPack, 'pack'));
}

async function answerDryRun(c: AppContext, options: AppOptions, row: SoldRow, read: ReadDryOrder): Promise<Response> {
  const paid = refusePaidDryRun(c.req.raw.headers);
  if (paid) return failWith(c, paid);
  if (isOurVia(c.req.header('via') ?? null)) return failWith(c, buildProblem('loop_detected')); // Rule F7.
  const free = await countFreeRequest(c);
  if (!free.isAllowed) return failWith(c, buildTooManyFreeProblem(free));
  const asked = await read(c, options, row);
  if (asked instanceof Response) return asked;
  if (!asked.ok) return failWith(c, asked.problem);
  const { order } = asked;
  const outcome = await buildOfferedSale(createSalesPorts(buildRequestScope(c), options), row);
  const answer = buildDryRun({
    row,
    ...order,
    outcome,
    targets: await askHosts(c, options, order.targets),
    freeLimit: { perMinute: getChosenLimits(c).free ?? FREE_REQUESTS, left: free.left },
    baseUrl: c.get('settings').BASE_URL,
  });
  return c.json(answer, 200, { 'cache-control': 'no-store' });
}

/** One request to each host, each within the unpaid audits of that host. */
async function askHosts(c: AppContext, options: AppOptions, targets: readonly DryTarget[]) {
  const places = createTargetPlaces(c.env, c.get('requestId'), 'unpaid');
  const createFetch = () => createWorkerFetch(c.env, c.get('settings'), options, DRY_RUN_FETCH_LIMITS);
  try {
    return await reachTargets(targets, { createFetch, enter: places.enter });
  } finally {
    await places.leave();
  }
}

const readDryOrder: ReadDryOrder = async (c, options, row) => {
  const read = await readOrder(c.req.raw, row, '');
  if (!read.ok) return read;
  const { order } = read;
  const ports = createSalesPorts(buildRequestScope(c), options);
  const refused = checkTargets(order, ports.policy) ?? checkOrderEngines(order, ports.engines);
  if (refused?.kind === 'problem') return { ok: false, problem: refused.problem };
  const input = normaliseInput(order.input);
  const targets = TARGET_FIELDS.flatMap((field) => {
    const url = input[field];
    return typeof url === 'string' ? [{ field, url }] : [];
  });
  return { ok: true, order: { input, fingerprint: order.fingerprint, targets } };
};

/** A pack with a monitor: the body is the monitor, of which the site is looked for. */
const readDryMonitor: ReadDryOrder = async (c, options, row) => {
  const monitors = createMonitorApiPorts(buildRequestScope(c), options);
  if (monitors === undefined) return { ok: false, problem: buildProblem('monitors_unavailable') };
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const read = await readPrepaidMonitor(monitors, body.value, row);
  if (!read.ok) return read;
  const { name, subject, interval, payment } = read.value;
  return { ok: true, order: { input: { name, subject, interval, payment }, targets: listMonitorTargets(subject) } };
};

const listMonitorTargets = (subject: NewMonitor['subject']): readonly DryTarget[] =>
  'url' in subject && typeof subject.url === 'string' ? [{ field: 'subject.url', url: subject.url }] : [];
