import type { Pulse } from '../../../src/console-api/operations.ts';
import { VERSION } from '../../../src/lib/product.ts';
import { parseEngineRows } from '../../../src/models/engine-rows.ts';
import { MICRO_USDC_PER_USD } from '../../../src/payment/terms/constants.ts';
import { computeFirstDay } from '../../../src/payment/ledger/totals.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from '../../../src/sales/settings.ts';
import { ENGINE_METER_NAME, getChainReader } from './composition.ts';
import { type Env, readSettings } from './env.ts';
import { getBooks } from './ledger-books.ts';
import { readOr, readQueues } from './queue-depths.ts';

/** What does not answer by then could not be looked up; the rest of the page is there. */
const LOOK_MS = 700;
/** One payer, or several: more is not said. */
const COUNTED_PAYERS = 2;

/** Whether what the service needs answers, and how much of it waits. Money is read beside it. */
export async function readPulseFacts(env: Env): Promise<Omit<Pulse, 'revenue'>> {
  const settings = readSettings(env);
  const [yesterdayPayers, open, payments, queues, engineBudget] = await Promise.all([
    readOr('payers', async () => ({
      payers: await getBooks(env).readPayers([computeFirstDay(2, Date.now())], COUNTED_PAYERS),
    })),
    readOr('open_payments', async () => ({ payments: await getBooks(env).readOpenPayments() })),
    lookAtPayments(env),
    readQueues(env),
    readOr('engine_meter', async () => ({
      unpaidMicroUsd: await env.ENGINE_METER.getByName(ENGINE_METER_NAME).unpaidMicroUsd(),
      limitMicroUsd: Math.round(settings.UNPAID_ENGINE_USD_PER_HOUR * MICRO_USDC_PER_USD),
    })),
  ]);
  const isClosed = isClosedForSale(settings);
  const demonstrated = findDemonstration(settings);
  return {
    ...(demonstrated === undefined ? {} : { demonstrationEngine: demonstrated }),
    yesterdayPayers,
    open,
    ...payments,
    queues,
    engineBudget,
    isClosed,
    version: VERSION,
  };
}

/** Whether the chain and the facilitator answer now. */
export async function lookAtPayments(env: Env): Promise<Pick<Pulse, 'chain' | 'facilitatorAnswers'>> {
  const [chain, facilitatorAnswers] = await Promise.all([
    readOr('chain', () => readNewestBlock(env)),
    readOr('facilitator', () => askFacilitator(env)),
  ]);
  return { chain, facilitatorAnswers };
}

/** The first engine that measures and is no AI model. */
export function findDemonstration({
  ANSWER_ENGINES,
  ANSWER_ENGINE,
}: ApiWorkerSettings): 'simulated' | 'recorded' | undefined {
  const panel = ANSWER_ENGINES === undefined ? undefined : parseEngineRows(ANSWER_ENGINES);
  const kinds = panel === undefined ? [ANSWER_ENGINE] : panel.ok ? panel.rows.map(({ kind }) => kind) : [];
  return kinds.find((kind) => kind === 'simulated' || kind === 'recorded');
}

async function readNewestBlock(env: Env) {
  const settings = readSettings(env);
  if (settings.RPC_URL === undefined) throw new Error('no node is named');
  const reading = getChainReader(settings.RPC_URL, getPaymentNetwork(settings)).block('latest');
  const { number, timestampS } = await lookInTime(reading);
  return { block: String(number), atMs: timestampS * 1000 };
}

/** Any answer shows that it is there; what it takes is asked of it by sales alone. */
async function askFacilitator(env: Env) {
  const { FACILITATOR_URL } = readSettings(env);
  if (FACILITATOR_URL === undefined) throw new Error('no facilitator is named');
  const answer = await fetch(`${FACILITATOR_URL}${FACILITATOR_URL.endsWith('/') ? '' : '/'}supported`, {
    signal: AbortSignal.timeout(LOOK_MS),
    redirect: 'manual',
  });
  await answer.body?.cancel();
  return { status: answer.status };
}

async function lookInTime<T>(looking: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('no answer in time', 'TimeoutError')), LOOK_MS);
  });
  try {
    return await Promise.race([looking, late]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
