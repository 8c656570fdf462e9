import { type JsonObject, memberOf } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { mappingsByUnit } from './line-mappings.ts';
import type { LinePlace } from './lines.ts';
import type { LineLeaf } from '../masks.ts';
import { adUnitIdOf } from '../rows.ts';
import { objectIn, textIn } from '../texts.ts';

/** States that say nothing. */
export const UNSPECIFIED: ReadonlySet<string> = new Set(['', 'STATE_UNSPECIFIED']);

/**
 * The whole line that the leaves of one line ask for, not judged yet. A line that is named as a whole is merged, as a message
 * at the end of a mask's path is: what was sent replaces, `null` clears, the rest stays.
 * @param line as it is; `{}` for a new one
 * @param sent what was sent for it, with its `null`s
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/field_mask.proto
 */
export function draftLine(
  line: JsonObject,
  sent: JsonObject,
  leaves: readonly LineLeaf[],
  field: string,
  { publisher: { digits } }: LinePlace,
): JsonObject {
  // A line of mode LIVE shows a price that nobody gave: a line that leaves the mode needs one of its own.
  const { cpmMicros: _price, ...others } = line;
  let draft: JsonObject = line['cpmMode'] === 'LIVE' ? others : line;
  if (leaves.some(({ kind }) => kind === 'line')) return mergedLine(draft, sent, field);
  for (const leaf of leaves) {
    if (leaf.kind === 'lineField' && leaf.field === 'state') requireState(sent, `${field}.state`);
    if (leaf.kind === 'lineField') draft = withMember(draft, leaf.field, sent);
    if (leaf.kind !== 'mapping') continue;
    const unit = adUnitIdOf(digits, leaf.fragment);
    const name = mappingsByUnit(objectIn(sent, 'adUnitMappings'), field, digits).get(leaf.fragment);
    const { [unit]: _before, ...mappings } = objectIn(draft, 'adUnitMappings');
    draft = {
      ...draft,
      adUnitMappings: name === undefined || name === null ? mappings : { ...mappings, [unit]: name },
    };
  }
  return draft;
}

function mergedLine(line: JsonObject, sent: JsonObject, field: string): JsonObject {
  // A line that is there has a state, which cannot be cleared.
  if (line['state'] !== undefined && memberOf(sent, 'state') === null) throw refuse.required(`${field}.state`);
  return Object.keys(sent).reduce((merged, name) => withMember(merged, name, sent), line);
}

/** A state that a mask names is said: nothing is enabled by leaving it out. */
export function requireState(sent: JsonObject, field: string): void {
  if (UNSPECIFIED.has(textIn(sent, 'state'))) throw refuse.required(field);
}

/** An object with a member as another one has it, or without it. */
export function withMember(object: JsonObject, name: string, sent: JsonObject): JsonObject {
  const value = memberOf(sent, name);
  const { [name]: _before, ...others } = object;
  return value === undefined || value === null ? others : { ...others, [name]: value };
}
