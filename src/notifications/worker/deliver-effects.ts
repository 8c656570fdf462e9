import type { Alert } from '../core/alert.ts';
import type { Delivery } from '../inbox/inbox-state.ts';
import { settled } from './with-timeout.ts';
import type { Effect, Told } from '../sinks/sink.ts';
import { bookFailure, type Run, sinksFor } from './run.ts';

type NotTold = Extract<Told, { ok: false }>;

/** Tells a sink of one effect that is due. @returns whether one was due */
export async function tellSink(run: Run, name: string): Promise<boolean> {
  const { state, pace, now } = run;
  if (pace.isResting(paceName(name), now())) return false;
  const [delivery] = state.claimDeliveries(1, name);
  if (delivery === undefined) return false;
  await tell(run, delivery);
  return true;
}

/** Gives up one effect whose sink is configured no longer: it can be replayed when it is back. @returns whether one was due */
export async function tellUnknownSink(run: Run): Promise<boolean> {
  const { state, sinks, pace, now } = run;
  // What a sink that is left alone waits for is due as well: nobody but its own lane may take it.
  if (sinks.some(({ name }) => pace.isResting(paceName(name), now()))) return false;
  const [delivery] = state.claimDeliveries(1);
  if (delivery === undefined) return false;
  await tell(run, delivery);
  return true;
}

async function tell(run: Run, delivery: Delivery): Promise<void> {
  const { state, pace, counts } = run;
  const told = await toldBy(run, delivery);
  if (!told.ok) return notTold(run, delivery, told);
  pace.good(paceName(delivery.sink));
  if (told.note === 'last_operator') raiseLastOperator(run, delivery.effect);
  state.delivered(delivery);
  counts.told += 1;
}

/** The revocation left somebody their access (rule W6). Raised before the delivery is over: a crash between tells again. */
function raiseLastOperator({ state, customer, now, ...run }: Run, effect: Effect): void {
  if (effect.type !== 'user') return;
  const detail = 'the last operator is suspended or gone in the directory, and keeps its access';
  const alert: Alert = { kind: 'last_operator', subject: effect.userId, raisedAtMs: now(), detail };
  state.raise(customer, alert, sinksFor(run));
}

/** What the sink says. One that throws, or takes too long, is told again. */
async function toldBy({ sinks, limits }: Run, { sink: name, effect }: Delivery): Promise<Told> {
  const sink = sinks.find((known) => known.name === name);
  if (sink === undefined) return { ok: false, outcome: 'refused', detail: 'no such sink is configured' };
  const outcome = await settled(() => sink.tell(effect), limits.callMs);
  return outcome.ok ? outcome.value : { ok: false, outcome: 'again', detail: outcome.name };
}

function notTold(run: Run, delivery: Delivery, { outcome, detail, retryAfterMs }: NotTold): void {
  const { state, pace, now, counts, log } = run;
  const refused = outcome === 'refused';
  if (!refused) pace.bad(paceName(delivery.sink), now(), retryAfterMs);
  const kept = bookFailure(run, { reason: outcome, detail: `${delivery.sink}: ${detail}` });
  if (state.undelivered(delivery, { detail: kept, refused, retryAfterMs }) === 'again') return;
  counts.dead += 1;
  log({ event: 'delivery_dead', sink: delivery.sink, effect: delivery.effect.id, outcome });
}

/** A sink may be named like the directory. */
const paceName = (sink: string): string => `sink:${sink}`;
