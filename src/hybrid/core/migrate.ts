import { accountIn } from './accounts.ts';
import { judge } from './judge.ts';
import { decide, type Decisions, proposalsOf } from './decisions.ts';
import { allEdits } from '../edits/all.ts';
import { type Edit, inOrder, spliced } from '../edits/splice.ts';
import { environmentGroups } from './environment-groups.ts';
import type { Migration, Refused, UpgradeValues } from './migration.ts';
import { firstDifference, isSame, migratedValue, valueOf } from './model.ts';
import { notesOf } from './notes.ts';
import type { MigrateOptions } from './options.ts';
import type { Overrides } from './overrides.ts';
import { hasErrors, problem, type Problem, sorted } from './problem.ts';
import { instanceToPropose } from '../rules/instance.ts';
import { textIn } from './tree.ts';
import { entryAt, textAt } from './values.ts';

/**
 * The 1.3 file of a 1.2 file, as splices of its text: every byte outside of them stays. What `checkOverrides` calls an
 * error is refused. The outcome is parsed again, and compared with what it must say, before it is given out. A 1.3 file
 * comes back as it is.
 */
export function migrateOverrides(text: string, options: MigrateOptions = {}): Migration {
  const { report, overrides } = judge(text, options);
  const { version, isFragment } = report;
  const refused = (problems: readonly Problem[]): Refused => ({ ok: false, version, isFragment, problems });
  if (overrides === undefined) return refused(report.problems);
  const problems = sorted([...report.problems, ...instanceToPropose(overrides, options)]);
  if (hasErrors(problems)) return refused(problems);
  const decisions = decide(overrides, options);
  const found = allEdits(overrides, decisions, options);
  if (hasErrors(found.problems)) return refused(sorted([...problems, ...found.problems]));
  const edits = inOrder(found.edits);
  const changed = spliced(text, edits);
  const wrong = edits.length === 0 ? undefined : unsafeEdit(overrides, { edits, changed, decisions, options });
  if (wrong) return refused(sorted([...problems, wrong]));
  return {
    ok: true,
    version,
    isFragment,
    changed: changed !== text,
    text: changed,
    edits,
    groups: environmentGroups(overrides, options),
    values: valuesOf(overrides, decisions),
    proposals: proposalsOf(decisions),
    notes: notesOf(overrides),
    problems,
  };
}

/** Edits that are made alone to see which of them breaks the file. */
const MAX_TRIED = 8;

type Outcome = { edits: readonly Edit[]; changed: string; decisions: Decisions; options: MigrateOptions };

/** What the new file says besides what it must. */
function unsafeEdit(overrides: Overrides, { edits, changed, decisions, options }: Outcome): Problem | undefined {
  const { source, entries } = overrides;
  const [old, now] = [valueOf(source.text), valueOf(changed)];
  if (old === undefined) throw new Error('a file that was read is no YAML');
  const wanted = migratedValue(old, decisions, options);
  if (now !== undefined && isSame(now, wanted)) return undefined;
  const key = now === undefined ? undefined : firstDifference(now, wanted, entries.keys());
  const breaking =
    edits.slice(0, MAX_TRIED).find((edit) => valueOf(spliced(source.text, [edit])) === undefined) ?? edits[0];
  const place = entries.get(key ?? '')?.place ?? source.placeOf(breaking?.start ?? 0);
  return problem('unsafe-edit', place, 'The changed file would say something else here: this layout is not known.');
}

function valuesOf(overrides: Overrides, { region, accounts }: Decisions): UpgradeValues {
  const { source, entries, org, environments } = overrides;
  const [projectId, clusterName] = [textAt(overrides, 'gcp', 'projectID'), textAt(overrides, 'k8sCluster', 'name')];
  const inRegion = textAt(overrides, 'gcp', 'region')?.value ?? region?.value;
  const replicas = Number(textIn(source, entryAt(overrides, 'cassandra', 'replicaCount'))?.value);
  const pathIn = (block: string): string | undefined => {
    const account = accountIn(overrides, block);
    if (account) return account.key === 'serviceAccountPath' ? account.text.value : undefined;
    const missing = accounts.find((each) => each.block === block);
    return missing?.key === 'serviceAccountPath' ? missing.proposal?.value : undefined;
  };
  const [mart, watcher] = [pathIn('mart'), pathIn('watcher')];
  return {
    ...(org && { org: org.value }),
    ...(projectId && { projectId: projectId.value }),
    ...(inRegion !== undefined && { region: inRegion }),
    ...(clusterName && { clusterName: clusterName.value }),
    namespace: textIn(source, entries.get('namespace'))?.value ?? DEFAULT_NAMESPACE,
    environments: environments.flatMap(({ name }) => (name ? [name.value] : [])),
    ...(Number.isInteger(replicas) && replicas > 0 && { cassandraReplicas: replicas }),
    ...(mart !== undefined && { martServiceAccountPath: mart }),
    ...(watcher !== undefined && { watcherServiceAccountPath: watcher }),
  };
}

const DEFAULT_NAMESPACE = 'apigee';
