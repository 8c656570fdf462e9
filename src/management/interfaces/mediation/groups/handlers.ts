import {
  getMember,
  getObjectMember,
  getTextMember,
  isObject,
  isText,
  type Json,
  type JsonObject,
} from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { DAY_MS, formatIsoTimestamp } from '../../../../lib/time.ts';
import { refuseExhausted } from '../../../core/conventions/invalid.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import { buildNewBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import { refuseMediationField } from '../refusals.ts';
import { insertFresh, listMatching, parsePublisher } from '../rows.ts';
import { requireName } from '../schemas.ts';
import { buildChangedGroup } from './changes.ts';
import {
  buildExperimentLines,
  buildLinePlace,
  buildNetworkLine,
  buildNewLine,
  isOfNetwork,
  requireNoExperiment,
  requireOneNetworkLine,
  selectWinningLines,
} from './lines.ts';
import { parseMaskLeaves } from './masks.ts';
import {
  enforceGroupLimits,
  experiments,
  MAX_EXPERIMENTS,
  MAX_LINES,
  MAX_MEDIATION_GROUPS,
  mediationGroups,
  putGroup,
  requireExperiment,
  requireMediationGroup,
  RUNNING,
  toMediationGroupResource,
} from './rows.ts';
import {
  createGroupTest,
  requireGroupName,
  parseGroupState,
  requireLineKey,
  requireOwnId,
  validateTargeting,
} from './schemas.ts';

/** Groups that one statement reads: as many of the largest as it may answer. */
const GROUPS_A_STATEMENT = 15;
/** Characters of the groups that one call looks at, shown or not. */
const MAX_SCANNED_CHARS = 32_000_000;

/** Lines of a treatment. */
export const MAX_TREATMENT_LINES = 100;
const MAX_EXPERIMENT_NAME_CHARS = 255;
/** How long an experiment is meant to run (ours). Nothing ends it then. */
export const EXPERIMENT_DAYS = 90;
/** What the names of experiments have before their id. */
const SEGMENT = 'mediationAbExperiment';
/** Whole percents: some of the traffic goes to each variant. */
const PERCENTAGE = /^[1-9]\d?$/;
const CHOICES = { VARIANT_CHOICE_A: 'VARIANT_A', VARIANT_CHOICE_B: 'VARIANT_B' } as const;

/**
 * Mediation groups, with the lines that their ads come from: the vendor has no method that reads or deletes one. A/B
 * experiments of groups: while one runs, the group has the lines of both variants, and they cannot be changed. Nothing is
 * measured here, so the data never suffice to tell a leader, and none ends by itself.
 */
export const handlers: Handlers = {
  'admob.accounts.mediationGroups.create': createGroup,
  'admob.accounts.mediationGroups.list': listGroups,
  'admob.accounts.mediationGroups.patch': patchGroup,
  'admob.accounts.mediationGroups.mediationAbExperiments.create': createExperiment,
  'admob.accounts.mediationGroups.mediationAbExperiments.stop': stopExperiment,
};

function createGroup(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  const { name: parent, digits } = publisher;
  const sent = selectWritable(mediationGroups.schema, call.body, context.row);
  if (!isObject(sent['targeting'])) throw vendorRefusals.required('targeting');
  if (context.store.count(mediationGroups.name, parent) >= MAX_MEDIATION_GROUPS)
    throw refuseExhausted(`${parent} has at most ${MAX_MEDIATION_GROUPS} mediation groups`);
  const group: JsonObject = {
    displayName: requireGroupName(sent),
    state: parseGroupState(sent, 'ENABLED'),
    targeting: validateTargeting(sent['targeting'], digits),
    mediationAbExperimentState: 'NOT_RUNNING',
  };
  const mediationGroupLines = buildFirstLines(parent, group, getObjectMember(sent, 'mediationGroupLines'), context);
  const body = enforceGroupLimits({ ...group, mediationGroupLines });
  return toMediationGroupResource(
    insertFresh((id) => ({ collection: mediationGroups.name, parent, id, body }), context),
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

/**
 * One page of a publisher's groups that pass the filter, in the order of their ids. The page may have fewer than asked
 * for where the groups are large, in a batch the more so; it then has a token (AIP-158).
 */
function listGroups(call: Call, context: Context): JsonObject {
  const publisher = parsePublisher(call.path['parent'] ?? '');
  readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...mediationGroups.page }); // Refused before the filter.
  const matches = createGroupTest(call.query['filter'], publisher, context);
  const scan = { matches, batchRows: GROUPS_A_STATEMENT, maxScannedChars: MAX_SCANNED_CHARS };
  return listMatching(mediationGroups, { parent: publisher.name }, call, context, scan);
}

function patchGroup(call: Call, context: Context): JsonObject {
  const row = requireMediationGroup(call.path['name'] ?? '', context);
  const leaves = parseMaskLeaves(call.query['updateMask'], parsePublisher(row.parent).digits);
  const sent = withLineNulls(selectWritable(mediationGroups.schema, call.body, context.row), call.body);
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

function createExperiment({ path, body: sent }: Call, context: Context): JsonObject {
  const parent = path['parent'] ?? '';
  const group = requireMediationGroup(parent, context);
  const body = buildNewBody(experiments, sent, context);
  const displayName = requireName(getTextMember(body, 'displayName'), 'displayName', MAX_EXPERIMENT_NAME_CHARS);
  const treatmentTrafficPercentage = getTextMember(body, 'treatmentTrafficPercentage');
  if (!PERCENTAGE.test(treatmentTrafficPercentage))
    throw refuseMediationField('treatment_traffic_percentage', 'it must be a whole number from 1 to 99');
  requireNoExperiment(group);
  const treatment = buildTreatment(body, group, context);
  if (context.store.count(experiments.name, parent) >= MAX_EXPERIMENTS)
    throw refuseExhausted(`A mediation group has at most ${MAX_EXPERIMENTS} experiments`);
  const { lines, control } = buildExperimentLines(group.body, treatment);
  putGroup(group, { ...group.body, mediationGroupLines: lines, mediationAbExperimentState: RUNNING }, context);
  const rowOf = (id: string) => ({
    collection: experiments.name,
    parent,
    id,
    s1: RUNNING,
    body: {
      name: `${parent}/${SEGMENT}/${id}`,
      experimentId: id,
      mediationGroupId: group.id,
      displayName,
      state: RUNNING,
      startTime: formatIsoTimestamp(context.now()),
      endTime: formatIsoTimestamp(context.now() + EXPERIMENT_DAYS * DAY_MS),
      treatmentTrafficPercentage,
      controlMediationLines: control.map((line) => ({ mediationGroupLine: line })),
      treatmentMediationLines: treatment.map((line) => ({ mediationGroupLine: line })),
      variantLeader: 'INSUFFICIENT_DATA',
    },
  });
  return insertFresh(rowOf, context).body;
}

function stopExperiment({ path, body: sent }: Call, context: Context): JsonObject {
  const row = requireExperiment(path['name'] ?? '', context);
  const choice = getMember(sent, 'variantChoice');
  if (choice !== 'VARIANT_CHOICE_A' && choice !== 'VARIANT_CHOICE_B')
    throw refuseMediationField('variant_choice', `it must be one of ${Object.keys(CHOICES).join(', ')}`);
  if (row.body['state'] !== RUNNING)
    throw vendorRefusals.failedPrecondition(`The experiment ${row.id} has ended: it cannot be stopped again`);
  const group = requireMediationGroup(row.parent, context);
  const lines = selectWinningLines(group.body, CHOICES[choice]);
  const ended = { ...group.body, mediationGroupLines: lines, mediationAbExperimentState: 'NOT_RUNNING' };
  putGroup(group, ended, context);
  const { collection, parent, id } = row;
  const body = { ...row.body, state: 'ENDED', endTime: formatIsoTimestamp(context.now()) };
  return context.store.put({ collection, parent, id, body }).body;
}

/** The lines of the treatment, each with a fresh id. What was sent as their ids only has to be distinct. */
function buildTreatment(body: JsonObject, { parent, body: group }: ResourceRow, context: Context): JsonObject[] {
  const field = 'treatmentMediationLines';
  const value = getMember(body, field);
  const sent = Array.isArray(value) ? value : [];
  if (sent.length === 0) throw vendorRefusals.required(field);
  if (sent.length > MAX_TREATMENT_LINES)
    throw refuseMediationField(field, `a treatment has at most ${MAX_TREATMENT_LINES} lines`);
  const place = buildLinePlace(parent, group);
  const ids = new Set<string>();
  const lines = sent.map((each, at) => {
    const name = `${field}[${at}].mediationGroupLine`;
    const line = isObject(each) ? getMember(each, 'mediationGroupLine') : undefined;
    if (!isObject(line)) throw vendorRefusals.required(name);
    const id = getMember(line, 'id');
    if (isText(id) && id !== '' && ids.size === ids.add(id).size)
      throw refuseMediationField(`${name}.id`, 'another line of the treatment has it too');
    return { ...buildNewLine(line, name, place, context), experimentVariant: 'VARIANT_B' };
  });
  if (lines.filter(isOfNetwork).length > 1)
    throw refuseMediationField(field, 'it has more than one line of the AdMob Network');
  return lines;
}
