import { getMember, getObjectMember, getTextMember, isObject, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseMediationField } from '../refusals.ts';
import { formatAdUnitId } from '../rows.ts';
import {
  buildChangedLine,
  buildLinePlace,
  buildNewLine,
  isRemoved,
  type LinePlace,
  parseMappingsByUnit,
  requireNoExperiment,
  requireOneNetworkLine,
  withoutUntargetedMappings,
} from './lines.ts';
import { isLineLeaf, type LineLeaf, type MaskLeaf } from './masks.ts';
import { getGroupLines } from './rows.ts';
import {
  requireGroupName,
  parseGroupState,
  isPlaceholder,
  requireLineKey,
  requireOwnId,
  UNSPECIFIED_STATES,
  validateTargeting,
} from './schemas.ts';

/**
 * The whole line that the leaves of one line ask for, not judged yet. A line that is named as a whole is merged, as a message
 * at the end of a mask's path is: what was sent replaces, `null` clears, the rest stays.
 * @param line as it is; `{}` for a new one
 * @param sent what was sent for it, with its `null`s
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/field_mask.proto
 */
function buildDraftLine(
  line: JsonObject,
  sent: JsonObject,
  leaves: readonly LineLeaf[],
  field: string,
  { publisher: { digits } }: LinePlace,
): JsonObject {
  // A line of mode LIVE shows a price that the caller did not set: a line that leaves the mode needs one of its own.
  const { cpmMicros: _price, ...others } = line;
  let draft: JsonObject = line['cpmMode'] === 'LIVE' ? others : line;
  if (leaves.some(({ kind }) => kind === 'line')) return mergeLine(draft, sent, field);
  for (const leaf of leaves) {
    if (leaf.kind === 'lineField' && leaf.field === 'state') requireState(sent, `${field}.state`);
    if (leaf.kind === 'lineField') draft = withMember(draft, leaf.field, sent);
    if (leaf.kind !== 'mapping') continue;
    const unit = formatAdUnitId(digits, leaf.fragment);
    const name = parseMappingsByUnit(getObjectMember(sent, 'adUnitMappings'), field, digits).get(leaf.fragment);
    const { [unit]: _before, ...mappings } = getObjectMember(draft, 'adUnitMappings');
    draft = {
      ...draft,
      adUnitMappings: name === undefined || name === null ? mappings : { ...mappings, [unit]: name },
    };
  }
  return draft;
}

function mergeLine(line: JsonObject, sent: JsonObject, field: string): JsonObject {
  // A line that is there has a state, which cannot be cleared.
  if (line['state'] !== undefined && getMember(sent, 'state') === null) throw vendorRefusals.required(`${field}.state`);
  return Object.keys(sent).reduce((merged, name) => withMember(merged, name, sent), line);
}

/** A state that a mask names is said: nothing is enabled by leaving it out. */
function requireState(sent: JsonObject, field: string): void {
  if (UNSPECIFIED_STATES.has(getTextMember(sent, 'state'))) throw vendorRefusals.required(field);
}

/** An object with a member as another one has it, or without it. */
function withMember(object: JsonObject, name: string, sent: JsonObject): JsonObject {
  const value = getMember(sent, name);
  const { [name]: _before, ...others } = object;
  return value === undefined || value === null ? others : { ...others, [name]: value };
}

/**
 * A group's body after an update: what each leaf names is taken from what was sent, and all else stays. A whole list or
 * map is replaced; one value of a map goes where nothing was sent for it. A line that is named as a whole is merged.
 * @param sent what may be written, with the `null`s of lines still in it: they clear
 * @throws Refusal 400 where mask and payload do not agree, or the group would not be valid; FAILED_PRECONDITION for more
 *   than its name and state while an experiment runs
 */
export function buildChangedGroup(
  row: ResourceRow,
  sent: JsonObject,
  leaves: readonly MaskLeaf[],
  context: Context,
): JsonObject {
  const lineLeaves = leaves.filter(isLineLeaf);
  // Lines are what an experiment compares, and their mappings follow the targeted ad units.
  if (leaves.some(({ kind }) => kind !== 'group')) requireNoExperiment(row);
  const sentLines = getObjectMember(sent, 'mediationGroupLines');
  requireAgreement(sentLines, lineLeaves);
  const body = withOwnFields(row, sent, leaves);
  const place = buildLinePlace(row.parent, body);
  const before = getGroupLines(row.body);
  const lines = new Map([...before].map(([id, line]) => [id, withoutUntargetedMappings(line, place)]));
  for (const [key, own] of groupLineLeaves(lineLeaves)) {
    const field = `mediationGroupLines["${key}"]`;
    const line = before.get(key);
    const wanted = getObjectMember(sentLines, key);
    if (isPlaceholder(key)) {
      const made = buildNewLine(buildDraftLine({}, wanted, own, field, place), field, place, context);
      lines.set(getTextMember(made, 'id'), made);
      continue;
    }
    if (line === undefined) throw refuseMediationField('update_mask', `the group has no line "${key}"`);
    const after = buildChangedLine(line, buildDraftLine(line, wanted, own, field, place), field, place, context);
    // Removed lines keep their order: when there are too many, the first are no longer shown.
    if (isRemoved(after) && !isRemoved(line)) lines.delete(key);
    lines.set(key, after);
  }
  if (lineLeaves.length > 0) requireOneNetworkLine([...lines.values()]);
  return { ...body, mediationGroupLines: Object.fromEntries(lines) };
}

/** The group with its name, state and targeting changed. */
function withOwnFields({ parent, body }: ResourceRow, sent: JsonObject, leaves: readonly MaskLeaf[]): JsonObject {
  const sentTargeting = getObjectMember(sent, 'targeting');
  let changed = body;
  let targeting = getObjectMember(body, 'targeting');
  for (const leaf of leaves) {
    if (leaf.kind === 'targeting') targeting = withMember(targeting, leaf.field, sentTargeting);
    if (leaf.kind !== 'group') continue;
    if (leaf.field === 'state') requireState(sent, 'state');
    const value = leaf.field === 'state' ? parseGroupState(sent, getTextMember(body, 'state')) : requireGroupName(sent);
    changed = { ...changed, [leaf.field]: value };
  }
  return { ...changed, targeting: validateTargeting(targeting, buildLinePlace(parent, body).publisher.digits) };
}

/** A new line must be in both mask and payload, and so must a changed line. */
function requireAgreement(sentLines: JsonObject, leaves: readonly LineLeaf[]): void {
  const named = new Set(leaves.map(({ line }) => line));
  for (const [key, line] of Object.entries(sentLines)) {
    requireLineKey(key);
    if (isPlaceholder(key) && !named.has(key))
      throw refuseMediationField('update_mask', `it must name the new line mediationGroupLines["${key}"]`);
    if (isObject(line)) requireOwnId(line, key);
  }
  const missing = [...named].find((key) => !isObject(getMember(sentLines, key)));
  if (missing !== undefined)
    throw refuseMediationField('mediationGroupLines', `it must have the line "${missing}" that the update mask names`);
}

function groupLineLeaves(leaves: readonly LineLeaf[]): ReadonlyMap<string, readonly LineLeaf[]> {
  const found = new Map<string, LineLeaf[]>();
  for (const leaf of leaves) found.set(leaf.line, [...(found.get(leaf.line) ?? []), leaf]);
  return found;
}
