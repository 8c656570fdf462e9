import { refuseExhausted } from '../../../core/conventions/invalid.ts';
import {
  type CollectionDefinition,
  requireNamedRow,
  buildNewBody,
  formatIsoTimestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, type JsonObject, getMember, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  selectWinningLines,
  isOfNetwork,
  buildLinePlace,
  buildNewLine,
  requireNoExperiment,
  buildExperimentLines,
} from './lines.ts';
import { insertFresh } from './fresh-id.ts';
import { requireMediationGroup, putGroup } from './rows.ts';
import { refuseMediationField, MEDIATION, MEDIATION_PAGE, requireName } from '../rows.ts';

/** Experiments of one group, those that ended with them. */
export const MAX_EXPERIMENTS = 1_000;
/** Lines of a treatment. */
export const MAX_TREATMENT_LINES = 100;
const MAX_NAME_CHARS = 255;
const ID_DIGITS = 10;
/** How long an experiment is meant to run (ours). Nothing ends it then. */
export const EXPERIMENT_DAYS = 90;
const DAY_MS = 86_400_000;
const RUNNING = 'RUNNING';
/** What the names of experiments have before their id. */
const SEGMENT = 'mediationAbExperiment';
/** Whole percents: some of the traffic goes to each variant. */
const PERCENTAGE = /^[1-9]\d?$/;
const CHOICES = { VARIANT_CHOICE_A: 'VARIANT_A', VARIANT_CHOICE_B: 'VARIANT_B' } as const;

const experiments: Pick<CollectionDefinition, 'name' | 'schema' | 'items' | 'page'> = {
  name: MEDIATION.experiments,
  schema: 'MediationAbExperiment',
  items: 'mediationAbExperiments',
  page: MEDIATION_PAGE,
};

/**
 * A/B experiments of mediation groups: while one runs, the group has the lines of both variants, and they cannot be
 * changed. Nothing is measured here, so the data never suffice to tell a leader, and none ends by itself.
 */
export const experimentHandlers: Handlers = {
  'admob.accounts.mediationGroups.mediationAbExperiments.create': create,
  'admob.accounts.mediationGroups.mediationAbExperiments.stop': stop,
};

function create({ path, body: sent }: Call, context: Context): JsonObject {
  const parent = path['parent'] ?? '';
  const group = requireMediationGroup(parent, context);
  const body = buildNewBody(experiments, sent, context);
  const displayName = requireName(getTextMember(body, 'displayName'), 'displayName', MAX_NAME_CHARS);
  const treatmentTrafficPercentage = getTextMember(body, 'treatmentTrafficPercentage');
  if (!PERCENTAGE.test(treatmentTrafficPercentage))
    throw refuseMediationField('treatment_traffic_percentage', 'it must be a whole number from 1 to 99');
  requireNoExperiment(group);
  const treatment = buildTreatment(body, group, context);
  if (context.store.count(MEDIATION.experiments, parent) >= MAX_EXPERIMENTS)
    throw refuseExhausted(`A mediation group has at most ${MAX_EXPERIMENTS} experiments`);
  const { lines, control } = buildExperimentLines(group.body, treatment);
  putGroup(group, { ...group.body, mediationGroupLines: lines, mediationAbExperimentState: RUNNING }, context);
  const rowOf = (id: string) => ({
    collection: MEDIATION.experiments,
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
  return insertFresh(rowOf, ID_DIGITS, context).body;
}

function stop({ path, body: sent }: Call, context: Context): JsonObject {
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

/**
 * The experiment of a name; that which runs where the name is that of all experiments of its group, as the vendor writes it.
 * @throws Refusal 404, and 400 FAILED_PRECONDITION for a group in which none runs
 */
function requireExperiment(name: string, context: Context): ResourceRow {
  const all = `/${experiments.items}`;
  if (!name.endsWith(all)) return requireNamedRow(experiments, name, context);
  const parent = name.slice(0, -all.length);
  requireMediationGroup(parent, context);
  const place = { collection: experiments.name, parent, order: { by: 's1' }, prefix: RUNNING, limit: 1 } as const;
  const [running] = context.store.list(place);
  if (running === undefined)
    throw vendorRefusals.failedPrecondition('No A/B experiment is running in this mediation group');
  return running.row;
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
