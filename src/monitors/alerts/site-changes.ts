import { isAssessed } from '../../audit/core/scores.ts';
import type { CheckEvidence } from '../../audit/core/evidence.ts';
import type { AlertChange, AlertReading } from '../core/alert.ts';
import type { MonitorRun } from '../core/run.ts';
import { type CheckFacts, listFailedUrls, type SiteFacts } from '../facts/site-facts.ts';
import type { ScoreMove } from './score-moves.ts';
import type { SettledChange, SettledRuns } from './settled.ts';
import type { TracedRun } from './site-trace.ts';

/** Pieces of evidence on each side of a change. */
const MAX_READING_EVIDENCE = 3;

/** Both sides of a comparison; `before` is absent where only verdicts of before are known. */
export type ComparedFacts = { before: SiteFacts | undefined; after: SiteFacts };

/** Checks of a lower weight are left out; a change since another run than `beforeRun` names it. */
type Bounds = { minWeight: number; beforeRun: MonitorRun | undefined };

/** Checks whose verdict changed, or whose gate fired or was lifted: each once. */
export function listCheckChanges(
  facts: ComparedFacts,
  settled: SettledRuns<TracedRun>,
  { minWeight, beforeRun }: Bounds,
): readonly AlertChange[] {
  const changed = new Map(settled.changes.map((one) => [one.id, one]));
  const known = new Map(facts.before?.checks.map((one) => [one.id, one]));
  const gates = { before: listGates(facts.before), after: listGates(facts.after) };
  return facts.after.checks.flatMap((now): readonly AlertChange[] => {
    const [change, old] = [changed.get(now.id), known.get(now.id)];
    const gate = judgeGate({ now, old, change }, settled, gates);
    if (gate === undefined && (change === undefined || now.weight < minWeight)) return [];
    const isWorse = gate === undefined ? now.value < (change?.from.value ?? now.value) : gate === 'gate_fired';
    return [
      {
        id: now.id,
        title: now.title,
        kind: gate ?? 'verdict_changed',
        weight: now.weight,
        isWorse,
        before: describeBefore(old, change, now, gates.before),
        after: describeCheck(now, old, gates.after),
        ...describeSince(change?.since, beforeRun),
      },
    ];
  });
}

const describeSince = (since: TracedRun | undefined, beforeRun: MonitorRun | undefined): Pick<AlertChange, 'since'> =>
  !since || since.id === beforeRun?.id ? {} : { since: { runId: since.id, atMs: getRunTime(since) } };

/**
 * Checks that could not look twice in a row, because an address of the site failed both times: that says nothing of their verdict,
 * and is news of the address.
 */
export function listUnseenChanges(
  { before, after }: ComparedFacts,
  { unseen }: SettledRuns<TracedRun>,
  { minWeight, beforeRun }: Bounds,
): readonly AlertChange[] {
  const failedThen = before === undefined ? new Set() : listFailedUrls(before);
  const failed = new Map(
    after.requests.filter(({ url }) => failedThen.has(url)).map(({ url, status, failure }) => [url, status ?? failure]),
  );
  const gaps = new Map(unseen.map((one) => [one.id, one]));
  return after.checks.flatMap((now): readonly AlertChange[] => {
    const gap = gaps.get(now.id);
    const seen = now.evidence.find(({ url }) => failed.has(url));
    if (gap === undefined || seen === undefined || now.weight < minWeight) return [];
    const { status, value } = gap.settled;
    return [
      {
        id: now.id,
        title: now.title,
        kind: 'verdict_changed',
        weight: now.weight,
        isWorse: true,
        before: { text: formatVerdict(gap.settled), status, value },
        after: { text: `${failed.get(seen.url) ?? 'no answer'}`, status: 'unknown', evidence: [seen] },
        ...describeSince(gap.since, beforeRun),
      },
    ];
  });
}

/** When a run looked, in Unix milliseconds. */
export const getRunTime = ({ endedAtMs, startedAtMs, dueMs }: MonitorRun): number => endedAtMs ?? startedAtMs ?? dueMs;

/** What each gate holds, by check: `aeo at 20`. */
type Gates = ReadonlyMap<string, readonly string[]>;

function listGates(facts: SiteFacts | undefined): Gates {
  const all = Object.entries(facts?.scores ?? {}).flatMap(([name, one]) =>
    (one?.gates ?? []).map(({ id, cap }) => ({ id, text: `${name} at ${cap}` })),
  );
  return new Map([...Map.groupBy(all, ({ id }) => id)].map(([id, rows]) => [id, rows.map(({ text }) => text)]));
}

type GateCase = { now: CheckFacts; old: CheckFacts | undefined; change: SettledChange<TracedRun> | undefined };

/**
 * Whether the gate of a check fired or was lifted. A verdict that waits for another run moves no gate, nor does one that could not
 * be looked at; what did not apply before, such as a text that was not there, fires it.
 */
function judgeGate(
  { now, old, change }: GateCase,
  { held, before }: SettledRuns<TracedRun>,
  gates: { before: Gates; after: Gates },
): 'gate_fired' | 'gate_lifted' | undefined {
  if (held.has(now.id) || old === undefined) return undefined;
  const settled = before.get(now.id);
  const isSettledThen = settled === undefined ? old.status === 'not_applicable' : settled.status === old.status;
  const [was, is] = [gates.before.has(now.id), gates.after.has(now.id)];
  if (!isSettledThen) {
    // What the report of before shows had not settled, or was no verdict: the gate goes with the settled ones.
    if (change === undefined) return undefined;
    const isWorse = change.to.value < change.from.value;
    if (is && isWorse) return 'gate_fired';
    return !is && !isWorse && (was || hadGate(change.since, now.id)) ? 'gate_lifted' : undefined;
  }
  if (is && !was) return 'gate_fired';
  return was && !is && isAssessed(now) ? 'gate_lifted' : undefined;
}

const hadGate = (run: TracedRun, id: string): boolean =>
  run?.summary?.kind === 'site' && Object.values(run.summary.scores).some((one) => one?.gates.includes(id) === true);

/** Evidence of before where the compared report still shows the verdict of before. */
function describeBefore(
  then: CheckFacts | undefined,
  change: SettledChange<TracedRun> | undefined,
  now: CheckFacts,
  gates: Gates,
): AlertReading | null {
  if (change === undefined || then?.status === change.from.status) return then ? describeCheck(then, now, gates) : null;
  const { status, value } = change.from;
  return { text: formatVerdict({ status, value }), status, value };
}

/** A verdict with the evidence that the other side does not have, first. */
export const describeReading = (one: CheckFacts, other: CheckFacts | undefined): AlertReading =>
  describeCheck(one, other, new Map());

function describeCheck(one: CheckFacts, other: CheckFacts | undefined, gates: Gates): AlertReading {
  const { id, status, value, evidence } = one;
  const holds = gates.get(id);
  const shown = new Set(other?.evidence.map(describePlace));
  const sorted = evidence.toSorted((a, b) => Number(shown.has(describePlace(a))) - Number(shown.has(describePlace(b))));
  return {
    text: `${formatVerdict(one)}${holds === undefined ? '' : `, holds ${holds.join(', ')}`}`,
    status,
    value,
    evidence: sorted.slice(0, MAX_READING_EVIDENCE),
  };
}

/** Without the hash of the whole body, which differs where anything on the page does. */
const describePlace = ({ sha256: _hash, ...place }: CheckEvidence): string => JSON.stringify(place);

const formatVerdict = ({ status, value }: Pick<CheckFacts, 'status' | 'value'>): string =>
  status === 'partial' ? `partial (${Math.round(value * 100)} %)` : status;

/** Scores that moved by more points than `limit`. */
export const listScoreChanges = (
  { before, after }: ComparedFacts,
  moves: readonly ScoreMove[],
  limit: number,
): readonly AlertChange[] =>
  moves.flatMap(({ name, points, because }): readonly AlertChange[] => {
    const [was, is] = [before?.scores[name], after.scores[name]];
    if (Math.abs(points) <= limit || !was || !is) return [];
    return [
      {
        id: name,
        title: name.toUpperCase(),
        kind: 'score_moved',
        isWorse: points < 0,
        before: { text: formatPoints(was.score), value: was.score },
        after: { text: formatPoints(is.score), value: is.score },
        because,
      },
    ];
  });

export const formatPoints = (points: number): string => `${points} ${points === 1 ? 'point' : 'points'}`;
