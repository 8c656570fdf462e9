import type { Decisions } from '../core/decisions.ts';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART, RENAMED } from '../core/keys-data.ts';
import type { MigrateOptions } from '../core/options.ts';
import { type Overrides, detectOverridesVersion } from '../core/overrides.ts';
import { buildOverridesProblem } from '../core/problem.ts';
import {
  type BlockChange,
  changeBlock,
  type Edits,
  mergeEdits,
  buildRemoval,
  detectIndentation,
  buildValueEdit,
  buildVirtualHostEdits,
} from './blocks.ts';
import { getKeyPrefix as indentOf, findContentEnd, findLineEnd } from './lines.ts';
import { buildRenames } from './renames.ts';
import { type Edit, spliceText } from './splice.ts';

type Added = BlockChange['add'];

/** Everything that a migration does to a file, not yet in order. */
export function buildMigrationEdits(overrides: Overrides, decisions: Decisions, options: MigrateOptions): Edits {
  const { source, entries } = overrides;
  if (detectOverridesVersion(overrides) === '1.3') return { edits: [], problems: [] };
  const added = listAddedBlocks(decisions);
  const renamed = buildRenames(overrides, new Map(added.map(({ key, add }) => [key, add])));
  const changes = planBlockChanges(added, renamed.adds);
  const blocks = added.filter(({ key }) => !entries.has(key) && !renamed.made.has(key));
  const parts = [...changes].flatMap(([key, change]): readonly Edits[] => {
    const owner = entries.get(key);
    return owner ? [changeBlock(source, owner, change)] : [];
  });
  const removed = REMOVED_COMPONENTS.flatMap((key) => {
    const entry = entries.get(key);
    return entry ? [buildRemoval(source, entry, `${key} is installed apart`)] : [];
  });
  const found = mergeEdits([
    { edits: renamed.edits, problems: [] },
    ...parts,
    buildVirtualHostEdits(overrides, options),
    { edits: [...removed, ...buildInstanceEdits(overrides, decisions)], problems: [] },
  ]);
  const appended = blocks.length === 0 ? [] : [append(overrides, blocks, found.edits)];
  return { edits: [...found.edits, ...appended], problems: [...found.problems, ...findMisplacedKeys(overrides)] };
}

type Block = { key: string; add: Added };

/** What is added, by block, in the order in which blocks are appended. */
const listAddedBlocks = ({ region, accounts }: Decisions): readonly Block[] => [
  ...(region ? [{ key: 'gcp', add: [{ key: 'region', raw: region.raw }] }] : []),
  ...accounts.flatMap(({ block, key, proposal }) =>
    proposal ? [{ key: block, add: [{ key, raw: proposal.raw }] }] : [],
  ),
];

const REMOVED: Readonly<Record<string, readonly string[]>> = {
  mart: REMOVED_FROM_MART,
  connectAgent: ['enabled'],
  cassandra: ['dnsPolicy', 'externalSeedHost'],
};

/** What happens to blocks that are there. */
function planBlockChanges(
  added: readonly Block[],
  renamed: ReadonlyMap<string, Added>,
): ReadonlyMap<string, BlockChange> {
  const adds = new Map<string, Added>(renamed);
  for (const { key, add } of added) adds.set(key, [...(adds.get(key) ?? []), ...add]);
  const keys = [...new Set([...adds.keys(), ...Object.keys(REMOVED)])];
  return new Map(
    keys.map((key) => [
      key,
      { remove: new Set(REMOVED[key]), add: adds.get(key) ?? [], reason: `${key} as 1.3 knows it` },
    ]),
  );
}

/** `instanceID` goes on the line after `org`. */
function buildInstanceEdits({ source, entries }: Overrides, { instanceId }: Decisions): readonly Edit[] {
  const org = entries.get('org');
  if (instanceId === undefined || org === undefined) return [];
  const own = entries.get('instanceID');
  if (own) return [buildValueEdit(source, own, instanceId.raw, 'required by 1.3')];
  const at = findLineEnd(source, findContentEnd(source, org));
  const line = `${indentOf(source, org)}instanceID: ${instanceId.raw}`;
  const text = source.text[at - 1] === '\n' ? line + source.eol : source.eol + line;
  return [{ start: at, end: at, text, reason: 'required by 1.3' }];
}

/** New blocks at the end, each after a blank line. */
export function append({ source, entries }: Overrides, blocks: readonly Block[], others: readonly Edit[]): Edit {
  const { text, eol, end } = source;
  const [first] = entries.values();
  const indent = first ? indentOf(source, first) : '';
  const lines = blocks.flatMap(({ key, add }) => [
    '',
    `${indent}${key}:`,
    ...add.map((each) => `${indent}${detectIndentation(source)}${each.key}: ${each.raw}`),
  ]);
  const before = end === text.length ? spliceText(text, others) : '';
  const isOpen = before !== '' && !before.endsWith('\n');
  return {
    start: end,
    end,
    text: (isOpen ? eol : '') + lines.map((line) => line + eol).join(''),
    reason: 'required by 1.3',
  };
}

/** Top-level keys to be changed that do not begin their line: `? key`. */
function findMisplacedKeys({ source, entries }: Overrides): Edits['problems'] {
  const touched: readonly string[] = [...REMOVED_COMPONENTS, ...RENAMED.map(({ old }) => old), 'org'];
  return touched.flatMap((key) => {
    const entry = entries.get(key);
    if (entry === undefined || indentOf(source, entry).trim() === '') return [];
    return [buildOverridesProblem('unsafe-edit', entry.place, 'This key is not the first thing on its line.')];
  });
}
