import { computeSha256Hex } from '../../lib/digest.ts';
import { formatCanonicalJson } from '../../lib/json.ts';
import { DAY_MS } from '../../lib/time.ts';
import { readNewMonitor } from '../../monitors/core/monitor-request.ts';
import { generateMonitorToken } from '../../monitors/core/monitor-token.ts';
import { formatMonitor } from '../../monitors/core/monitor-wire.ts';
import type { MonitorOwner, NewMonitor } from '../../monitors/core/protocol.ts';
import { computeRunMicroUsdc } from '../../monitors/core/run-price.ts';
import { formatUsdAmount } from '../../payment/terms/constants.ts';
import type { PresentedCredential } from '../../payment/rails/presented.ts';
import { buildProblem } from '../../problems/codes.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import type { CreditAccounts } from '../credit-accounts.ts';
import { buildCreateProblem, buildRequestProblem, refuseUnsold } from '../monitor-api/create-monitor.ts';
import { answerMonitorCall, type MonitorAnswer, type MonitorApiPorts, reachShards } from '../monitor-api/ports.ts';

/** Who spends for a monitor that came with a pack: its payer ordered it by this payment, and no client did. */
const PACK_CLIENT = 'sightline:pack';
/** Longer than the ledger answers repeats of a payment. */
const PURCHASE_KEPT_MS = 40 * DAY_MS;

/** Reads the monitor of a purchase, before any payment is looked at: what cannot be made is not sold. */
export async function readPrepaidMonitor(
  ports: MonitorApiPorts,
  body: unknown,
  { priceMicroUsdc }: { priceMicroUsdc: number },
): Promise<MonitorAnswer<NewMonitor>> {
  const { policy, hasMail, now } = ports;
  const read = await readNewMonitor(body, { policy, hasMail, nowMs: now() });
  if (!read.ok) return { ok: false, problem: buildRequestProblem(read) };
  const { value: monitor } = read;
  const wrong = findFault(monitor, priceMicroUsdc);
  const problem = wrong ? buildProblem('invalid_body', { errors: [wrong] }) : await refuseUnsold(ports, monitor);
  return problem === undefined ? answerMonitorCall(monitor) : { ok: false, problem };
}

function findFault(monitor: NewMonitor, packMicroUsdc: number): { pointer: string; message: string } | undefined {
  if (monitor.payment !== 'credits')
    return { pointer: '/payment', message: 'is `credits` for a monitor that comes with a pack' };
  const price = computeRunMicroUsdc(monitor);
  const message = `costs ${formatUsdAmount(price)} USD a run, which is more than this pack`;
  return price > packMicroUsdc ? { pointer: '/subject', message } : undefined;
}

/**
 * Why a credential buys no monitor; nothing of it is taken then. The monitor is no part of what the payer signs: so the payload holds
 * a secret that no chain ever shows, and who presents it again is who bought (rule P1).
 */
export async function refusePrepaidCredential({
  carrier,
  text,
}: PresentedCredential): Promise<ProblemInput | undefined> {
  const parsed = await carrier.parse(text);
  if (!parsed.ok) return undefined; // The sale says what is wrong with it.
  const { payment } = parsed;
  if (payment.flow !== 'authorization')
    return buildProblem('invalid_payload', {
      detail:
        'A monitor comes with a signed payment only. A transfer buys the pack alone, at the same address without /monitor',
    });
  if (payment.hasSecret || payment.repeatsByProof) return undefined;
  return buildProblem('invalid_payload', {
    detail:
      'Its `accepted.extra` has no quote from a 402, and it has no payment-identifier: sign the terms of a fresh 402',
  });
}

export type PrepaidPorts = { monitors: MonitorApiPorts; credits: Pick<CreditAccounts, 'ofAddress'> };
/** `payer`: the paying address. `reportId`: of the sale, the same for each repeat of its payment. */
export type PrepaidSale = { payer: string; reportId: string; isRepeat: boolean };

/**
 * Makes the monitor of a sold pack in the account of its payer: once for a payment, however often that is presented. Its token is in
 * the first answer alone; a sign-in with the paying address issues another.
 * @returns what the answer says besides the pack: where there is no monitor, why, and the credits are there all the same
 */
export async function makePrepaidMonitor(
  ports: PrepaidPorts,
  monitor: NewMonitor,
  sale: PrepaidSale,
): Promise<Record<string, unknown>> {
  const made = await createOnce(ports, monitor, sale);
  if (made.ok) return made.value;
  const { code, title, detail } = made.problem;
  const next = code === 'wallet_removed' ? REMOVED_SINCE : CREDITS_ARE_THERE;
  return {
    monitor: null,
    monitor_problem: { code, title, detail: `${detail ?? title}. ${next}` },
  };
}

const REMOVED_SINCE =
  'The credits are in the account that the wallet was in when it paid: sign in to that in another way and create the monitor at POST /api/monitors';

const CREDITS_ARE_THERE =
  'The credits are in the account of the paying address: sign in with it and create the monitor at POST /api/monitors';

const createOnce = (
  { monitors, credits }: PrepaidPorts,
  monitor: NewMonitor,
  { payer, reportId, isRepeat }: PrepaidSale,
): Promise<MonitorAnswer<Record<string, unknown>>> =>
  reachShards(monitors, async () => {
    const account = await credits.ofAddress(payer);
    if (account === undefined) return { ok: false, problem: buildProblem('wallet_removed') };
    const owner: MonitorOwner = { account, clientId: PACK_CLIENT, authorizedAtMs: monitors.now() };
    const shard = await monitors.shards.ofAccount(account);
    const made = await shard.create({
      owner,
      monitor,
      // No key of a caller holds a line break.
      idempotencyKey: `purchase\n${reportId}`,
      contentSha256: await computeSha256Hex(formatCanonicalJson(monitor)),
      keyKeptMs: PURCHASE_KEPT_MS,
    });
    if (!made.ok)
      return {
        ok: false,
        problem:
          made.reason === 'idempotency_key_reused'
            ? buildProblem('idempotency_key_reused', { detail: 'This payment made another monitor before' })
            : buildCreateProblem(made.reason),
      };
    const isNew = !isRepeat && !made.isRepeat;
    const overview = { monitor: made.monitor, lastRun: null, alerts: 0 };
    const shown = formatMonitor(overview, monitors.baseUrl, isNew ? 'all' : 'none');
    if (!isNew) return answerMonitorCall({ monitor: shown });
    const token = generateMonitorToken();
    const isSet = await shard.setToken(account, made.monitor.id, await computeSha256Hex(token));
    return answerMonitorCall({ monitor: shown, ...(isSet ? { monitor_token: token } : {}) });
  });
