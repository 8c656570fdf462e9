import type { PeerVerdict } from '../../audit/peers.ts';
import type { PlantedSite } from '../planted.ts';
import type { PeerRules } from './rules.ts';

/** Planted defects that were found, good facts that were contradicted, of how many. */
type Counts = { defects: number; good: number; found: number; contradicted: number };
/** Null where nothing was reported, or nothing planted. */
export type Shares = { precision: number | null; recall: number | null };

/**
 * One tool on all planted sites. `facts` is how many it judges; recall is of all planted defects. `same` is the same count
 * on these facts only, with ours beside it. `noResult` names the sites of which it printed no result.
 */
export type PeerFigures = Shares & {
  name: string;
  version: string;
  facts: number;
  found: number;
  contradicted: number;
  same: { peer: Counts & Shares; ours: Counts & Shares };
  missed: readonly string[];
  wrong: readonly string[];
  noResult: readonly string[];
};

/** Whether a tool judges a fact, and whether it then reports a fault. */
export type Said = 'fault' | 'fine' | 'nothing';
type FactSaid = { id: string; kind: 'defect' | 'good'; said: Said };
export type ToolSaid = { name: string; version: string; facts: readonly FactSaid[]; noResult: readonly string[] };

/** The worst and the best word on a rule over the pages that were judged. */
export type RuleSaid = ReadonlyMap<string, { worst: PeerVerdict; best: PeerVerdict }>;

type PlantedFact = { id: string; kind: FactSaid['kind']; checks: readonly string[]; where?: string | undefined };

export const listFacts = ({ truth }: PlantedSite): readonly PlantedFact[] => [
  ...truth.defects.map(({ id, checks, where }) => ({ id, kind: 'defect' as const, checks, where })),
  ...truth.good.map(({ id, checks, where }) => ({ id, kind: 'good' as const, checks, where })),
];

const ORDER: readonly PeerVerdict[] = ['defect', 'half', 'fine'];

export function joinPages(pages: readonly ReadonlyMap<string, PeerVerdict>[]): RuleSaid {
  const names = new Set(pages.flatMap((rules) => [...rules.keys()]));
  return new Map(
    [...names].map((name) => {
      const said = pages.flatMap((rules) => rules.get(name) ?? []);
      const sorted = said.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
      return [name, { worst: sorted[0] ?? 'fine', best: sorted.at(-1) ?? 'fine' }] as const;
    }),
  );
}

/**
 * In the peer's favour: a defect is found when a rule, a doubtful one too, reports it on any page, in part too; a good
 * fact is contradicted when a rule on the same question calls it a defect on every page.
 */
export function judgeFact(
  { kind, checks }: { kind: FactSaid['kind']; checks: readonly string[] },
  { same, doubtful }: PeerRules,
  said: RuleSaid,
): Said {
  const tables = kind === 'defect' ? [same, doubtful] : [same];
  const concerned = tables
    .flatMap((table) => Object.entries(table))
    .filter(([, ids]) => ids.some((id) => checks.includes(id)));
  const verdicts = concerned.flatMap(([rule]) => said.get(rule) ?? []);
  if (verdicts.length === 0) return 'nothing';
  const isReported =
    kind === 'defect' ? verdicts.some(({ worst }) => worst !== 'fine') : verdicts.some(({ best }) => best === 'defect');
  return isReported ? 'fault' : 'fine';
}

export function countTool(tool: ToolSaid, ours: ToolSaid): PeerFigures {
  const judged = new Set(tool.facts.filter(({ said }) => said !== 'nothing').map(({ id }) => id));
  const only = (facts: readonly FactSaid[]): Counts => countFacts(facts.filter(({ id }) => judged.has(id)));
  const [all, peer, own] = [countFacts(tool.facts), only(tool.facts), only(ours.facts)];
  const { name, version, facts, noResult } = tool;
  return {
    name,
    version,
    facts: judged.size,
    found: all.found,
    contradicted: all.contradicted,
    ...shareOf(all),
    same: { peer: { ...peer, ...shareOf(peer) }, ours: { ...own, ...shareOf(own) } },
    missed: facts.filter(({ kind, said }) => kind === 'defect' && said !== 'fault').map(({ id }) => id),
    wrong: facts.filter(({ kind, said }) => kind === 'good' && said === 'fault').map(({ id }) => id),
    noResult,
  };
}

function countFacts(facts: readonly FactSaid[]): Counts {
  const count = (kind: FactSaid['kind'], said?: Said): number =>
    facts.filter((fact) => fact.kind === kind && (said === undefined || fact.said === said)).length;
  return {
    defects: count('defect'),
    good: count('good'),
    found: count('defect', 'fault'),
    contradicted: count('good', 'fault'),
  };
}

function shareOf({ defects, found, contradicted }: Counts): Shares {
  return {
    precision: found + contradicted === 0 ? null : found / (found + contradicted),
    recall: defects === 0 ? null : found / defects,
  };
}
