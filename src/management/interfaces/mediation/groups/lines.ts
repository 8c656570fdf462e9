import { getObjectMember, getTextMember, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { refuseMediationField } from '../refusals.ts';
import {
  ADMOB_NETWORK,
  findAdapter,
  findAdSource,
  findAdUnitMapping,
  formatAdUnitId,
  generateNumericId,
  parseAdUnitFragment,
  parsePublisher,
  type Publisher,
} from '../rows.ts';
import { requireName } from '../schemas.ts';
import { getGroupLines, listTargetedFragments, RUNNING } from './rows.ts';

/** The least price of a line, $0.01; lines of mode LIVE show it whatever was sent. */
export const MIN_CPM_MICROS = '10000';

const MAX_NAME_CHARS = 255;
const LINE_ID_DIGITS = 16;
const STATES = ['ENABLED', 'DISABLED', 'REMOVED'];
const UNSPECIFIED = new Set(['STATE_UNSPECIFIED', 'CPM_MODE_UNSPECIFIED']);
/** Zeros before a price say nothing; no price has more digits than this, with them. */
const DIGITS = /^\d{1,40}$/;
/** The most that its type, int64, holds. */
const MAX_CPM_MICROS = 9_223_372_036_854_775_807n;

/** The place of lines: the publisher that owns them, and what of their group they must match. */
export type LinePlace = {
  publisher: Publisher;
  /** Fragments of the ad units that the group targets. */
  targeted: ReadonlySet<string>;
  /** Of the group's ads: what adapters must be made for. */
  platform: string;
  format: string;
  /** Ids that new lines must not get. It grows with each new line. */
  takenIds: Set<string>;
};

/** The place of lines in a group, by the group's parent and body. */
export const buildLinePlace = (parent: string, group: JsonObject): LinePlace => ({
  publisher: parsePublisher(parent),
  targeted: new Set(listTargetedFragments(group)),
  platform: getTextMember(getObjectMember(group, 'targeting'), 'platform'),
  format: getTextMember(getObjectMember(group, 'targeting'), 'format'),
  takenIds: new Set(Object.keys(getObjectMember(group, 'mediationGroupLines'))),
});

/**
 * A new line with a fresh id of 16 digits: enabled, of mode LIVE and called as its ad source, unless said otherwise.
 * @param field how errors name it: `mediationGroupLines["-1"]`
 * @throws Refusal 400 for what no line can be
 */
export function buildNewLine(sent: JsonObject, field: string, place: LinePlace, context: Context): JsonObject {
  const source = requireAdSource(sent, field);
  const hasPrice = getTextMember(sent, 'cpmMicros') !== '';
  const mode = getEnumWord(sent, 'cpmMode') || (hasPrice ? '' : 'LIVE');
  const name = getTextMember(sent, 'displayName') || source.title;
  const whole = { ...sent, displayName: name, cpmMode: mode };
  const line = validateLine(
    { before: {}, sent: whole, id: generateLineId(place.takenIds, context), field, place },
    context,
  );
  if (line['state'] === 'REMOVED') throw refuseMediationField(`${field}.state`, 'a new line cannot be REMOVED');
  return line;
}

/**
 * A line after a change. It keeps its id, its ad source, its part in an experiment, and its state where none is sent. One
 * that is removed has no mappings any more, and stays as it is.
 * @param sent the whole line as it is to be
 * @throws Refusal 400 for what no line can be, and another ad source; FAILED_PRECONDITION for a line that was removed
 */
export function buildChangedLine(
  before: JsonObject,
  sent: JsonObject,
  field: string,
  place: LinePlace,
  context: Context,
): JsonObject {
  const { id: adSourceId } = requireAdSource(sent, field);
  if (adSourceId !== before['adSourceId'])
    throw refuseMediationField(`${field}.adSourceId`, 'the ad source of a line cannot be changed');
  const { adUnitMappings, ...line } = validateLine(
    { before, sent, id: getTextMember(before, 'id'), field, place },
    context,
  );
  const after = adUnitMappings === undefined || isRemoved(line) ? line : { ...line, adUnitMappings };
  if (isRemoved(before) && !isSameJson(after, before))
    throw vendorRefusals.failedPrecondition(`${field} was removed, and cannot be changed any more`);
  return after;
}

/** The line of the AdMob Network that a group has from the start. */
export const buildNetworkLine = (place: LinePlace, context: Context): JsonObject =>
  buildNewLine({ adSourceId: ADMOB_NETWORK, cpmMode: 'LIVE' }, 'mediationGroupLines', place, context);

/** Whether a line was removed: it is shown for a while, and does nothing any more. */
export const isRemoved = (line: JsonObject): boolean => line['state'] === 'REMOVED';
export const isOfNetwork = (line: JsonObject): boolean => line['adSourceId'] === ADMOB_NETWORK;

/** @throws Refusal 400 unless one of the lines is of the AdMob Network, and one only; removed ones do not count */
export function requireOneNetworkLine(lines: readonly JsonObject[]): void {
  const { length } = lines.filter((line) => isOfNetwork(line) && !isRemoved(line));
  if (length === 1) return;
  const why = length === 0 ? 'cannot be removed' : 'is there already';
  throw refuseMediationField('mediationGroupLines', `a group has one line of the AdMob Network, which ${why}`);
}

type LineChange = { before: JsonObject; sent: JsonObject; id: string; field: string; place: LinePlace };

function validateLine({ before, sent, id, field, place }: LineChange, context: Context): JsonObject {
  const { id: adSourceId } = requireAdSource(sent, field);
  const mode = getEnumWord(sent, 'cpmMode');
  if (mode !== 'LIVE' && mode !== 'MANUAL') throw refuseMediationField(`${field}.cpmMode`, 'it must be LIVE or MANUAL');
  const state = getEnumWord(sent, 'state') || getTextMember(before, 'state') || 'ENABLED';
  if (!STATES.includes(state)) throw refuseMediationField(`${field}.state`, `it must be one of ${STATES.join(', ')}`);
  const mappings = validateLineMappings({ before, sent, adSourceId, field, place }, context);
  return {
    id,
    displayName: requireName(getTextMember(sent, 'displayName'), `${field}.displayName`, MAX_NAME_CHARS),
    adSourceId,
    cpmMode: mode,
    cpmMicros: mode === 'LIVE' ? MIN_CPM_MICROS : requirePrice(sent, field),
    state,
    ...(mappings !== undefined && { adUnitMappings: mappings }),
    experimentVariant: getTextMember(before, 'experimentVariant') || 'ORIGINAL',
  };
}

function requireAdSource(sent: JsonObject, field: string): { id: string; title: string } {
  const id = getTextMember(sent, 'adSourceId');
  if (id === '') throw vendorRefusals.required(`${field}.adSourceId`);
  const source = findAdSource(id);
  if (source === undefined)
    throw refuseMediationField(`${field}.adSourceId`, `there is no ad source "${truncateSentText(id)}"`);
  return source;
}

/** A word of an enumeration; '' for the one that says nothing. */
function getEnumWord(sent: JsonObject, name: string): string {
  const word = getTextMember(sent, name);
  return UNSPECIFIED.has(word) ? '' : word;
}

function requirePrice(sent: JsonObject, field: string): string {
  const text = getTextMember(sent, 'cpmMicros');
  if (text === '') throw vendorRefusals.required(`${field}.cpmMicros`);
  const price = DIGITS.test(text) ? BigInt(text) : 0n;
  if (price < BigInt(MIN_CPM_MICROS))
    throw refuseMediationField(`${field}.cpmMicros`, `it must be at least ${MIN_CPM_MICROS}, which is $0.01`);
  if (price > MAX_CPM_MICROS) throw refuseMediationField(`${field}.cpmMicros`, `it must be at most ${MAX_CPM_MICROS}`);
  return String(price);
}

function generateLineId(taken: Set<string>, context: Context): string {
  let id = generateNumericId(context, LINE_ID_DIGITS);
  // Of 9,000,000,000,000,000 ids a group has some hundred: the next one is free.
  while (taken.has(id)) id = String(BigInt(id) + 1n);
  taken.add(id);
  return id;
}

/** A format that is no adapter's own: such ads are of either of these. */
const SHOWN_AS: ReadonlyMap<string, readonly string[]> = new Map([['BANNER_INTERSTITIAL', ['BANNER', 'INTERSTITIAL']]]);

type MappingChange = { before: JsonObject; sent: JsonObject; adSourceId: string; field: string; place: LinePlace };

/**
 * The mappings of a line, by whole ad unit ids. Those of ad units that the group targets no longer go by themselves; what
 * stays as it was is not looked up again.
 * @returns undefined where there are none, and for the AdMob Network, whose lines need none
 * @throws Refusal 400 for an ad unit that the group does not target, and for what is no mapping of that ad unit to an
 *   adapter of the line's ad source, for the group's platform and format
 */
function validateLineMappings(asked: MappingChange, context: Context): JsonObject | undefined {
  const { before, sent, adSourceId, field, place } = asked;
  if (adSourceId === ADMOB_NETWORK) return undefined;
  const { digits } = place.publisher;
  const known = getObjectMember(before, 'adUnitMappings');
  const kept: [string, Json][] = [];
  for (const [fragment, name] of parseMappingsByUnit(getObjectMember(sent, 'adUnitMappings'), field, digits)) {
    const unit = formatAdUnitId(digits, fragment);
    const isKnown = known[unit] === name;
    if (isKnown && !place.targeted.has(fragment)) continue;
    if (!place.targeted.has(fragment))
      throw refuseMediationField(`${field}.adUnitMappings`, `the group does not target ${unit}`);
    if (!isKnown) requireMapping(name, { unit, fragment, adSourceId, field, place }, context);
    kept.push([unit, name]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/**
 * Mappings as they were sent, by the fragments of their ad units.
 * @throws Refusal 400 for a key that is no ad unit of this publisher (rule K1), and for one ad unit in two spellings
 */
export function parseMappingsByUnit(sent: JsonObject, field: string, digits: string): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [key, name] of Object.entries(sent)) {
    const fragment = parseAdUnitFragment(key, digits);
    if (fragment === undefined)
      throw refuseMediationField(
        `${field}.adUnitMappings`,
        `"${truncateSentText(key)}" is no ad unit id of this publisher`,
      );
    if (found.has(fragment)) throw refuseMediationField(`${field}.adUnitMappings`, `${fragment} is given twice`);
    found.set(fragment, name);
  }
  return found;
}

/** A line without mappings of ad units that its group does not target. */
export function withoutUntargetedMappings(line: JsonObject, { publisher, targeted }: LinePlace): JsonObject {
  const mappings = Object.entries(getObjectMember(line, 'adUnitMappings'));
  const kept = mappings.filter(([unit]) => targeted.has(parseAdUnitFragment(unit, publisher.digits) ?? ''));
  if (kept.length === mappings.length) return line;
  const { adUnitMappings: _dropped, ...others } = line;
  return kept.length > 0 ? { ...others, adUnitMappings: Object.fromEntries(kept) } : others;
}

type MappingLookup = { unit: string; fragment: string; adSourceId: string; field: string; place: LinePlace };

function requireMapping(name: Json, wanted: MappingLookup, context: Context): void {
  const { unit, fragment, adSourceId, field, place } = wanted;
  const where = `${field}.adUnitMappings["${unit}"]`;
  const text = isText(name) ? name : '';
  if (!text.startsWith(`${place.publisher.name}/adUnits/${fragment}/adUnitMappings/`))
    throw refuseMediationField(where, `"${truncateSentText(text)}" is not the name of a mapping of this ad unit`);
  const row = findAdUnitMapping(text, context);
  if (row === undefined) throw refuseMediationField(where, `there is no mapping "${truncateSentText(text)}"`);
  const adapter = findAdapter(getTextMember(row.body, 'adapterId'));
  const wrong = (why: string) => refuseMediationField(where, `the adapter of "${truncateSentText(text)}" ${why}`);
  if (adapter?.adSourceId !== adSourceId) throw wrong("is not of the line's ad source");
  if (adapter.platform !== place.platform) throw wrong(`is not for the group's platform, ${place.platform}`);
  const formats = SHOWN_AS.get(place.format) ?? [place.format];
  if (!formats.some((format) => adapter.formats.includes(format)))
    throw wrong(`does not support the group's format, ${place.format}`);
}

/** Whether an experiment runs in a group. */
const isRunning = ({ body }: Pick<ResourceRow, 'body'>): boolean =>
  getTextMember(body, 'mediationAbExperimentState') === RUNNING;

/** @throws Refusal 400 FAILED_PRECONDITION while an experiment runs in the group: its lines stay as they are until it ends */
export function requireNoExperiment(group: Pick<ResourceRow, 'body'>): void {
  if (!isRunning(group)) return;
  throw vendorRefusals.failedPrecondition('An A/B experiment is running in this mediation group: stop it first');
}

/**
 * The lines of a group when an experiment begins: its present lines, except removed ones, are the control, variant A;
 * those of the treatment, variant B, are added to them.
 */
export function buildExperimentLines(
  group: JsonObject,
  treatment: readonly JsonObject[],
): { lines: JsonObject; control: readonly JsonObject[] } {
  const before = [...getGroupLines(group)].map(([id, line]): [string, JsonObject] => [
    id,
    isRemoved(line) ? line : { ...line, experimentVariant: 'VARIANT_A' },
  ]);
  const added = treatment.map((line): [string, JsonObject] => [getTextMember(line, 'id'), line]);
  return {
    lines: Object.fromEntries([...before, ...added]),
    control: before.map(([, line]) => line).filter((line) => !isRemoved(line)),
  };
}

/**
 * The lines of a group when an experiment ends: those of the winner are the group's own, and the others go; removed ones
 * stay. The control's line of the AdMob Network, which every group has, stays too where the winner has none.
 */
export function selectWinningLines(group: JsonObject, winner: 'VARIANT_A' | 'VARIANT_B'): JsonObject {
  const lines = [...getGroupLines(group)];
  const isOfWinner = (line: JsonObject): boolean => line['experimentVariant'] === winner;
  const hasNetwork = lines.some(([, line]) => isOfWinner(line) && isOfNetwork(line));
  const isOfControl = (line: JsonObject): boolean => line['experimentVariant'] === 'VARIANT_A';
  const stays = (line: JsonObject): boolean =>
    isRemoved(line) || isOfWinner(line) || (!hasNetwork && isOfNetwork(line) && isOfControl(line));
  const kept = lines.filter(([, line]) => stays(line));
  return Object.fromEntries(kept.map(([id, line]) => [id, { ...line, experimentVariant: 'ORIGINAL' }]));
}
