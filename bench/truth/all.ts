import { type Aim, atLeast } from '../aims.ts';
import { corporaFolder } from './corpora.ts';
import type { PeerFigures } from './peers/counts.ts';
import { describePeers, listPeerAims, measurePeers } from './peers.ts';
import { measurePlanted, type PlantedFigures } from './planted.ts';
import { measureRobots, type RobotsResults } from './robots/robots.ts';
import { measureTruth, type TruthResults } from './truth.ts';

export type AllTruth = TruthResults & {
  planted: readonly PlantedFigures[];
  robots: RobotsResults;
  peers: readonly PeerFigures[];
};

/** Everything that is measured on what nobody here made: labelled pages, planted sites, robots.txt files, peers. */
export async function measureAllTruth(say: (line: string) => void): Promise<AllTruth> {
  const folder = corporaFolder();
  if (folder === undefined) throw new Error('TRUTH_CORPORA names no folder: see bench/truth/README.md');
  const truth = await measureTruth(say);
  const planted = await measurePlanted();
  for (const { site, defects, found, good, contradicted, missed, wrong } of planted) {
    say(`planted, ${site}: ${found} of ${defects} defects named, ${contradicted} of ${good} good facts contradicted`);
    for (const one of missed) say(`  missed ${one}`);
    for (const one of wrong) say(`  contradicted ${one}`);
  }
  const robots = measureRobots(folder, say);
  const peers = await measurePeers(say);
  for (const line of describePeers(peers)) say(line);
  const aims = [...truth.aims, ...listPlantedAims(planted), ...robots.aims, ...listPeerAims(peers)];
  return { ...truth, aims, planted, robots, peers };
}

function listPlantedAims(planted: readonly PlantedFigures[]): readonly Aim[] {
  const total = (of: (figures: PlantedFigures) => number): number =>
    planted.reduce((sum, figures) => sum + of(figures), 0);
  const found = total(({ found: one }) => one);
  const contradicted = total(({ contradicted: one }) => one);
  return [
    atLeast('truth: recall of planted defects', found / total(({ defects }) => defects), 0.95, ''),
    atLeast('truth: precision on planted sites', found / (found + contradicted), 0.95, ''),
  ];
}
