import type { Artifact } from './artifact.ts';
import { type ArtifactName, type Artifacts, parseArtifact } from './artifacts.ts';
import { checks } from './catalogue.ts';
import { type AnyCheck, type CheckOutcome, verdict } from './check.ts';
import { isRefusalStatus, isShutOut } from '../reach/facts/blocked-crawler.ts';
import type { CheckResult } from './scores.ts';
import type { Site } from './site.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Judges a snapshot by the given checks (all when absent). Pure: the same snapshot and site give the same outcomes.
 * A check whose artifact could not be read is `unknown`, with the reason; it never sees the gap.
 */
export const judgeSnapshot = (snapshot: Snapshot, site: Site, chosen?: readonly AnyCheck[]): readonly CheckResult[] => [
  ...judgeEach(snapshot, site, chosen),
];

/** The same, one verdict at a time, for callers that report each verdict as it is reached. */
export function* judgeEach(
  snapshot: Snapshot,
  site: Site,
  chosen: readonly AnyCheck[] = checks,
): Generator<CheckResult, void, undefined> {
  const artifactOf = createArtifactReader(snapshot);
  const isShut = isShutOut(snapshot);
  for (const check of chosen) {
    const outcome = judgeOne(check, artifactOf, site);
    yield { check, outcome: isShut && check.ofRefusals !== true ? removeUnseen(outcome) : outcome };
  }
}

/**
 * Where a site refuses us as every reader, the refusal is the one thing that was seen: what rests on refused answers alone
 * says nothing about the page behind them.
 */
function removeUnseen(outcome: CheckOutcome): CheckOutcome {
  const { status, evidence } = outcome;
  const isSeen = evidence.some((one) => one.status !== undefined && !isRefusalStatus(one.status));
  if (status === 'not_applicable' || status === 'unknown' || isSeen) return outcome;
  return verdict.unknown('The site refuses us as every reader, so this could not be seen.', evidence);
}

/** Reads artifacts of a snapshot, each parsed once. */
export function createArtifactReader(snapshot: Snapshot): <K extends ArtifactName>(name: K) => Artifact<Artifacts[K]> {
  const parsed = new Map<string, Artifact<unknown>>();
  return <K extends ArtifactName>(name: K) => {
    const known = parsed.get(name) ?? parseArtifact(name, snapshot);
    parsed.set(name, known);
    return castArtifact<Artifacts[K]>(known); // Holds because the parser of `name` made it.
  };
}

const castArtifact = <T>(artifact: Artifact<unknown>): Artifact<T> => artifact as Artifact<T>;

function judgeOne(check: AnyCheck, artifactOf: ReturnType<typeof createArtifactReader>, site: Site): CheckOutcome {
  const values: Record<string, unknown> = {};
  for (const name of check.needs) {
    const artifact = artifactOf(name);
    if (artifact.state === 'failed') {
      return verdict.unknown(`Could not read ${name}: ${artifact.reason}`, { url: artifact.url });
    }
    values[name] = artifact.value;
  }
  return check.judge(values as Artifacts, site); // Holds because every name in `needs` was put there above.
}
