import { append } from '../edits/all.ts';
import { changeBlock } from '../edits/blocks.ts';
import { type Edit, spliceText } from '../edits/splice.ts';
import { judge } from './judge.ts';
import { isSameYamlValue, parseYamlValue, withValue } from './model.ts';
import { findBlockEntry, type Overrides } from './overrides.ts';
import { hasErrors, buildOverridesProblem, type OverridesProblem } from './problem.ts';
import { formatYamlScalar } from './tree.ts';

const KEY = 'externalSeedHost';

export type Seeded =
  | { ok: true; text: string; edits: readonly Edit[] }
  | { ok: false; problems: readonly OverridesProblem[] };

/**
 * A copy of a 1.3 file with `cassandra.externalSeedHost`, for the time in which old and new nodes join one ring. The file
 * itself stays without it. The copy is parsed again, and says nothing else than the file and this address.
 * @param host address of a node of the old ring
 */
export function withSeedHost(text: string, host: string): Seeded {
  const { report, overrides } = judge(text, {});
  if (overrides === undefined || hasErrors(report.problems)) return { ok: false, problems: report.problems };
  const at = overrides.entries.get('cassandra')?.place ?? overrides.orgPlace;
  if (report.version !== '1.3')
    return {
      ok: false,
      problems: [buildOverridesProblem('not-migrated', overrides.orgPlace, 'This file is none of version 1.3.')],
    };
  const { edits, problems } = buildSeedHostEdits(overrides, formatYamlScalar(host));
  if (hasErrors(problems)) return { ok: false, problems };
  const seeded = spliceText(text, edits);
  const [old, now] = [parseYamlValue(text), parseYamlValue(seeded)];
  const isRight =
    old !== undefined && now !== undefined && isSameYamlValue(now, withValue(old, 'cassandra', KEY, host));
  if (isRight) return { ok: true, text: seeded, edits };
  return {
    ok: false,
    problems: [
      buildOverridesProblem('unsafe-edit', at, 'The copy would say something else: this layout is not known.'),
    ],
  };
}

function buildSeedHostEdits(
  overrides: Overrides,
  raw: string,
): { edits: readonly Edit[]; problems: readonly OverridesProblem[] } {
  const add = [{ key: KEY, raw }];
  const entry = overrides.entries.get('cassandra');
  if (entry === undefined) return { edits: [append(overrides, [{ key: 'cassandra', add }], [])], problems: [] };
  const has = findBlockEntry(overrides, 'cassandra', KEY) !== undefined;
  const reason = 'joins the old ring';
  return changeBlock(overrides.source, entry, {
    remove: new Set(),
    add: has ? [] : add,
    ...(has && { replace: new Map([[KEY, raw]]) }),
    reason,
  });
}
