import type { CapabilityTools, WorkOutcome } from '../../capabilities/capability.ts';
import type { SoldRow } from '../../capabilities/credit-packs.ts';
import {
  findRobotsRefusal,
  readHostRobots,
  ROBOTS_LOOK_LIMITS,
  type RobotsRefusal,
  type RobotsText,
} from '../../monitors/subject/robots-gate.ts';
import { findStartHost, isOtherSite } from '../../monitors/subject/start-host.ts';
import type { Fetched, GuardedFetch } from '../../net/fetched.ts';

/** What is learned while the work is done. */
export type SeenOnVisit = { robots?: RobotsRefusal; startHost?: string };

/** Whether the owner of a host wants no runs, and who ordered this one is not proven to be that owner. */
type RobotsGate = (url: string) => Promise<RobotsRefusal | undefined>;

/** What is ordered. `url`: of an audited site. */
type Order = { row: SoldRow; url?: string; args: Readonly<Record<string, unknown>> };

/**
 * The row with a look at robots.txt of each host that a run is about: of the named one before anything else is asked of it or of
 * an engine, and of the one that its start page leads to, whose page is the last thing that is read of it.
 * @param isProven whether the account owns a host
 */
export function watchRow(
  { row, url, args }: Order,
  seen: SeenOnVisit,
  isProven: (host: string) => Promise<boolean>,
): SoldRow {
  const site = url ?? args['site'];
  if (typeof site !== 'string') return row;
  return {
    ...row,
    run: async (input, tools) => {
      const gate = openRobotsGate(tools, isProven);
      const run = url === undefined ? runOfBrand : runOfSite;
      const outcome = await run(row, input, tools, { site, gate, seen });
      if (seen.robots !== undefined) return refuseRobots(seen.robots);
      const startHost = outcome.ok ? findStartHost(outcome.recording?.snapshots[0]) : undefined;
      if (startHost !== undefined) seen.startHost = startHost;
      return outcome;
    },
  };
}

type Input = Parameters<SoldRow['run']>[0];
type Visit = { site: string; gate: RobotsGate; seen: SeenOnVisit };

/** An audit: the host lets it in first (rule F6), so that robots.txt is part of the same visit. */
function runOfSite(row: SoldRow, input: Input, tools: CapabilityTools, visit: Visit): Promise<WorkOutcome> {
  return row.run(input, {
    ...tools,
    atTarget: (target, task) => tools.atTarget(target, async () => (await look(visit)) ?? task()),
    guardedFetch: (target, limits) => {
      const guarded = tools.guardedFetch(target, limits);
      // With limits of its own it reads parts of a page that was let in.
      return limits === undefined ? watchStart(guarded, visit) : guarded;
    },
  });
}

/**
 * A measurement, which reads pages of the brand's site when its answers are there: the look is a visit of its own. Pages of other
 * owners are read as their robots.txt lets us anyway; other hosts of the site are left out where theirs names us.
 */
async function runOfBrand(row: SoldRow, input: Input, tools: CapabilityTools, visit: Visit): Promise<WorkOutcome> {
  const { site, gate } = visit;
  const looked = await tools.atTarget(site, async () => (await look(visit)) ?? LET_IN);
  if (!looked.ok) return looked;
  const isSibling = (target: string): boolean =>
    new URL(target).host !== new URL(site).host && !isOtherSite(new URL(target).hostname, new URL(site).hostname);
  return row.run(input, {
    ...tools,
    guardedFetch: (target, limits) => {
      const guarded = tools.guardedFetch(target, limits);
      if (!isSibling(target)) return guarded;
      return keepCounts(guarded, async (wanted, mayFollow) => {
        const refusal = await gate(target);
        return refusal === undefined ? guarded(wanted, mayFollow) : stopAt(refusal, { redirects: [], elapsedMs: 0 });
      });
    },
  });
}

const LET_IN: WorkOutcome = { ok: true, result: {}, warnings: [] };

async function look({ site, gate, seen }: Visit): Promise<WorkOutcome | undefined> {
  const refusal = await gate(site);
  if (refusal === undefined) return undefined;
  seen.robots = refusal;
  return refuseRobots(refusal);
}

/** The fetch of an audit, which ends where its first request was led to a host that wants no runs. */
function watchStart(guarded: GuardedFetch, { site, gate, seen }: Visit): GuardedFetch {
  let isFirst = true;
  return keepCounts(guarded, async (target, mayFollow) => {
    const isStart = isFirst;
    isFirst = false;
    const fetched = await guarded(target, mayFollow);
    if (!isStart || !fetched.ok || new URL(fetched.url).host === new URL(site).host) return fetched;
    const refusal = await gate(fetched.url);
    if (refusal === undefined) return fetched;
    seen.robots = refusal;
    return stopAt(refusal, fetched);
  });
}

const keepCounts = (
  { count, bookText }: GuardedFetch,
  read: (...given: Parameters<GuardedFetch>) => Promise<Fetched>,
): GuardedFetch => Object.assign(read, { ...(count && { count }), ...(bookText && { bookText }) });

function openRobotsGate(tools: CapabilityTools, isProven: (host: string) => Promise<boolean>): RobotsGate {
  const known = new Map<string, Promise<RobotsText | undefined>>();
  const read = async (url: string): Promise<RobotsText | undefined> => {
    const robots = await readHostRobots(tools.guardedFetch(url, ROBOTS_LOOK_LIMITS), url);
    const from = robots && new URL(robots.url);
    // A domain whose every address leads to its `www` has one file.
    if (from?.pathname === '/robots.txt') known.set(from.host, Promise.resolve(robots));
    return robots;
  };
  return async (url) => {
    const { host, hostname } = new URL(url);
    const reading = known.get(host) ?? read(url);
    known.set(host, reading);
    const refusal = findRobotsRefusal(await reading, url);
    return refusal === undefined || (await isProven(hostname)) ? undefined : refusal;
  };
}

const describeRefusal = ({ line, url }: RobotsRefusal): string =>
  `robots.txt of ${new URL(url).hostname} disallows it in line ${line}`;

const refuseRobots = (refusal: RobotsRefusal): WorkOutcome => ({
  ok: false,
  reason: 'target_unreachable',
  detail: describeRefusal(refusal),
});

const stopAt = (
  refusal: RobotsRefusal,
  { redirects, elapsedMs }: Pick<Fetched, 'redirects' | 'elapsedMs'>,
): Fetched => ({
  ok: false,
  reason: 'budget_exhausted',
  detail: describeRefusal(refusal),
  redirects,
  elapsedMs,
});
