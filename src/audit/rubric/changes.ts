import { type RubricChange, type RubricRelease, rubricReleases } from './changes-data.ts';

/** Rows of one release, those that many checks share written out. */
export const listRubricChanges = ({ changes, shared }: RubricRelease): readonly RubricChange[] => [
  ...changes,
  ...shared.flatMap(({ what, why, ids }) => ids.map((id) => ({ id, what, why }))),
];

/** These decide a verdict; weights, grades and caps only what it counts. */
const DECISIVE: ReadonlySet<RubricChange['what']> = new Set(['added', 'rule', 'scope']);

/** Why the verdicts of a check may differ, by the version that changed it and its id. */
const reasons: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  rubricReleases.map((release) => {
    const decisive = listRubricChanges(release).filter(({ what }) => DECISIVE.has(what));
    const byId = Map.groupBy(decisive, ({ id }) => id);
    return [release.version, new Map([...byId].map(([id, rows]) => [id, rows.map(({ why }) => why).join(' ')]))];
  }),
);

/** Every version that the table knows, the oldest first. */
const versions: readonly string[] = [...rubricReleases.slice(0, 1).map(({ after }) => after), ...reasons.keys()];

/**
 * Why the verdicts of a check in reports of two rubrics may differ though the site did not change; undefined where both
 * rubrics have the same rule. Of versions that the table does not know, any rule may be another.
 */
export function explainRuleChange(id: string, one: string, other: string): string | undefined {
  if (one === other) return undefined;
  const places = [versions.indexOf(one), versions.indexOf(other)];
  if (places.includes(-1)) return 'What changed between these two rubrics is not known.';
  const between = versions.slice(Math.min(...places) + 1, Math.max(...places) + 1);
  const found = between.flatMap((version) => reasons.get(version)?.get(id) ?? []);
  return found.length === 0 ? undefined : found.join(' ');
}

/** Of how many checks the verdicts may differ though the site did not change. */
export const countRuleChanges = (ids: readonly string[], one: string, other: string): number =>
  ids.filter((id) => explainRuleChange(id, one, other) !== undefined).length;
