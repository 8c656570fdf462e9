import { refuseExhausted } from '../../../core/conventions/invalid.ts';
import { isObject, isText, type Json, type JsonObject, getObjectMember, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import { type FilterCall, readFilter, refuseMediationFilter } from '../filter-text.ts';
import { parseMaskLeaves } from '../masks.ts';
import { computePageChars } from '../matching-list.ts';
import {
  formatAdUnitId,
  parseAdUnitFragment,
  refuseMediationField,
  MEDIATION,
  MEDIATION_PAGE,
  type Publisher,
  parsePublisher,
  getTextList,
} from '../rows.ts';
import { buildChangedGroup, groupName, groupState, requireLineKey } from './changes.ts';
import { insertFresh } from './fresh-id.ts';
import {
  isOfNetwork,
  buildLinePlace,
  getGroupLines,
  buildNetworkLine,
  buildNewLine,
  requireOneNetworkLine,
  requireOwnId,
} from './lines.ts';
import { enforceGroupLimits, requireMediationGroup, MAX_LINES, putGroup, toMediationGroupResource } from './rows.ts';
import { validateTargeting, listTargetedFragments } from './targeting.ts';

/** Apps that one filter may name: each is looked up. */
const MAX_APPS = 100;
/** Ad units of one app. */
const MAX_APP_UNITS = 10_000;

/** What a group has under a field's name; how values are spelled before they are compared. */
type Field = {
  call: FilterCall;
  of: (row: ResourceRow) => readonly string[];
  spell?: (value: string, digits: string) => string;
};

const toUpper = (value: string): string => value.toUpperCase();
const getTargeting = ({ body }: ResourceRow) => getObjectMember(body, 'targeting');
const listAdUnitIds = (row: ResourceRow): readonly string[] => getTextList(getTargeting(row), 'adUnitIds');

const FIELDS: Readonly<Record<string, Field>> = {
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

const CALLS: ReadonlyMap<string, FilterCall> = new Map(Object.entries(FIELDS).map(([name, { call }]) => [name, call]));

/**
 * What a list's filter lets through: `IN(PLATFORM, "IOS") AND CONTAINS_ANY(AD_UNIT_IDS, "ca-app-pub-1/2")`. There is no OR.
 * @throws Refusal 400 for anything else
 */
function groupMatcher(filter: unknown, publisher: Publisher, context: Context): (row: ResourceRow) => boolean {
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
function requireFilterField(name: string): Field {
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
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

/** Groups that one statement reads: as many of the largest as it may answer. */
const GROUPS_A_STATEMENT = 15;
/** Characters of the groups that one call looks at, shown or not. */
const MAX_SCANNED_CHARS = 32_000_000;

/**
 * One page of a publisher's groups that pass the filter, in the order of their ids. The page may have fewer than asked
 * for where the groups are large, in a batch the more so; it then has a token (AIP-158).
 */
function listGroups(call: Call, context: Context): JsonObject {
  const { name: parent, digits } = parsePublisher(call.path['parent'] ?? '');
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...MEDIATION_PAGE });
  const keep = groupMatcher(call.query['filter'], { name: parent, digits }, context);
  const { groups, next } = readGroupPage(parent, { rows: limit, chars: computePageChars(call) }, keep, context);
  return {
    ...(groups.length > 0 && { mediationGroups: groups }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

/** A group as lists show it: with the fragments of its ad units too. */
function toListedGroup(row: ResourceRow): JsonObject {
  const adUnits = [...listTargetedFragments(row.body)];
  const shown = toMediationGroupResource(row);
  return adUnits.length > 0 ? { ...shown, targeting: { ...getObjectMember(shown, 'targeting'), adUnits } } : shown;
}

type Page = { groups: JsonObject[]; next: ListCursor | undefined };
/** What a page may have. */
type Limits = { rows: number; chars: number };

function readGroupPage(parent: string, limits: Limits, keep: (row: ResourceRow) => boolean, context: Context): Page {
  const groups: JsonObject[] = [];
  let last = context.pages.open();
  let [shown, scannedChars] = [0, 0];
  const read = (): readonly ListedRow[] =>
    context.store.list({ collection: MEDIATION.groups, parent, after: last, limit: GROUPS_A_STATEMENT });
  for (let found = read(); found.length > 0; found = found.length < GROUPS_A_STATEMENT ? [] : read()) {
    for (const { row, cursor } of found) {
      const chars = JSON.stringify(row.body).length;
      if (scannedChars + chars > MAX_SCANNED_CHARS) return { groups, next: last };
      scannedChars += chars;
      if (keep(row)) {
        if (groups.length === limits.rows) return { groups, next: last };
        const group = toListedGroup(row);
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
export const MAX_MEDIATION_GROUPS = 10_000;

const SCHEMA = 'MediationGroup';
const ID_DIGITS = 10;

/** Mediation groups, with the lines that their ads come from. The vendor has no method that reads or deletes one. */
export const mediationGroupHandlers: Handlers = {
  'admob.accounts.mediationGroups.create': create,
  'admob.accounts.mediationGroups.list': listGroups,
  'admob.accounts.mediationGroups.patch': patch,
};

function create(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  const { name: parent, digits } = publisher;
  const sent = selectWritable(SCHEMA, call.body, context.row);
  if (!isObject(sent['targeting'])) throw vendorRefusals.required('targeting');
  if (context.store.count(MEDIATION.groups, parent) >= MAX_MEDIATION_GROUPS)
    throw refuseExhausted(`${parent} has at most ${MAX_MEDIATION_GROUPS} mediation groups`);
  const group: JsonObject = {
    displayName: groupName(sent),
    state: groupState(sent, 'ENABLED'),
    targeting: validateTargeting(sent['targeting'], digits),
    mediationAbExperimentState: 'NOT_RUNNING',
  };
  const mediationGroupLines = buildFirstLines(parent, group, getObjectMember(sent, 'mediationGroupLines'), context);
  const body = enforceGroupLimits({ ...group, mediationGroupLines });
  return toMediationGroupResource(
    insertFresh((id) => ({ collection: MEDIATION.groups, parent, id, body }), ID_DIGITS, context),
  );
}

/** The lines of a new group. One of the AdMob Network is among them, sent or not. */
function buildFirstLines(parent: string, group: JsonObject, sent: JsonObject, context: Context): JsonObject {
  const place = buildLinePlace(parent, group);
  const entries = Object.entries(sent);
  if (entries.length > MAX_LINES)
    throw refuseMediationField('mediationGroupLines', `a group has at most ${MAX_LINES} lines`);
  const lines = entries.map(([key, line]) => {
    requireLineKey(key, true);
    const each = isObject(line) ? line : {};
    requireOwnId(each, key);
    return buildNewLine(each, `mediationGroupLines["${key}"]`, place, context);
  });
  const all = lines.some(isOfNetwork) ? lines : [...lines, buildNetworkLine(place, context)];
  requireOneNetworkLine(all);
  return Object.fromEntries(all.map((line) => [getTextMember(line, 'id'), line]));
}

function patch(call: Call, context: Context): JsonObject {
  const row = requireMediationGroup(call.path['name'] ?? '', context);
  const leaves = parseMaskLeaves(call.query['updateMask'], parsePublisher(row.parent).digits);
  const sent = withLineNulls(selectWritable(SCHEMA, call.body, context.row), call.body);
  return toMediationGroupResource(putGroup(row, buildChangedGroup(row, sent, leaves, context), context));
}

/** What may be written of a body, with the `null`s that lines were sent with: each of them clears a field. */
function withLineNulls(sent: JsonObject, body: JsonObject): JsonObject {
  const whole = getObjectMember(body, 'mediationGroupLines');
  const lines = Object.entries(getObjectMember(sent, 'mediationGroupLines')).map(([key, line]): [string, Json] => {
    const nulls = Object.entries(getObjectMember(whole, key)).filter(([, value]) => value === null);
    return [key, isObject(line) ? { ...line, ...Object.fromEntries(nulls) } : line];
  });
  return { ...sent, mediationGroupLines: Object.fromEntries(lines) };
}
