import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import {
  refuseExistingName,
  listAtHand,
  refuseMissingName,
  putChanged,
  formatIsoTimestamp,
} from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isSameJson, selectWritable } from '../../core/engine/write.ts';
import { parseBucketName, defineParentHandlers } from './rows.ts';
import {
  refuseLogLimit,
  refuseLogField,
  toObjects,
  PAGE,
  requireDescription,
  requireFilter,
  toTextOrEmpty,
} from './texts.ts';

/** Labels of one metric (the vendor's). */
const MAX_LABELS = 10;
const MAX_EXTRACTOR_CHARS = 2_000;
const LABEL_KEY = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;
const VALUE_TYPES = ['BOOL', 'INT64', 'DOUBLE', 'STRING', 'DISTRIBUTION', 'MONEY'];
const UNIT = '1';

/**
 * A metric with its whole descriptor: a counter of entries unless it says that it is a distribution. Fields of the
 * descriptor that follow from the metric's name are left out.
 * @throws Refusal for labels and extractors that do not fit, for a distribution without a value
 */
function validateMetric(body: JsonObject): JsonObject {
  const sent = isObject(body['metricDescriptor']) ? body['metricDescriptor'] : {};
  const { name: _name, type: _type, description: _description, ...descriptor } = sent;
  const kind = resolveEnumValue(descriptor['metricKind'], 'METRIC_KIND_UNSPECIFIED', 'DELTA');
  const valueType = resolveEnumValue(descriptor['valueType'], 'VALUE_TYPE_UNSPECIFIED', 'INT64');
  if (kind !== 'DELTA') throw refuseLogField('metricDescriptor.metricKind', 'The kind of a log-based metric is DELTA.');
  if (!VALUE_TYPES.includes(valueType)) throw refuseLogField('metricDescriptor.valueType', 'Unknown value type.');
  requireLabels(descriptor['labels'], body['labelExtractors']);
  requireValue(valueType, body);
  return {
    ...body,
    metricDescriptor: { ...descriptor, metricKind: kind, valueType, unit: toTextOrEmpty(descriptor['unit']) || UNIT },
  };
}

const resolveEnumValue = (value: Json | undefined, unset: string, standard: string): string =>
  toTextOrEmpty(value) === '' || value === unset ? standard : toTextOrEmpty(value);

function requireValue(valueType: string, body: JsonObject): void {
  const { valueExtractor, bucketOptions } = body;
  if (valueType !== 'DISTRIBUTION' && (toTextOrEmpty(valueExtractor) !== '' || bucketOptions !== undefined))
    throw refuseLogField('valueExtractor', 'Only a metric of the value type DISTRIBUTION extracts values.');
  if (valueType === 'DISTRIBUTION') requireExtractor(toTextOrEmpty(valueExtractor), 'valueExtractor');
}

function requireLabels(sent: Json | undefined, extractors: Json | undefined): void {
  const keys = toObjects(sent).map(({ key }) => toTextOrEmpty(key));
  const extracted = Object.entries(isObject(extractors) ? extractors : {});
  if (keys.length > MAX_LABELS)
    throw refuseLogField('metricDescriptor.labels', `A metric has at most ${MAX_LABELS} labels.`);
  if (keys.some((key) => !LABEL_KEY.test(key)) || new Set(keys).size < keys.length)
    throw refuseLogField(
      'metricDescriptor.labels',
      'Keys of labels are different words of letters, digits and underscores.',
    );
  const known = new Set(extracted.map(([key]) => key));
  if (keys.some((key) => !known.has(key)) || extracted.length > keys.length)
    throw refuseLogField(
      'labelExtractors',
      'Each label of the descriptor needs one extractor, and there are no others.',
    );
  for (const [key, extractor] of extracted) requireExtractor(toTextOrEmpty(extractor), `labelExtractors.${key}`);
}

/** `EXTRACT(field)`, or `REGEXP_EXTRACT(field, "regex")`. The expression is not run here, so its inside is not judged. */
function requireExtractor(text: string, field: string): void {
  const isFit = isText(text) && text.length <= MAX_EXTRACTOR_CHARS;
  const inside = /^(?:REGEXP_)?EXTRACT\((.+)\)$/s.exec(text.trim())?.[1]?.trim();
  const isWhole = inside !== undefined && (!text.trim().startsWith('REGEXP_') || /^[^",]+,\s*".*"$/s.test(inside));
  if (!isFit || !isWhole)
    throw refuseLogField(field, 'An extractor is EXTRACT(field) or REGEXP_EXTRACT(field, "regex").');
}

/** Rows of log-based metrics: parent = project, id = the metric's, slashes and all. */
export const METRICS = 'logging.metrics';
/** Metrics of a project (the vendor's). */
const MAX_METRICS = 500;
/** Characters of all metrics of a project: a list reads them (rule K9). */
const MAX_METRICS_CHARS = 4_000_000;
const MAX_ID_CHARS = 100;
const ID = /^[A-Za-z0-9_\-.,+!*',()%][A-Za-z0-9_\-.,+!*',()%/]*$/;
const NAME = /^(projects\/[^/]+)\/metrics\/([^/]+)$/;
const LIST = { items: 'metrics', page: PAGE };

/** Log-based metrics: kept and judged. Nothing counts them: the vendor's figures are read elsewhere. */
export const metricHandlers: Handlers = {
  ...defineParentHandlers('metrics.list', list),
  ...defineParentHandlers('metrics.get', ({ path }, context) =>
    toMetricResource(requireMetricRow(toTextOrEmpty(path['metricName']), context)),
  ),
  ...defineParentHandlers('metrics.create', create),
  ...defineParentHandlers('metrics.update', update),
  ...defineParentHandlers('metrics.delete', ({ path }, context) => {
    context.store.remove(requireMetricRow(toTextOrEmpty(path['metricName']), context));
    return {};
  }),
};

function list(call: Call, context: Context): JsonObject {
  const items = listMetricRows(toTextOrEmpty(call.path['parent']), context).map((row) => ({
    id: row.id,
    body: toMetricResource(row),
  }));
  return listAtHand(LIST, items, call, context);
}

function create(call: Call, context: Context): JsonObject {
  const project = toTextOrEmpty(call.path['parent']);
  const { id, body } = readSentMetric(call, project, context);
  return insert(project, id, body, context);
}

/** PUT makes the metric where it is not there (discovery document, metrics.update). */
function update(call: Call, context: Context): JsonObject {
  const name = toTextOrEmpty(call.path['metricName']);
  const { project, id } = parseMetricName(name);
  const sent = readSentMetric(call, project, context);
  if (sent.id !== id) throw refuseLogField('name', `name must be the metric of the path: ${JSON.stringify(id)}.`);
  const before = context.store.get(METRICS, project, id);
  if (before === undefined) return insert(project, id, sent.body, context);
  const { createTime = '', updateTime: _updated, ...was } = before.body;
  if (isSameJson(was, sent.body)) return toMetricResource(before);
  requireRoom(project, { ...sent.body }, id, context);
  return toMetricResource(
    putChanged(before, { ...sent.body, createTime, updateTime: formatIsoTimestamp(context.now()) }, context),
  );
}

function insert(project: string, id: string, body: JsonObject, context: Context): JsonObject {
  const now = formatIsoTimestamp(context.now());
  if (context.store.get(METRICS, project, id) !== undefined) throw refuseExistingName(formatMetricName(project, id));
  requireRoom(project, body, id, context);
  const dated = { ...body, createTime: now, updateTime: now };
  const row = context.store.insert({ collection: METRICS, parent: project, id, body: dated });
  if (row === undefined) throw refuseExistingName(formatMetricName(project, id));
  return toMetricResource(row);
}

/** The metric of a body, judged; without times. @throws Refusal */
function readSentMetric(call: Call, project: string, context: Context): { id: string; body: JsonObject } {
  const { name, version: _version, ...body } = selectWritable('LogMetric', call.body, context.row);
  const id = toTextOrEmpty(name);
  if (id.length > MAX_ID_CHARS || !ID.test(id))
    throw refuseLogField(
      'name',
      `Invalid name: at most ${MAX_ID_CHARS} letters, digits and _-.,+!*',()%/, no slash first.`,
    );
  requireDescription(body['description']);
  requireFilter(body['filter']);
  const bucket = toTextOrEmpty(body['bucketName']);
  if (bucket !== '' && parseBucketName(bucket).container !== project)
    throw refuseLogField('bucketName', 'The bucket of a metric is of the same project.');
  return { id, body: validateMetric(body) };
}

function requireRoom(project: string, body: JsonObject, id: string, context: Context): void {
  const others = listMetricRows(project, context).filter((row) => row.id !== id);
  if (others.length >= MAX_METRICS) throw refuseLogLimit(`A project has at most ${MAX_METRICS} metrics`);
  const chars = others.reduce((sum, row) => sum + JSON.stringify(row.body).length, JSON.stringify(body).length);
  if (chars > MAX_METRICS_CHARS) throw refuseLogLimit('The metrics of the project are too long together');
}

const listMetricRows = (project: string, context: Context): readonly ResourceRow[] =>
  context.store.list({ collection: METRICS, parent: project, limit: MAX_METRICS }).map(({ row }) => row);

const formatMetricName = (project: string, id: string): string => `${project}/metrics/${encodeURIComponent(id)}`;

/** @throws Refusal 404 */
function requireMetricRow(name: string, context: Context): ResourceRow {
  const { project, id } = parseMetricName(name);
  const row = context.store.get(METRICS, project, id);
  if (row === undefined) throw refuseMissingName(name);
  return row;
}

/** `projects/p/metrics/a%2Fb` names the metric `a/b`. @throws Refusal 404 for what can name none */
function parseMetricName(name: string): { project: string; id: string } {
  const [, project, sent] = NAME.exec(name) ?? [];
  const id = sent === undefined ? undefined : decodePercent(sent);
  if (project === undefined || id === undefined) throw refuseMissingName(name);
  return { project, id };
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // `%` without two digits after it.
  }
}

/** A metric as callers see it: its descriptor has what follows from its name. */
function toMetricResource({ parent, id, body }: ResourceRow): JsonObject {
  const { metricDescriptor, ...rest } = body;
  const type = `logging.googleapis.com/user/${id}`;
  const { description } = body;
  return {
    name: id,
    resourceName: formatMetricName(parent, id),
    ...rest,
    metricDescriptor: {
      ...(metricDescriptor as JsonObject | undefined), // validateMetric makes one.
      name: `${parent}/metricDescriptors/${type}`,
      type,
      ...(description !== undefined && { description }),
    },
    version: 'V2',
  };
}
