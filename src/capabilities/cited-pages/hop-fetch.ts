import { PRODUCT } from '../../lib/product.ts';
import { decideRobotsVerdict, parseRobots, type RobotsFile } from '../../audit/crawlers/facts/robots.ts';
import { ROBOTS_BYTES } from '../../audit/crawlers/gather/crawlers.ts';
import { classifyHost } from '../../net/address.ts';
import { canonicaliseHref } from '../../net/canonical-url.ts';
import { DEFAULT_LIMITS, type FetchLimits } from '../../net/fetch-budget.ts';
import type { Fetched, FetchFailure, FetchTarget, GuardedFetch, Hop } from '../../net/fetched.ts';
import type { ReadingPhase, VisitStop } from './reading-phase.ts';

/** Redirects of one page, or of one robots.txt, that are followed. */
const MAX_HOPS = DEFAULT_LIMITS.redirects;
const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];
/** Our name in robots.txt. */
const AGENT = `${PRODUCT}Bot`;

export type VisitTools = {
  /** That of `CapabilityTools`. */
  guardedFetch: (url: string, limits?: Partial<FetchLimits>) => GuardedFetch;
  phase: ReadingPhase;
  /** Of the fetches of one host; time that this visit may take is `wallMs`. */
  limits: Partial<FetchLimits> & { wallMs: number };
  /** Whether robots.txt decides about this address. */
  obeysRobots: (url: URL) => boolean;
};

/** A fetch of one visit. */
export type HopFetch = GuardedFetch & {
  /** Why this address may not be asked; undefined: it may. */
  admit: (url: string) => Promise<VisitStop | undefined>;
  /** Why an address was not asked, or not to its end, where it was we who did not. */
  findStop: (url: string) => VisitStop | undefined;
};

/**
 * Makes the fetch of one visit. It walks redirects hop by hop, since each hop is a visit of its own: its host lets us in
 * (rule F6) and its robots.txt (RFC 9309) is asked, and what either refuses is not requested. Each host has a budget of its own.
 */
export function createHopFetch(tools: VisitTools): HopFetch {
  const stops = new Map<string, VisitStop>();
  const wire = createVisitWire(tools);
  const robots = createRobotsReader(wire);
  const admit = async (url: URL): Promise<VisitStop | undefined> =>
    (await wire.enter(url)) ?? (tools.obeysRobots(url) ? await robots(url) : undefined);
  const walk = async (target: FetchTarget, mayFollow?: () => Promise<boolean>): Promise<Fetched> => {
    const walked = await walkHops(target, { admit, ask: wire.ask, mayFollow });
    if (walked.stop !== undefined) stops.set(canonicaliseHref(target.url), walked.stop);
    return walked.fetched;
  };
  return Object.assign(walk, {
    admit: (url: string) => admit(new URL(canonicaliseHref(url))),
    count: (bytes: number): boolean => wire.latest()?.count?.(bytes) ?? true,
    bookText: (bytes: number) => wire.latest()?.bookText?.(bytes),
    findStop: (url: string) => stops.get(canonicaliseHref(url)),
  });
}

/** `fetched` has the reason `budget_exhausted` where `stop` is no reason of the wire. */
type Walked = { fetched: Fetched; stop?: VisitStop };
type Walk = {
  /** Asked before each request. */
  admit: (url: URL) => Promise<VisitStop | undefined>;
  ask: (target: FetchTarget) => Promise<Walked>;
  mayFollow?: (() => Promise<boolean>) | undefined;
};

async function walkHops(target: FetchTarget, { admit, ask, mayFollow }: Walk): Promise<Walked> {
  const redirects: Hop[] = [];
  let elapsedMs = 0;
  const stopAt = (stop: VisitStop, detail: string): Walked => ({
    fetched: { ok: false, reason: toFailure(stop), detail, redirects, elapsedMs },
    stop,
  });
  if (!URL.canParse(target.url)) return stopAt('invalid_url', 'this is no address');
  const seen = new Set<string>();
  let url = new URL(canonicaliseHref(target.url));
  for (;;) {
    seen.add(url.href);
    const refused = await admit(url);
    if (refused !== undefined) return stopAt(refused, `${url.origin} was not asked: ${refused}`);
    const { fetched, stop } = await ask({ ...target, url: url.href, follow: false });
    elapsedMs += fetched.elapsedMs;
    const whole = { fetched: { ...fetched, redirects, elapsedMs }, ...(stop === undefined ? {} : { stop }) };
    const location = fetched.ok && REDIRECT_STATUSES.includes(fetched.status) ? fetched.headers['location'] : undefined;
    if (!fetched.ok || location === undefined) return whole;
    const next = readHop(url, location);
    if (typeof next === 'string') return stopAt(next, `${url.origin} redirects to where no page is`);
    if (seen.has(next.href)) return stopAt('redirect_loop', `${url.origin} redirects in a circle`);
    if (redirects.length >= MAX_HOPS) return stopAt('too_many_redirects', `more than ${MAX_HOPS} redirects`);
    if (mayFollow !== undefined && !(await mayFollow())) return stopAt('budget_exhausted', 'no redirect is left');
    redirects.push({ url: url.href, status: fetched.status, location: next.href });
    url = next;
  }
}

/** Where a redirect leads. From the public net none leads inside. */
function readHop(from: URL, location: string): URL | FetchFailure {
  if (!URL.canParse(location, from.href)) return 'bad_redirect';
  const next = new URL(canonicaliseHref(new URL(location, from.href).href));
  if (next.protocol !== 'http:' && next.protocol !== 'https:') return 'scheme_refused';
  const isPublic = ({ hostname }: URL): boolean => classifyHost(hostname).kind === 'public';
  return isPublic(from) && !isPublic(next) ? 'private_target' : next;
}

const OWN_STOPS: readonly VisitStop[] = ['deadline', 'target_busy', 'robots_disallowed', 'robots_unreachable'];
const toFailure = (stop: VisitStop): FetchFailure =>
  OWN_STOPS.includes(stop) ? 'budget_exhausted' : (stop as FetchFailure); // Every other word is one of the wire.

type Wire = {
  enter: (url: URL) => Promise<VisitStop | undefined>;
  ask: (target: FetchTarget) => Promise<Walked>;
  /** The fetch that was used last. */
  latest: () => GuardedFetch | undefined;
};

/** Single requests of one visit, in its time and in that of all visits. */
function createVisitWire({ guardedFetch, phase, limits }: VisitTools): Wire {
  /** What all visits have left when this one must be over. */
  const afterMs = Math.max(0, phase.leftMs() - limits.wallMs);
  const leftMs = (): number => phase.leftMs() - afterMs;
  const fetches = new Map<string, GuardedFetch>();
  let latest: GuardedFetch | undefined;
  const enter = async (url: URL): Promise<VisitStop | undefined> =>
    leftMs() <= 0 ? 'deadline' : await phase.enterHost(url);
  const ask = async (target: FetchTarget): Promise<Walked> => {
    const url = new URL(target.url);
    const wallMs = leftMs();
    const stop = wallMs <= 0 ? 'deadline' : phase.bookRequest(url) ? undefined : 'budget_exhausted';
    if (stop !== undefined) {
      const fetched = { ok: false, detail: 'nothing is left', redirects: [], elapsedMs: 0 } as const;
      return { fetched: { ...fetched, reason: toFailure(stop) }, stop };
    }
    const guarded = fetches.get(url.hostname) ?? guardedFetch(url.href, { ...limits, wallMs });
    fetches.set(url.hostname, guarded);
    latest = guarded;
    const fetched = await guarded(target);
    const isLate = !fetched.ok && fetched.reason === 'budget_exhausted' && leftMs() <= 0;
    return { fetched, ...(isLate ? { stop: 'deadline' } : {}) };
  };
  return { enter, ask, latest: () => latest };
}

/** Whether robots.txt lets us read an address: none allows all, and one that cannot be read forbids all. Each origin is asked once. */
function createRobotsReader(wire: Wire): (url: URL) => Promise<VisitStop | undefined> {
  const known = new Map<string, Promise<RobotsFile | VisitStop>>();
  return async (url) => {
    const reading = known.get(url.origin) ?? fetchRobots(url, wire);
    known.set(url.origin, reading);
    const file = await reading;
    if (typeof file === 'string') return file;
    return decideRobotsVerdict(file, AGENT, url.href).allowed ? undefined : 'robots_disallowed';
  };
}

/** Refusals of ours, which say nothing of a robots.txt. */
const OURS: readonly VisitStop[] = [
  'deadline',
  'budget_exhausted',
  'target_busy',
  'private_target',
  'port_refused',
  'scheme_refused',
  'credentials_refused',
  'invalid_url',
];

async function fetchRobots({ origin, host }: URL, { enter, ask }: Wire): Promise<RobotsFile | VisitStop> {
  // On another host only robots.txt may be read without asking its robots.txt.
  const admit = async (url: URL): Promise<VisitStop | undefined> =>
    url.host === host || url.pathname === '/robots.txt' ? enter(url) : 'robots_unreachable';
  const { fetched, stop } = await walkHops({ url: `${origin}/robots.txt`, maxBytes: ROBOTS_BYTES }, { admit, ask });
  if (!fetched.ok) {
    const reason = stop ?? fetched.reason;
    return OURS.includes(reason) ? reason : 'robots_unreachable';
  }
  if (fetched.status === 429 || fetched.status >= 500) return 'robots_unreachable';
  return parseRobots(fetched.status < 300 ? new TextDecoder().decode(fetched.bytes) : '');
}
