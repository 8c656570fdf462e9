import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { OutcomeStatus } from '../../src/audit/core/check.ts';
import { type GatherOptions, gatherSite } from '../../src/audit/core/gather.ts';
import { readSite } from '../../src/audit/core/report.ts';
import { judgeSnapshot } from '../../src/audit/core/run.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import type { GuardedFetch } from '../../src/net/fetched.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';

/** The sites were written for this day. */
export const PLANTED_CLOCK_MS = Date.UTC(2026, 10, 26);
const TOTAL_BYTES = 50 * 1024 * 1024;
/** Each site is read whole: it has at most eleven pages, and `--crawl` allows as much. */
const WHOLE = { maxPages: 25, requests: 150 };
const folder = new URL('planted/', import.meta.url);

const Answer = z.object({
  path: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()).default({}),
  file: z.string().default(''),
  when: z.object({ userAgent: z.string(), accept: z.string(), method: z.string() }).partial().optional(),
});
const Site = z.object({ name: z.string(), origin: z.string(), start: z.string(), answers: z.array(Answer) });
const Fact = z.object({ id: z.string(), what: z.string(), where: z.string().optional(), checks: z.array(z.string()) });
const Truth = z.object({ defects: z.array(Fact), good: z.array(Fact) });

export type PlantedSite = z.infer<typeof Site> & { folder: string; truth: z.infer<typeof Truth> };

/** What was found of one site: planted defects that a verdict names, and good facts that one contradicts. */
export type PlantedFigures = {
  site: string;
  defects: number;
  found: number;
  good: number;
  contradicted: number;
  missed: readonly string[];
  wrong: readonly string[];
};

/** The sites that a second person planted, who had read only the titles of the checks. */
export function readPlantedSites(): readonly PlantedSite[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }) => {
    const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`${name}/${file}`, folder), 'utf8'));
    return { ...Site.parse(read('site.json')), folder: name, truth: Truth.parse(read('truth.json')) };
  });
}

/** Audits each site as it is planted. */
export async function measurePlanted(): Promise<readonly PlantedFigures[]> {
  const figures: PlantedFigures[] = [];
  for (const site of readPlantedSites()) figures.push(compare(site, await auditPlanted(site)));
  return figures;
}

async function auditPlanted(site: PlantedSite): Promise<PlantedLookup> {
  const fetch = createGuardedFetch({
    fetch: (url, init) => Promise.resolve(answerPlanted(site, url, init)),
    policy: allowPublicOnly(),
    clock: Date.now,
    userAgent: 'bench',
    limits: { totalBytes: TOTAL_BYTES, requests: WHOLE.requests },
  });
  return judgePlanted(new URL(site.start, site.origin).href, fetch, WHOLE);
}

/** The status of a check: on the page of the site that a fact is about, where it names one and the check judges each. */
export type PlantedLookup = (id: string, where?: string) => OutcomeStatus | undefined;

/** Audits a planted site where it is served, on the day for which it was written. */
export async function judgePlanted(
  start: string,
  fetch: GuardedFetch,
  wider: Pick<GatherOptions, 'maxPages' | 'requests'> = {},
): Promise<PlantedLookup> {
  const snapshot = await gatherSite(start, { fetch, clockMs: PLANTED_CLOCK_MS, ...wider });
  const results = judgeSnapshot(snapshot, readSite(snapshot));
  const byId = new Map(results.map((result) => [result.check.id, result]));
  return (id, where) => {
    const result = byId.get(id);
    const page = result?.pages?.find(({ url }) => new URL(url).pathname === where);
    return (page ?? result)?.outcome.status;
  };
}

type Init = { method?: string; headers?: Readonly<Record<string, string>> };

/** What a planted site answers: a plain 404 for other hosts and for what it has no rule for. */
export function answerPlanted(site: PlantedSite, href: string, init: Init): Response {
  const url = new URL(href);
  // What leads to the same host by http is answered too: a plain address of the endpoint is one of the defects.
  if (url.host !== new URL(site.origin).host)
    return new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } });
  const headers = new Headers(init.headers);
  const method = init.method ?? 'GET';
  const matches = (pattern: string | undefined, value: string): boolean =>
    pattern === undefined || new RegExp(pattern).test(value);
  const answer = site.answers.find(
    ({ path, when }) =>
      (path === url.pathname || path === '*') &&
      matches(when?.userAgent, headers.get('user-agent') ?? '') &&
      matches(when?.accept, headers.get('accept') ?? '') &&
      matches(when?.method, method),
  );
  if (!answer) return new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } });
  const body = answer.file === '' ? '' : readFileSync(new URL(`${site.folder}/${answer.file}`, folder));
  const empty = method === 'HEAD' || answer.status === 204 || answer.status === 304;
  return new Response(empty ? null : body, { status: answer.status, headers: answer.headers });
}

/** A planted site answers every query alike: whether its search finds anything cannot be seen on it. */
const UNSEEN: ReadonlySet<string> = new Set(['agent.ui.search-url']);

export const isFault = (status: OutcomeStatus | undefined): boolean => status === 'fail' || status === 'partial';

function compare(site: PlantedSite, lookUp: PlantedLookup): PlantedFigures {
  const names = ({ checks, where }: z.infer<typeof Fact>): boolean =>
    checks.some((id) => !UNSEEN.has(id) && isFault(lookUp(id, where)));
  const missed = site.truth.defects.filter((fact) => !names(fact));
  const wrong = site.truth.good.filter(names);
  return {
    site: site.name,
    defects: site.truth.defects.length,
    found: site.truth.defects.length - missed.length,
    good: site.truth.good.length,
    contradicted: wrong.length,
    missed: missed.map(({ id, what, checks }) => `${id} (${checks.join(', ')}): ${what}`),
    wrong: wrong.map(
      ({ id, what, where, checks }) =>
        `${id} (${checks.filter((one) => !UNSEEN.has(one) && isFault(lookUp(one, where))).join(', ')}): ${what}`,
    ),
  };
}
