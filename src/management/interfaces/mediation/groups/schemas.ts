import {
  getMember,
  getObjectMember,
  getTextMember,
  isText,
  type JsonObject,
  getTextList,
} from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { refuseMediationField, refuseMediationFilter } from '../refusals.ts';
import { formatAdUnitId, MEDIATION, parseAdUnitFragment, type Publisher } from '../rows.ts';
import { type FilterCall, readFilter, requireName } from '../schemas.ts';
import { getGroupLines } from './rows.ts';

/** Characters of a group's name, and of a line's key that a refusal shows. */
const MAX_NAME_CHARS = 120;
/** A state of the group's experiment: as a group's state it has no meaning. */
const NOT_RUNNING = 'NOT_RUNNING';
const STATES = ['ENABLED', 'DISABLED'];

/** States that say nothing. */
export const UNSPECIFIED_STATES: ReadonlySet<string> = new Set(['', 'STATE_UNSPECIFIED']);

export const requireGroupName = (sent: JsonObject): string =>
  requireName(getTextMember(sent, 'displayName'), 'displayName', MAX_NAME_CHARS);

/** The state that is asked for, or the one before where none is. @throws Refusal 400 */
export function parseGroupState(sent: JsonObject, before: string): string {
  const state = getTextMember(sent, 'state');
  if (UNSPECIFIED_STATES.has(state) || state === NOT_RUNNING) return before;
  if (!STATES.includes(state)) throw refuseMediationField('state', `it must be one of ${STATES.join(', ')}`);
  return state;
}

/** Ad units that a group may target. */
export const MAX_TARGETED_AD_UNITS = 1_000;
/** Region codes of one list: there are some 250 regions (CLDR). */
export const MAX_REGIONS = 250;

const PLATFORMS = ['ANDROID', 'IOS'] as const;
const FORMATS = [
  'APP_OPEN',
  'BANNER',
  'BANNER_INTERSTITIAL',
  'INTERSTITIAL',
  'NATIVE',
  'REWARDED',
  'REWARDED_INTERSTITIAL',
] as const;
const IDFA_TARGETINGS = ['ALL', 'AVAILABLE', 'NOT_AVAILABLE'];
const IDFA_UNSPECIFIED = 'IDFA_TARGETING_UNSPECIFIED';
/** A Unicode region code: of a country, or the three digits of a part of the world (`419`). */
const REGION = /^(?:[A-Za-z]{2}|\d{3})$/;
/** The code for an unknown region. */
const UNKNOWN_REGION = 'ZZ';

/**
 * What a group targets, in canonical spelling: words in capitals (the seed writes `iOS`), whole ad unit ids, each once.
 * On iOS `idfaTargeting` is ALL unless said otherwise.
 * @param digits of the publisher, whose own all ad units must be (rule K1)
 * @throws Refusal 400
 */
export function validateTargeting(sent: JsonObject, digits: string): JsonObject {
  const platform = requireWord(sent, 'platform', PLATFORMS);
  const adUnitIds = requireAdUnits(sent, digits);
  const targeted = requireRegions(sent, 'targetedRegionCodes');
  const excluded = requireRegions(sent, 'excludedRegionCodes');
  const both = targeted.find((code) => excluded.includes(code));
  if (both !== undefined)
    throw refuseMediationField('targeting.excludedRegionCodes', `${both} is also in targeting.targetedRegionCodes`);
  const idfaTargeting = parseIdfaTargeting(sent, platform);
  return {
    platform,
    format: requireWord(sent, 'format', FORMATS),
    ...(adUnitIds.length > 0 && { adUnitIds }),
    ...(targeted.length > 0 && { targetedRegionCodes: targeted }),
    ...(excluded.length > 0 && { excludedRegionCodes: excluded }),
    ...(idfaTargeting !== '' && { idfaTargeting }),
  };
}

function requireWord(sent: JsonObject, name: string, words: readonly string[]): string {
  const text = getTextMember(sent, name);
  if (text === '') throw vendorRefusals.required(`targeting.${name}`);
  const word = text.toUpperCase();
  if (!words.includes(word))
    throw refuseMediationField(`targeting.${name}`, `"${truncateSentText(text)}" is none of ${words.join(', ')}`);
  return word;
}

function requireAdUnits(sent: JsonObject, digits: string): string[] {
  const field = 'targeting.adUnitIds';
  const texts = getTextList(sent, 'adUnitIds');
  const fragments = new Set<string>();
  for (const text of texts) {
    const fragment = parseAdUnitFragment(text, digits);
    if (fragment === undefined)
      throw refuseMediationField(
        field,
        `"${truncateSentText(text)}" is no ad unit id of this publisher, ca-app-pub-${digits}/[10 DIGITS]`,
      );
    fragments.add(fragment);
    if (fragments.size > MAX_TARGETED_AD_UNITS)
      throw refuseMediationField(field, `a group targets at most ${MAX_TARGETED_AD_UNITS} ad units`);
  }
  return [...fragments].map((fragment) => formatAdUnitId(digits, fragment));
}

function requireRegions(sent: JsonObject, name: string): string[] {
  const field = `targeting.${name}`;
  const codes = getTextList(sent, name);
  if (codes.length > MAX_REGIONS) throw refuseMediationField(field, `it has more than ${MAX_REGIONS} regions`);
  const strange = codes.find((code) => !REGION.test(code) || code.toUpperCase() === UNKNOWN_REGION);
  if (strange !== undefined)
    throw refuseMediationField(
      field,
      `"${truncateSentText(strange)}" is no region code of two letters or three digits`,
    );
  return [...new Set(codes.map((code) => code.toUpperCase()))];
}

/** '' where nothing is said: IDFA is a matter of iOS. */
function parseIdfaTargeting(sent: JsonObject, platform: string): string {
  const field = 'targeting.idfaTargeting';
  const text = getTextMember(sent, 'idfaTargeting');
  const isIos = platform === 'IOS';
  if (text === '' || text === IDFA_UNSPECIFIED) return isIos ? 'ALL' : '';
  if (!IDFA_TARGETINGS.includes(text))
    throw refuseMediationField(field, `"${truncateSentText(text)}" is none of ${IDFA_TARGETINGS.join(', ')}`);
  if (!isIos && text !== 'ALL') throw refuseMediationField(field, 'there is no IDFA on ANDROID');
  return text;
}

/** The key of a line: its id, or a placeholder for a new one. */
const LINE_ID = /^\d{1,19}$/;
const NEGATIVE = /^-[1-9]\d*$/;
/** The least negative integer that a key can be: that of int64. */
const LEAST_KEY = -9_223_372_036_854_775_808n;
/** No integer of int64 is written longer. */
const MAX_KEY_CHARS = String(LEAST_KEY).length;

/** Whether a key of `mediationGroupLines` asks for a new line: a negative integer of int64, in its one spelling. */
export const isPlaceholder = (key: string): boolean =>
  key.length <= MAX_KEY_CHARS && NEGATIVE.test(key) && BigInt(key) >= LEAST_KEY;

/** Whether a key of `mediationGroupLines` can be one in an update. */
export const isLineKey = (key: string): boolean => isPlaceholder(key) || LINE_ID.test(key);

/** What is wrong with a key that is none. @param isNew all lines are, so that no key is the id of one */
export function describeKeyFault(key: string, isNew = false): string {
  if (NEGATIVE.test(key)) return `is below ${LEAST_KEY}`;
  return isNew ? 'is no negative integer' : 'is no id of a line, nor a negative integer';
}

/** @throws Refusal for a key that lines cannot have here. @param isNew all lines are: no key is the id of one */
export function requireLineKey(key: string, isNew = false): void {
  if (isNew ? isPlaceholder(key) : isLineKey(key)) return;
  const shown = JSON.stringify(key.slice(0, MAX_NAME_CHARS));
  throw refuseMediationField('mediationGroupLines', `the key ${shown} ${describeKeyFault(key, isNew)}`);
}

/** @throws Refusal for a line whose id differs from its key */
export function requireOwnId(line: JsonObject, key: string): void {
  const id = getMember(line, 'id');
  if (isText(id) && id !== '' && id !== key)
    throw refuseMediationField(
      `mediationGroupLines["${key}"].id`,
      `"${truncateSentText(id)}" is not the key of the line`,
    );
}

/** Apps that one filter may name: each is looked up. */
const MAX_APPS = 100;
/** Ad units of one app. */
const MAX_APP_UNITS = 10_000;

/** What a group has under a field's name; how values are spelled before they are compared. */
type FilterField = {
  call: FilterCall;
  of: (row: ResourceRow) => readonly string[];
  spell?: (value: string, digits: string) => string;
};

const toUpper = (value: string): string => value.toUpperCase();
const getTargeting = ({ body }: ResourceRow) => getObjectMember(body, 'targeting');
const listAdUnitIds = (row: ResourceRow): readonly string[] => getTextList(getTargeting(row), 'adUnitIds');

const FILTER_FIELDS: Readonly<Record<string, FilterField>> = {
  AD_SOURCE_IDS: { call: 'CONTAINS_ANY', of: listAdSourceIds },
  AD_UNIT_IDS: { call: 'CONTAINS_ANY', of: listAdUnitIds, spell: expandAdUnitId },
  // Apps are matched by their ad units: `listAppAdUnits` puts those in the place of the values.
  APP_IDS: { call: 'CONTAINS_ANY', of: listAdUnitIds },
  DISPLAY_NAME: { call: 'IN', of: ({ body }) => [getTextMember(body, 'displayName')] },
  FORMAT: { call: 'IN', of: (row) => [getTextMember(getTargeting(row), 'format')], spell: toUpper },
  MEDIATION_GROUP_ID: { call: 'IN', of: ({ id }) => [id] },
  PLATFORM: { call: 'IN', of: (row) => [getTextMember(getTargeting(row), 'platform')], spell: toUpper },
  // The seed has NOT_RUNNING among the states of groups: it is that of their experiment.
  STATE: {
    call: 'IN',
    of: ({ body }) => [getTextMember(body, 'state'), getTextMember(body, 'mediationAbExperimentState')],
    spell: toUpper,
  },
  TARGETED_REGION_CODES: {
    call: 'CONTAINS_ANY',
    of: (row) => getTextList(getTargeting(row), 'targetedRegionCodes'),
    spell: toUpper,
  },
};

const CALLS: ReadonlyMap<string, FilterCall> = new Map(
  Object.entries(FILTER_FIELDS).map(([name, { call }]) => [name, call]),
);

/**
 * What a list's filter lets through: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "ca-app-pub-1/2")`. There is no OR.
 * @throws Refusal 400 for anything else
 */
export function createGroupTest(
  filter: unknown,
  publisher: Publisher,
  context: Context,
): (row: ResourceRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', CALLS).map(({ field, values }) => {
    const { of, spell } = requireFilterField(field);
    const wanted = field === 'APP_IDS' ? listAppAdUnits(values, publisher, context) : values;
    return {
      of,
      wanted: new Set(spell === undefined ? wanted : wanted.map((value) => spell(value, publisher.digits))),
    };
  });
  return (row) => terms.every(({ of, wanted }) => of(row).some((value) => wanted.has(value)));
}

/** The field of a name that the reader let through. */
function requireFilterField(name: string): FilterField {
  const field = Object.hasOwn(FILTER_FIELDS, name) ? FILTER_FIELDS[name] : undefined;
  if (field === undefined) throw new Error(`A filter of a field ${name}`);
  return field;
}

function listAdSourceIds({ body }: ResourceRow): readonly string[] {
  const lines = [...getGroupLines(body).values()].filter((line) => line['state'] !== 'REMOVED');
  return lines.map((line) => getTextMember(line, 'adSourceId'));
}

function expandAdUnitId(value: string, digits: string): string {
  const fragment = parseAdUnitFragment(value, digits);
  return fragment === undefined ? value : formatAdUnitId(digits, fragment);
}

/** The ad units of the publisher that belong to these apps. Apps of others are not looked up. */
function listAppAdUnits(apps: readonly string[], { name, digits }: Publisher, { store }: Context): readonly string[] {
  if (apps.length > MAX_APPS) throw refuseMediationFilter(`it names more than ${MAX_APPS} apps`);
  const own = new Set(apps.filter((app) => app.startsWith(`ca-app-pub-${digits}~`)));
  const rows = [...own].flatMap((app) => store.byRef(MEDIATION.adUnits, app, MAX_APP_UNITS));
  return rows.filter(({ parent }) => parent === name).map(({ body }) => getTextMember(body, 'adUnitId'));
}
