import type { SoldRow } from '../../capabilities/credit-packs.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import { getWatchedRow } from '../../monitors/core/run-price.ts';
import type { RunOrder, RunPart } from '../../monitors/core/run.ts';
import type { RobotsRefusal } from '../../monitors/subject/robots-gate.ts';
import type { ProblemInput } from '../../problems/problem.ts';
import { sellToCredits } from '../credit-sale.ts';
import type { RunSpender } from './free-monitors.ts';
import type { MonitorRunPorts } from './ports.ts';
import { type SeenOnVisit, watchRow } from './watched-row.ts';

/** Our own pages and routes are no clients that an owner has allowed, and have no limit a day: what they order, the owner ordered. */
const OWN_CLIENTS = 'sightline:';

/** One thing that a run buys. `url`: of an audited site. */
export type OrderedPart = {
  role: RunPart['role'];
  url?: string;
  row: SoldRow;
  args: Readonly<Record<string, unknown>>;
};

/** What a run of a monitor buys: the subject first. */
export function listOrderedParts(monitor: Pick<Monitor, 'subject'>): readonly [OrderedPart, ...OrderedPart[]] {
  const row: SoldRow = getWatchedRow(monitor);
  const { subject } = monitor;
  if (subject.kind === 'brand') return [{ role: 'subject', row, args: subject.body }];
  const { url, profile, max_pages, competitors = [] } = subject;
  const pages = max_pages === undefined ? {} : { max_pages };
  return [
    { role: 'subject', url, row, args: { url, ...(profile === undefined ? {} : { profile }), ...pages } },
    // What kind of site a competitor is, its own pages say.
    ...competitors.map((other) => ({ role: 'competitor', url: other, row, args: { url: other, ...pages } }) as const),
  ];
}

/**
 * The id of the call that pays a part: of the run and what is bought, and of nothing that may change between two attempts.
 * No key that a client chooses leads to it, since such keys hold no line break.
 */
export const buildPartCallId = (
  { id }: Pick<RunOrder['run'], 'id'>,
  { role, url = '' }: OrderedPart,
): Promise<string> => computeSha256Hex(`monitor\n${id}\n${role}\n${url}`);

/** `startHost`: where this attempt read the start page; absent where an earlier attempt did. */
export type SoldPart = RunPart & { startHost?: string };

/** A competitor that was not bought: why. */
export type MissingPart = { url: string; missing: string };

/** A part with its stored result. */
export type ReportedPart = SoldPart & { json: string };

/** What an earlier attempt bought already. @throws LedgerUnavailable */
export async function findSoldPart(
  { sales }: Pick<MonitorRunPorts, 'sales'>,
  { monitor, run }: RunOrder,
  part: OrderedPart,
): Promise<SoldPart | undefined> {
  const standing = await sales.credits.open(monitor.account).standing(await buildPartCallId(run, part));
  if (standing.state !== 'captured') return undefined;
  const { reportId, amountMicroUsdc } = standing;
  return { ...selectAbout(part), reportId, amountMicroUsdc };
}

/** A part that was not sold: nothing was charged for it, but for `debit_unknown`. */
export type UnsoldPart = { ok: false; problem: ProblemInput; robots?: RobotsRefusal };

/**
 * Buys one part for the account of the monitor, as a call of the client that made it (rule A5). The same run and part is
 * one debit and one report, however often it is tried.
 */
export async function sellPart(
  { sales, isProven, isHeld }: Pick<MonitorRunPorts, 'sales' | 'isProven' | 'isHeld'>,
  order: RunOrder,
  part: OrderedPart,
  spender: RunSpender,
): Promise<{ ok: true; part: SoldPart } | UnsoldPart> {
  const { monitor, run } = order;
  const { account, clientId, authorizedAtMs, payment } = monitor;
  const seen: SeenOnVisit = {};
  const answer = await sellToCredits(sales, {
    row: watchRow(part, seen, (host) => isProven(account, host)),
    args: part.args,
    account,
    clientId,
    authorizedAtMs,
    ...findCap(clientId, spender),
    callId: await buildPartCallId(run, part),
    isWanted: () => isHeld(order),
    ...(payment === 'operator' ? { isFree: true } : {}),
  });
  if (answer.kind === 'problem')
    return { ok: false, problem: answer.problem, ...(seen.robots === undefined ? {} : { robots: seen.robots }) };
  const { reportId, amountMicroUsdc } = answer;
  const { startHost } = seen;
  return { ok: true, part: { ...selectAbout(part), reportId, amountMicroUsdc, ...(startHost && { startHost }) } };
}

const selectAbout = ({ role, url, row }: OrderedPart): Pick<RunPart, 'role' | 'url' | 'capability'> => ({
  role,
  ...(url === undefined ? {} : { url }),
  capability: row.name,
});

/** What the owner lets a client spend in 24 hours holds for the monitors that it made, too (rule A5). */
function findCap(clientId: string, { capMicroUsdc }: RunSpender): { capMicroUsdc?: number } {
  if (clientId.startsWith(OWN_CLIENTS)) return { capMicroUsdc: Number.MAX_SAFE_INTEGER };
  return capMicroUsdc === undefined ? {} : { capMicroUsdc };
}
