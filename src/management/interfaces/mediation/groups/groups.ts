import { writable } from '../../../core/engine/write.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { insertFresh } from './fresh-id.ts';
import { changedGroup, groupName, groupState, requireLineKey } from './changes.ts';
import { listGroups } from './list.ts';
import { boundedGroup, groupNamed, MAX_LINES, putGroup, shownGroup } from './rows.ts';
import { isOfNetwork, linePlace, networkLine, newLine, requireOneNetworkLine, requireOwnId } from './lines.ts';
import { leavesOf } from '../masks.ts';
import { exhausted, invalidField, MEDIATION, publisherOf } from '../rows.ts';
import { judgedTargeting } from './targeting.ts';
import { objectIn, textIn } from '../texts.ts';

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
