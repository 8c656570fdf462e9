import * as fc from 'fast-check';
import type { EnvironmentGroup } from '../../../src/hybrid/core/migration.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';
import { type Entry, type Layout, type Pen, writeNoise, writeTop } from './blocks.ts';
import { type Draw, drawWith } from './draw.ts';
import { unrelated } from './unrelated.ts';
import { type Line, lineWriter } from './lines.ts';
import { hosts } from './hosts.ts';
import {
  cassandraPart,
  clusterParts,
  connectParts,
  type Facts,
  gcpParts,
  given,
  goneParts,
  martPart,
  metricsParts,
  orgPart,
  renamed,
  watcherParts,
  type Write,
} from './parts.ts';

/** A 1.2 file and what a migration with `options` must make of it. Made line by line, without the code under test. */
export type HybridFile = {
  text: string;
  options: MigrateOptions;
  expected: string;
  groups: readonly EnvironmentGroup[];
  lines: readonly Line[];
  isFragment: boolean;
};

/** Lines of a fault, and where in the file they stand; see `hybrid-faults.ts`. */
export type Plants = {
  top?: readonly string[];
  mart?: readonly Entry[];
  gcp?: readonly Entry[];
  vhosts?: readonly (readonly Entry[])[];
  firstVhost?: (entries: readonly Entry[]) => readonly Entry[];
  envs?: readonly (readonly Entry[])[];
  firstEnv?: (entries: readonly Entry[]) => readonly Entry[];
  org?: string;
  /** Blocks that are not written, or that `top` brings. */
  without?: readonly string[];
};

export const hybridFiles: fc.Arbitrary<HybridFile> = fc.gen().map((g) => hybridFile(drawWith(g)));

export function hybridFile(draw: Draw, plants: Plants = {}): HybridFile {
  const w = lineWriter();
  const layout = layoutOf(draw, plants);
  let notes = 0;
  const words = draw.pick(['', ' a: b, "c"', " it's", ' - x', ' # twice', ' ünï 🚀', ' key:', ' [', ' */']);
  const pen: Pen = { w, draw, layout, note: () => `#${draw.pick([' ', ' ', '', '# '])}n${++notes}.${words}` };
  const facts = factsOf(draw, plants);
  head(pen);
  const wanted = partsOf(draw, facts);
  for (const part of draw.shuffled(wanted.flatMap(([, parts]) => parts))) {
    topNoise(pen);
    part(pen);
  }
  topNoise(pen);
  const missing = wanted.filter(([, parts]) => parts.length === 0).map(([name]) => name);
  return rendered(draw, w.finish(), facts, facts.isFragment ? [] : appended(pen, facts, missing));
}

function layoutOf(draw: Draw, plants: Plants): Layout {
  const unit = draw.pick([2, 2, 2, 4] as const);
  const isPlanted = Object.keys(plants).length > 0;
  return {
    unit,
    dashShift: draw.pick(unit === 2 ? ([2, 0] as const) : ([2, 0, 4] as const)),
    dash: unit === 4 && draw.chance(40) ? '-   ' : '- ',
    flowPercent: isPlanted ? 0 : draw.pick([0, 15, 30]),
    commentPercent: draw.pick([0, 20, 40]),
  };
}

function factsOf(draw: Draw, plants: Plants): Facts {
  const isFragment = Object.keys(plants).length === 0 && draw.chance(6);
  const clusterRegion = draw.pick(['us-west1', '"$REGION"', "'europe-west4'", '$REGION']);
  const options: MigrateOptions = {};
  return {
    isFragment,
    projectId: draw.pick(['my-project', '$PROJECT_ID', '"my-project"']),
    region: draw.pick(['us-central1', '"$AX_REGION"', '$REGION']),
    clusterName: draw.pick(['apigee', '$CLUSTER', '"cluster-1"', "'c1'"]),
    clusterRegion,
    martPath: draw.pick([
      './service-accounts/p-apigee-mart.json',
      '$MART_SA',
      '"./sa/mart.json"',
      '/k/$P-apigee-mart.json',
    ]),
    options,
    hosts: hosts(draw, plants, options, isFragment),
    plants,
  };
}

function head({ w, draw, note }: Pen) {
  if (draw.chance(20)) w.comment(0, '# Copyright 2020 Somebody');
  if (draw.chance(15)) w.line(draw.pick(['---', '--- ', `--- ${note()}`]));
}

/** Between blocks; a removed one takes the deeper comments. */
function topNoise(pen: Pen) {
  if (pen.draw.chance(50)) pen.w.blank();
  writeNoise(pen, 0);
}

function partsOf(draw: Draw, facts: Facts): [string, Write[]][] {
  const { plants, isFragment } = facts;
  const wanted: [string, Write[]][] = [
    ['gcp', isFragment && draw.chance(50) ? [] : gcpParts(draw, facts)],
    ['k8sCluster', isFragment && draw.chance(50) ? [] : clusterParts(draw, facts)],
    ['org', isFragment ? [] : [orgPart(draw, facts)]],
    ['virtualhosts', [(pen) => writeTop(pen, { key: 'virtualhosts', value: { items: facts.hosts.virtualHosts } })]],
    ['envs', [(pen) => writeTop(pen, { key: 'envs', value: { items: facts.hosts.environments } })]],
    ['mart', isFragment && draw.chance(50) ? [] : [martPart(draw, facts)]],
    ['connectAgent', connectParts(draw, facts)],
    ['metrics', metricsParts(draw, facts)],
    ['watcher', watcherParts(draw, facts)],
    ['cassandra', draw.chance(40) ? [cassandraPart(draw)] : []],
    ['gone', goneParts(draw)],
    ['unrelated', draw.shuffled(unrelated).slice(0, draw.between(0, 4))],
    ['top', plants.top === undefined ? [] : [planted(plants.top)]],
  ];
  return wanted.filter(([name]) => plants.without?.includes(name) !== true);
}

const planted =
  (lines: readonly string[]): Write =>
  ({ w }) =>
    lines.forEach((line) => w.line(line));

/** The blocks that 1.3 requires, each after one blank line. */
function appended({ draw, layout }: Pen, facts: Facts, missing: readonly string[]): readonly string[] {
  const { martPath } = facts;
  const blocks = {
    connectAgent: () => given(draw, facts, 'connectAgentServiceAccountPath', martPath),
    metrics: () => given(draw, facts, 'metricsServiceAccountPath', renamed(martPath, 'metrics')),
    watcher: () => given(draw, facts, 'watcherServiceAccountPath', renamed(martPath, 'watcher')),
  };
  return Object.entries(blocks)
    .filter(([name]) => missing.includes(name))
    .flatMap(([name, path]) => ['', `${name}:`, `${' '.repeat(layout.unit)}serviceAccountPath: ${path()}`]);
}

function rendered(draw: Draw, lines: readonly Line[], facts: Facts, added: readonly string[]): HybridFile {
  const eol = draw.chance(12) ? '\r\n' : '\n';
  const bom = draw.chance(6) ? '\uFEFF' : '';
  const before = lines.flatMap((line) => ('text' in line ? [line.text] : []));
  // A last line without its end is one only when something stands in it.
  const isEnded = before.at(-1) === '' || !draw.chance(10);
  const after = lines.flatMap((line) => {
    if (line.fate === 'remove') return [];
    return 'to' in line ? line.to : [line.text];
  });
  const last = lines.findLast((line) => line.fate !== 'insert');
  // Without an end of its last line the new file has none either, unless blocks come after it or the line goes.
  const isLastKept = added.length === 0 && last !== undefined && last.fate !== 'remove';
  return {
    text: bom + before.join(eol) + (isEnded ? eol : ''),
    options: facts.options,
    expected: bom + [...after, ...added].join(eol) + (isEnded || !isLastKept ? eol : ''),
    groups: facts.hosts.groups,
    lines,
    isFragment: facts.isFragment,
  };
}
