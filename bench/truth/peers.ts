import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Aim, atMost } from '../aims.ts';
import { type Peer, peerRules, peers, type PeerVerdict } from '../audit/peers.ts';
import { createLocalFetch } from '../../src/cli/audit/local-fetch.ts';
import { DEFAULT_LIMITS } from '../../src/net/fetch-budget.ts';
import {
  describeLighthouse,
  findLighthouseCheckout,
  readLighthouseOutcomes,
  readLighthouseRecording,
  readLighthouseVersion,
} from './peers/agent-lighthouse.ts';
import {
  countTool,
  joinPages,
  judgeFact,
  listFacts,
  type PeerFigures,
  type RuleSaid,
  type Said,
  type Shares,
  type ToolSaid,
} from './peers/counts.ts';
import { peerRuleTables } from './peers/rules.ts';
import { isFault, judgePlanted, PLANTED_CLOCK_MS, type PlantedSite, readPlantedSites } from './planted.ts';
import { type RunningPlanted, servePlanted } from './serve-planted.ts';

const OURS = 'sightline';
const TOTAL_BYTES = 50 * 1024 * 1024;
/** More than any of the sites has: ours is run as with `--crawl 25`, a tool of one page on each page. */
const MAX_PAGES = 25;
const REQUESTS = DEFAULT_LIMITS.requests + MAX_PAGES;

/** Arguments of Node that let a peer run on the day of the planted sites. */
export const clockArgs: readonly string[] = [
  '--import',
  new URL(`peers/planted-clock.mjs?ms=${PLANTED_CLOCK_MS}`, import.meta.url).href,
];

/** Tools that judge only the page that they are given. */
const ONE_PAGE = new Set(['aiseo-audit', 'agent-readiness']);

type Say = (line: string) => void;

/** Ours and every peer, one at a time, on the planted sites over loopback. */
export async function measurePeers(say: Say = () => undefined): Promise<readonly PeerFigures[]> {
  const sites = readPlantedSites();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-peers-'));
  try {
    const ours = await askOurs(sites);
    const others: ToolSaid[] = [];
    for (const peer of peers) others.push(await askPeer(peer, sites, folder));
    others.push(await askLighthouse(sites, folder));
    const figures = [ours, ...others].map((tool) => countTool(tool, ours));
    for (const line of describePeers(figures)) say(line);
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No peer may be above ours in both, on all planted facts and on those that it judges. */
export function listPeerAims(figures: readonly PeerFigures[]): readonly Aim[] {
  const ours = figures.find(({ name }) => name === OURS);
  if (!ours) throw new Error('ours is not among the tools');
  const above = (peer: Shares, own: Shares): boolean =>
    (peer.precision ?? 0) > (own.precision ?? 0) && (peer.recall ?? 0) > (own.recall ?? 0);
  const all = figures.filter((peer) => above(peer, ours));
  const same = figures.filter((peer) => above(peer.same.peer, peer.same.ours));
  return [
    atMost('planted facts, peers above ours in both precision and recall', all.length, 0, ''),
    atMost('planted facts that a peer judges too, peers above ours in both', same.length, 0, ''),
  ];
}

/** The table of the tools, a line each. */
export function describePeers(figures: readonly PeerFigures[]): readonly string[] {
  const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(3));
  return figures.flatMap(({ name, version, facts, found, contradicted, precision, recall, same, noResult }) => [
    `peers: ${name} ${version} judges ${facts} planted facts: ${found} defects found, ${contradicted} good facts contradicted;` +
      ` precision ${share(precision)} recall ${share(recall)}`,
    ...(name === OURS
      ? []
      : [
          `  on these facts (${same.peer.defects} defects, ${same.peer.good} good): precision ${share(same.peer.precision)} recall` +
            ` ${share(same.peer.recall)}, ours ${share(same.ours.precision)} and ${share(same.ours.recall)}`,
        ]),
    ...(noResult.length === 0 ? [] : [`  no result on ${noResult.join(', ')}`]),
  ]);
}

/** All pages are read: which of them a smaller sample holds depends on the address, here on a port. */
async function askOurs(sites: readonly PlantedSite[]): Promise<ToolSaid> {
  const facts: ToolSaid['facts'][number][] = [];
  for (const site of sites) {
    const lookUp = await whileServed(site, ({ origin }) => {
      const start = origin + site.start;
      const fetch = createLocalFetch(start, { totalBytes: TOTAL_BYTES, requests: REQUESTS });
      return judgePlanted(start, fetch, { maxPages: MAX_PAGES, requests: REQUESTS });
    });
    const says = (ids: readonly string[], where?: string): Said => {
      const said = ids.map((id) => lookUp(id, where));
      if (said.some(isFault)) return 'fault';
      return said.includes('pass') ? 'fine' : 'nothing';
    };
    facts.push(...listFacts(site).map(({ id, kind, checks, where }) => ({ id, kind, said: says(checks, where) })));
  }
  return { name: OURS, version: readVersion(new URL('../../package.json', import.meta.url)), facts, noResult: [] };
}

async function askPeer(peer: Peer, sites: readonly PlantedSite[], folder: string): Promise<ToolSaid> {
  const said = new Map<string, RuleSaid>();
  for (const site of sites) {
    const pages = ONE_PAGE.has(peer.name) ? listPages(site) : [site.start];
    const onPages = await whileServed(site, async ({ origin }) => {
      const all: ReadonlyMap<string, PeerVerdict>[] = [];
      for (const [index, page] of pages.entries()) {
        const own = join(folder, `${peer.name}-${site.folder}-${index}`);
        mkdirSync(own); // A peer that keeps a history or a cache keeps it there.
        const rules = await peerRules(peer, origin + page, own, clockArgs);
        if (rules) all.push(rules);
      }
      return all;
    });
    if (onPages.length > 0) said.set(site.folder, joinPages(onPages));
  }
  const file = new URL(`../node_modules/${peer.name}/package.json`, import.meta.url);
  return readTool({ name: peer.name, version: readVersion(file) }, sites, said);
}

async function askLighthouse(sites: readonly PlantedSite[], folder: string): Promise<ToolSaid> {
  const said = new Map<string, RuleSaid>();
  const checkout = findLighthouseCheckout();
  const recording = readLighthouseRecording();
  const { name } = recording;
  for (const site of sites) {
    const rules =
      checkout === undefined
        ? readLighthouseOutcomes(recording.sites[site.folder] ?? {})
        : await runLighthouse(checkout, site, join(folder, `${name}-${site.folder}`));
    if (rules && rules.size > 0) said.set(site.folder, joinPages([rules]));
  }
  const version = checkout === undefined ? recording.version : readLighthouseVersion(checkout);
  return readTool({ name, version }, sites, said);
}

function runLighthouse(
  checkout: string,
  site: PlantedSite,
  folder: string,
): Promise<ReadonlyMap<string, PeerVerdict> | null> {
  mkdirSync(folder);
  return whileServed(site, ({ origin }) =>
    peerRules(describeLighthouse(checkout, folder), origin + site.start, folder, clockArgs),
  );
}

async function whileServed<T>(site: PlantedSite, work: (running: RunningPlanted) => Promise<T>): Promise<T> {
  const running = await servePlanted(site);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}

/** The pages of a site that everybody gets as HTML. */
function listPages({ start, answers }: PlantedSite): readonly string[] {
  const pages = answers.filter(
    ({ path, status, headers, when }) =>
      path !== '*' &&
      status === 200 &&
      when === undefined &&
      Object.entries(headers).some(
        ([name, value]) => name.toLowerCase() === 'content-type' && /^text\/html\b/.test(value),
      ),
  );
  return [...new Set([start, ...pages.map(({ path }) => path)])].slice(0, MAX_PAGES);
}

function readTool(
  tool: { name: string; version: string },
  sites: readonly PlantedSite[],
  said: ReadonlyMap<string, RuleSaid>,
): ToolSaid {
  const rules = peerRuleTables.get(tool.name);
  if (!rules) throw new Error(`no rules of ${tool.name} are listed`);
  const noResult = sites.filter(({ folder }) => !said.has(folder)).map(({ folder }) => folder);
  const facts = sites.flatMap((site) => {
    const own = said.get(site.folder) ?? new Map<string, never>();
    return listFacts(site).map(({ id, kind, checks }) => ({ id, kind, said: judgeFact({ kind, checks }, rules, own) }));
  });
  return { ...tool, facts, noResult };
}

const readVersion = (file: URL): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
