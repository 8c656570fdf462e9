import { isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { pageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Cursor, Listed, StoredRow } from '../../../core/engine/stored-row.ts';
import { writable } from '../../../core/engine/write.ts';
import { type FilterCall, readFilter, wrongFilter } from '../filter-text.ts';
import { leavesOf } from '../masks.ts';
import { shownChars } from '../matching-list.ts';
import {
  adUnitIdOf,
  exhausted,
  fragmentOf,
  invalidField,
  MEDIATION,
  MEDIATION_PAGE,
  objectIn,
  type Publisher,
  publisherOf,
  textIn,
  textsIn,
} from '../rows.ts';
import { changedGroup, groupName, groupState, requireLineKey } from './changes.ts';
import { insertFresh } from './fresh-id.ts';
import { isOfNetwork, linePlace, linesIn, networkLine, newLine, requireOneNetworkLine, requireOwnId } from './lines.ts';
import { boundedGroup, groupNamed, MAX_LINES, putGroup, shownGroup } from './rows.ts';
import { judgedTargeting, targetedFragments } from './targeting.ts';

/** Apps that one filter may name: each is looked up. */
const MAX_APPS = 100;
/** Ad units of one app. */
const MAX_APP_UNITS = 10_000;

/** What a group has under a field's name; how values are spelled before they are compared. */
type Field = {
  call: FilterCall;
  of: (row: StoredRow) => readonly string[];
  spell?: (value: string, digits: string) => string;
};

const upper = (value: string): string => value.toUpperCase();
const targetingOf = ({ body }: StoredRow) => objectIn(body, 'targeting');
const adUnitsOf = (row: StoredRow): readonly string[] => textsIn(targetingOf(row), 'adUnitIds');

const FIELDS: Readonly<Record<string, Field>> = {
  AD_SOURCE_IDS: { call: 'CONTAINS_ANY', of: sourcesOf },
  AD_UNIT_IDS: { call: 'CONTAINS_ANY', of: adUnitsOf, spell: wholeUnit },
  // Apps are told by their ad units: `unitsOfApps` puts those in the place of the values.
  APP_IDS: { call: 'CONTAINS_ANY', of: adUnitsOf },
  DISPLAY_NAME: { call: 'IN', of: ({ body }) => [textIn(body, 'displayName')] },
  FORMAT: { call: 'IN', of: (row) => [textIn(targetingOf(row), 'format')], spell: upper },
  MEDIATION_GROUP_ID: { call: 'IN', of: ({ id }) => [id] },
  PLATFORM: { call: 'IN', of: (row) => [textIn(targetingOf(row), 'platform')], spell: upper },
  // The seed has NOT_RUNNING among the states of groups: it is that of their experiment.
  STATE: {
    call: 'IN',
    of: ({ body }) => [textIn(body, 'state'), textIn(body, 'mediationAbExperimentState')],
    spell: upper,
  },
  TARGETED_REGION_CODES: {
    call: 'CONTAINS_ANY',
    of: (row) => textsIn(targetingOf(row), 'targetedRegionCodes'),
    spell: upper,
  },
};

const CALLS: ReadonlyMap<string, FilterCall> = new Map(Object.entries(FIELDS).map(([name, { call }]) => [name, call]));

/**
 * What a list's filter lets through: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "ca-app-pub-1/2")`. There is no OR.
 * @throws Refusal 400 for anything else
 */
function groupMatcher(filter: unknown, publisher: Publisher, context: Context): (row: StoredRow) => boolean {
  const terms = readFilter(isText(filter) ? filter : '', CALLS).map(({ field, values }) => {
    const { of, spell } = fieldNamed(field);
    const wanted = field === 'APP_IDS' ? unitsOfApps(values, publisher, context) : values;
    return {
      of,
      wanted: new Set(spell === undefined ? wanted : wanted.map((value) => spell(value, publisher.digits))),
    };
  });
  return (row) => terms.every(({ of, wanted }) => of(row).some((value) => wanted.has(value)));
}

/** The field of a name that the reader let through. */
function fieldNamed(name: string): Field {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) throw new Error(`A filter of a field ${name}`);
  return field;
}

function sourcesOf({ body }: StoredRow): readonly string[] {
  const lines = [...linesIn(body).values()].filter((line) => line['state'] !== 'REMOVED');
  return lines.map((line) => textIn(line, 'adSourceId'));
}

function wholeUnit(value: string, digits: string): string {
  const fragment = fragmentOf(value, digits);
  return fragment === undefined ? value : adUnitIdOf(digits, fragment);
}

/** The ad units of the publisher that belong to these apps. Apps of others are not looked up. */
function unitsOfApps(apps: readonly string[], { name, digits }: Publisher, { store }: Context): readonly string[] {
  if (apps.length > MAX_APPS) throw wrongFilter(`it names more than ${MAX_APPS} apps`);
  const own = new Set(apps.filter((app) => app.startsWith(`ca-app-pub-${digits}~`)));
  const rows = [...own].flatMap((app) => store.byRef(MEDIATION.adUnits, app, MAX_APP_UNITS));
  return rows.filter(({ parent }) => parent === name).map(({ body }) => textIn(body, 'adUnitId'));
}

/** Groups that one statement reads: as many of the largest as it may answer. */
const GROUPS_A_STATEMENT = 15;
/** Characters of the groups that one call looks at, shown or not. */
const MAX_SCANNED_CHARS = 32_000_000;

/**
 * One page of a publisher's groups that pass the filter, in the order of their ids. The page may have fewer than asked
 * for where the groups are large, in a batch the more so; it then has a token (AIP-158).
 */
function listGroups(call: Call, context: Context): JsonObject {
  const { name: parent, digits } = publisherOf(call.path['parent'] ?? '');
  const limit = pageSize(call.query['pageSize'], { parameter: 'pageSize', ...MEDIATION_PAGE });
  const keep = groupMatcher(call.query['filter'], { name: parent, digits }, context);
  const { groups, next } = pageOf(parent, { rows: limit, chars: shownChars(call) }, keep, context);
  return {
    ...(groups.length > 0 && { mediationGroups: groups }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** A group as lists show it: with the fragments of its ad units too (seed 2). */
function listedGroup(row: StoredRow): JsonObject {
  const adUnits = [...targetedFragments(row.body)];
  const shown = shownGroup(row);
  return adUnits.length > 0 ? { ...shown, targeting: { ...objectIn(shown, 'targeting'), adUnits } } : shown;
}

type Page = { groups: JsonObject[]; next: Cursor | undefined };
/** What a page may have. */
type Limits = { rows: number; chars: number };

function pageOf(parent: string, limits: Limits, keep: (row: StoredRow) => boolean, context: Context): Page {
  const groups: JsonObject[] = [];
  let last = context.pages.open();
  let [shown, scannedChars] = [0, 0];
  const read = (): readonly Listed[] =>
    context.store.list({ collection: MEDIATION.groups, parent, after: last, limit: GROUPS_A_STATEMENT });
  for (let found = read(); found.length > 0; found = found.length < GROUPS_A_STATEMENT ? [] : read()) {
    for (const { row, cursor } of found) {
      const chars = JSON.stringify(row.body).length;
      if (scannedChars + chars > MAX_SCANNED_CHARS) return { groups, next: last };
      scannedChars += chars;
      if (keep(row)) {
        if (groups.length === limits.rows) return { groups, next: last };
        const group = listedGroup(row);
        shown += JSON.stringify(group).length + 1;
        if (groups.length > 0 && shown > limits.chars) return { groups, next: last };
        groups.push(group);
      }
      last = cursor;
    }
  }
  return { groups, next: undefined };
}

/** Mediation groups of one publisher. */
export const MAX_GROUPS = 10_000;

const SCHEMA = 'MediationGroup';
const ID_DIGITS = 10;

/** Mediation groups, with the lines that their ads come from. The vendor has no method that reads or deletes one. */
export const groupHandlers: Handlers = {
  'admob.accounts.mediationGroups.create': create,
  'admob.accounts.mediationGroups.list': listGroups,
  'admob.accounts.mediationGroups.patch': patch,
};

function create(call: Call, context: Context): JsonObject {
  const publisher = publisherOf(call.path['parent'] ?? '');
  const { name: parent, digits } = publisher;
  const sent = writable(SCHEMA, call.body, context.row);
  if (!isObject(sent['targeting'])) throw refuse.required('targeting');
  if (context.store.count(MEDIATION.groups, parent) >= MAX_GROUPS)
    throw exhausted(`${parent} has at most ${MAX_GROUPS} mediation groups`);
  const group: JsonObject = {
    displayName: groupName(sent),
    state: groupState(sent, 'ENABLED'),
    targeting: judgedTargeting(sent['targeting'], digits),
    mediationAbExperimentState: 'NOT_RUNNING',
  };
  const mediationGroupLines = firstLines(parent, group, objectIn(sent, 'mediationGroupLines'), context);
  const body = boundedGroup({ ...group, mediationGroupLines });
  return shownGroup(insertFresh((id) => ({ collection: MEDIATION.groups, parent, id, body }), ID_DIGITS, context));
}

/** The lines of a new group. One of the AdMob Network is among them, sent or not. */
function firstLines(parent: string, group: JsonObject, sent: JsonObject, context: Context): JsonObject {
  const place = linePlace(parent, group);
  const entries = Object.entries(sent);
  if (entries.length > MAX_LINES) throw invalidField('mediationGroupLines', `a group has at most ${MAX_LINES} lines`);
  const lines = entries.map(([key, line]) => {
    requireLineKey(key, true);
    const each = isObject(line) ? line : {};
    requireOwnId(each, key);
    return newLine(each, `mediationGroupLines["${key}"]`, place, context);
  });
  const all = lines.some(isOfNetwork) ? lines : [...lines, networkLine(place, context)];
  requireOneNetworkLine(all);
  return Object.fromEntries(all.map((line) => [textIn(line, 'id'), line]));
}

function patch(call: Call, context: Context): JsonObject {
  const row = groupNamed(call.path['name'] ?? '', context);
  const leaves = leavesOf(call.query['updateMask'], publisherOf(row.parent).digits);
  const sent = withLineNulls(writable(SCHEMA, call.body, context.row), call.body);
  return shownGroup(putGroup(row, changedGroup(row, sent, leaves, context), context));
}

/** What may be written of a body, with the `null`s that lines were sent with: each of them clears a field. */
function withLineNulls(sent: JsonObject, body: JsonObject): JsonObject {
  const whole = objectIn(body, 'mediationGroupLines');
  const lines = Object.entries(objectIn(sent, 'mediationGroupLines')).map(([key, line]): [string, Json] => {
    const nulls = Object.entries(objectIn(whole, key)).filter(([, value]) => value === null);
    return [key, isObject(line) ? { ...line, ...Object.fromEntries(nulls) } : line];
  });
  return { ...sent, mediationGroupLines: Object.fromEntries(lines) };
}
