import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judged } from '../../test/audit/truth/judged.ts';
import { type Judgement, type Matrix, matrixByScore, matrixOf } from '../../test/audit/truth/matrix.ts';
import { serveSite } from '../../test/audit/truth/serve.ts';
import { truthSites } from '../../test/audit/truth/sites/index.ts';
import type { TruthSite } from '../../test/audit/truth/truth-site.ts';
import { type PeerVerdicts, peers, peerVerdicts } from './peers.ts';
import { type Shared, type SharedRow, sharedFigures } from './truth-figures.ts';

/** `noResult` names the sites for which the peer printed no result at all. */
export type PeerTruth = Shared & { name: string; sites: number; noResult: readonly string[] };
export type Truth = {
  sites: number;
  all: Matrix;
  byScore: Readonly<Record<string, Matrix>>;
  /** Facts of which ours does not say what was expected. */
  wrong: readonly string[];
  peers: readonly PeerTruth[];
};

type Said = { site: TruthSite; judgements: readonly Judgement[] };
type PeerSaid = ReadonlyMap<string, PeerVerdicts | null>;

/** Sites that the peers audit at the same time: one of them mostly waits. */
const LANES = 4;

/** Ours in process over the sites as they are planted, every peer's command line over the same sites on loopback. */
export async function measureTruth(): Promise<Truth> {
  const said: Said[] = [];
  for (const site of truthSites) said.push({ site, judgements: await judgementsOf(site) });
  const peersSaid = await askPeers();
  const all = said.flatMap(({ judgements }) => judgements);
  return {
    sites: truthSites.length,
    all: matrixOf(all),
    byScore: matrixByScore(all),
    wrong: said.flatMap(({ site, judgements }) => wrongOf(site, judgements)),
    peers: peers.map(({ name }) => peerTruth(name, peersSaid.get(name) ?? new Map<string, null>(), said)),
  };
}

async function judgementsOf(site: TruthSite): Promise<readonly Judgement[]> {
  const { outcomes } = await judged(site);
  return site.truth.map((row) => ({ row, got: outcomes.get(row.id)?.status ?? 'missing' }));
}

const wrongOf = (site: TruthSite, judgements: readonly Judgement[]): readonly string[] =>
  judgements
    .filter(({ row, got }) => row.status !== got)
    .map(({ row, got }) => `${site.name}: ${row.id} is ${row.status}, ours says ${got}`);

/** Verdicts by peer and site; a site of which a peer judges no planted fact is left out. */
async function askPeers(): Promise<ReadonlyMap<string, PeerSaid>> {
  const answers = new Map(peers.map(({ name }) => [name, new Map<string, PeerVerdicts | null>()] as const));
  const waiting = [...truthSites]; // Taken from the end, where the largest stand: the last to end would hold all up.
  const folder = mkdtempSync(join(tmpdir(), 'sightline-truth-'));
  const lane = async (): Promise<void> => {
    for (let site = waiting.pop(); site; site = waiting.pop()) {
      for (const [name, verdicts] of await askOf(site, folder)) answers.get(name)?.set(site.name, verdicts);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return answers;
}

async function askOf(site: TruthSite, folder: string): Promise<readonly (readonly [string, PeerVerdicts | null])[]> {
  const planted = new Set(site.truth.map(({ id }) => id));
  const able = peers.filter(({ facts }) =>
    Object.values(facts)
      .flat()
      .some((id) => planted.has(id)),
  );
  const running = await serveSite(site);
  try {
    const answers: (readonly [string, PeerVerdicts | null])[] = [];
    for (const peer of able) {
      const own = join(folder, `${site.name}-${peer.name}`.replaceAll(/[^\w-]/g, '_'));
      mkdirSync(own); // A peer that keeps a history or a cache keeps it there.
      answers.push([peer.name, await peerVerdicts(peer, running.origin + (site.path ?? '/'), own)]);
    }
    return answers;
  } finally {
    await running.close();
  }
}

function peerTruth(name: string, answers: PeerSaid, said: readonly Said[]): PeerTruth {
  const rows = said.flatMap(({ site, judgements }): SharedRow[] =>
    judgements.flatMap(({ row: { id, status }, got }) => {
      const peer = answers.get(site.name)?.get(id);
      return peer === undefined ? [] : [{ id, expected: status, ours: got, peer }];
    }),
  );
  const noResult = [...answers].filter(([, verdicts]) => verdicts === null).map(([site]) => site);
  return { name, sites: answers.size, noResult, ...sharedFigures(rows) };
}
