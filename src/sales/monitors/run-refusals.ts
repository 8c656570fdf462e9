import type { AlertDraft } from '../../monitors/core/alert.ts';
import { computeRunMicroUsdc, getWatchedRow } from '../../monitors/core/run-price.ts';
import type { RunOrder } from '../../monitors/core/run.ts';
import { MICRO_USDC_PER_USD, formatUsdAmount, formatUsdBalance } from '../../payment/terms/constants.ts';
import { runOrUnavailable } from '../ledger-client.ts';
import { chooseOrderEngines, computeOrderUsd } from '../order-engines.ts';
import { judgeFreeMonitor, type RunSpender } from './free-monitors.ts';
import type { MonitorRunPorts } from './ports.ts';
import { buildLowCreditsAlert } from './run-alerts.ts';
import type { UnsoldMeaning } from './unsold.ts';

/** What is held or pending now may be free in a moment. */
const CREDITS_AGAIN_S = 60;

/**
 * Why nothing of a run is begun; undefined where it may be. A run is paid whole or not at all, so that the balance is held
 * against the price of all its parts.
 * @throws LedgerUnavailable
 */
export async function refuseRun(
  order: RunOrder,
  ports: MonitorRunPorts,
  spender: RunSpender,
): Promise<UnsoldMeaning | undefined> {
  if (spender.kind === undefined)
    return { is: 'failed', reason: 'account_gone', detail: 'Its account is gone', pause: 'access_ended' };
  return order.monitor.payment === 'operator' ? refuseFree(order, ports, spender) : refuseUnpayable(order, ports);
}

async function refuseUnpayable({ monitor }: RunOrder, { sales }: MonitorRunPorts): Promise<UnsoldMeaning | undefined> {
  const price = computeRunMicroUsdc(monitor);
  const { balanceMicroUsdc, reservedMicroUsdc, pendingMicroUsdc } = await sales.credits.open(monitor.account).view();
  if (balanceMicroUsdc >= price) return undefined;
  if (balanceMicroUsdc + reservedMicroUsdc + pendingMicroUsdc >= price)
    return { is: 'again', reason: 'credits_under_way', afterS: CREDITS_AGAIN_S };
  const detail = `Balance ${formatUsdBalance(balanceMicroUsdc)} USD, price of a run ${formatUsdAmount(price)} USD`;
  return { is: 'failed', reason: 'insufficient_credits', detail, pause: 'insufficient_credits' };
}

/**
 * A free run without its engine budget fails and does not pause: the budget is there again tomorrow. One that costs more than
 * a whole day's can never run.
 */
async function refuseFree(
  { monitor, run }: RunOrder,
  { free, sales }: MonitorRunPorts,
  spender: RunSpender,
): Promise<UnsoldMeaning | undefined> {
  const refused = judgeFreeMonitor(monitor, spender, free);
  if (refused === 'not_operator') {
    const detail = 'Its owner is no operator any more, and only those have free monitors';
    return { is: 'failed', reason: refused, detail, pause: 'access_ended' };
  }
  if (refused !== undefined) {
    const detail = 'MONITOR_FREE_HOSTS does not name every host that it reads';
    return { is: 'failed', reason: refused, detail, pause: 'order_refused' };
  }
  const { subject } = monitor;
  const configured = sales.engines();
  if (subject.kind === 'site' || !configured.ok) return undefined; // What is missing for a measurement, the sale says.
  const chosen = chooseOrderEngines(configured.engines, getWatchedRow(monitor), subject.body);
  if (!chosen.ok) return undefined;
  const microUsd = Math.ceil(computeOrderUsd(chosen.engines, subject.body) * MICRO_USDC_PER_USD);
  const aDay = `free runs may spend ${formatUsdAmount(free.engineMicroUsdPerDay)} USD on engines in a day`;
  if (microUsd > free.engineMicroUsdPerDay) {
    const detail = `It costs ${formatUsdAmount(microUsd)} USD, and ${aDay}`;
    return { is: 'failed', reason: 'engine_budget', detail, pause: 'engine_budget' };
  }
  if (await free.spendOnEngines(run.id, microUsd)) return undefined;
  return { is: 'failed', reason: 'engine_budget', detail: `The budget of this day is used up: ${aDay}` };
}

/**
 * The alert that the next run may not be paid, if so: the last one that can be written before it. Other monitors of the account
 * spend until then, too.
 */
export async function findLowCredits(order: RunOrder, { sales }: MonitorRunPorts): Promise<readonly AlertDraft[]> {
  const { monitor, aheadMicroUsdc } = order;
  if (monitor.payment === 'operator' || aheadMicroUsdc === 0) return [];
  const view = await runOrUnavailable(async () => sales.credits.open(monitor.account).view(), undefined);
  if (view === undefined) return []; // The run is paid and stored, whatever cannot be asked now.
  const { balanceMicroUsdc, reservedMicroUsdc, pendingMicroUsdc } = view;
  return balanceMicroUsdc + reservedMicroUsdc + pendingMicroUsdc < aheadMicroUsdc
    ? [buildLowCreditsAlert(order, { balanceMicroUsdc })]
    : [];
}
