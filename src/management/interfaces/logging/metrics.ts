import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { alreadyExists, listAtHand, notFound, putChanged, timestamp } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { StoredRow } from '../../core/engine/stored-row.ts';
import { isSame, writable } from '../../core/engine/write.ts';
import { bucketNameOf, forAllParents } from './rows.ts';
import { exhausted, invalidField, objectsIn, PAGE, requireDescription, requireFilter, textOf } from './texts.ts';

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
function judgedMetric(body: JsonObject): JsonObject {
  const sent = isObject(body['metricDescriptor']) ? body['metricDescriptor'] : {};
  const { name: _name, type: _type, description: _description, ...descriptor } = sent;
  const kind = usual(descriptor['metricKind'], 'METRIC_KIND_UNSPECIFIED', 'DELTA');
  const valueType = usual(descriptor['valueType'], 'VALUE_TYPE_UNSPECIFIED', 'INT64');
  if (kind !== 'DELTA') throw invalidField('metricDescriptor.metricKind', 'The kind of a log-based metric is DELTA.');
  if (!VALUE_TYPES.includes(valueType)) throw invalidField('metricDescriptor.valueType', 'Unknown value type.');
  requireLabels(descriptor['labels'], body['labelExtractors']);
  requireValue(valueType, body);
  return {
    ...body,
    metricDescriptor: { ...descriptor, metricKind: kind, valueType, unit: textOf(descriptor['unit']) || UNIT },
  };
}

const usual = (value: Json | undefined, unset: string, standard: string): string =>
  textOf(value) === '' || value === unset ? standard : textOf(value);

function requireValue(valueType: string, body: JsonObject): void {
  const { valueExtractor, bucketOptions } = body;
  if (valueType !== 'DISTRIBUTION' && (textOf(valueExtractor) !== '' || bucketOptions !== undefined))
    throw invalidField('valueExtractor', 'Only a metric of the value type DISTRIBUTION extracts values.');
  if (valueType === 'DISTRIBUTION') requireExtractor(textOf(valueExtractor), 'valueExtractor');
}

function requireLabels(sent: Json | undefined, extractors: Json | undefined): void {
  const keys = objectsIn(sent).map(({ key }) => textOf(key));
  const extracted = Object.entries(isObject(extractors) ? extractors : {});
  if (keys.length > MAX_LABELS)
    throw invalidField('metricDescriptor.labels', `A metric has at most ${MAX_LABELS} labels.`);
  if (keys.some((key) => !LABEL_KEY.test(key)) || new Set(keys).size < keys.length)
    throw invalidField(
      'metricDescriptor.labels',
      'Keys of labels are different words of letters, digits and underscores.',
    );
  const known = new Set(extracted.map(([key]) => key));
  if (keys.some((key) => !known.has(key)) || extracted.length > keys.length)
    throw invalidField('labelExtractors', 'Each label of the descriptor needs one extractor, and there are no others.');
  for (const [key, extractor] of extracted) requireExtractor(textOf(extractor), `labelExtractors.${key}`);
}

/** `EXTRACT(field)`, or `REGEXP_EXTRACT(field, "regex")`. The expression is not run here, so its inside is not judged. */
function requireExtractor(text: string, field: string): void {
  const isFit = isText(text) && text.length <= MAX_EXTRACTOR_CHARS;
  const inside = /^(?:REGEXP_)?EXTRACT\((.+)\)$/s.exec(text.trim())?.[1]?.trim();
  const isWhole = inside !== undefined && (!text.trim().startsWith('REGEXP_') || /^[^",]+,\s*".*"$/s.test(inside));
  if (!isFit || !isWhole)
    throw invalidField(field, 'An extractor is EXTRACT(field) or REGEXP_EXTRACT(field, "regex").');
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
  ...forAllParents('metrics.list', list),
  ...forAllParents('metrics.get', ({ path }, context) => viewOf(rowNamed(textOf(path['metricName']), context))),
  ...forAllParents('metrics.create', create),
  ...forAllParents('metrics.update', update),
  ...forAllParents('metrics.delete', ({ path }, context) => {
    context.store.remove(rowNamed(textOf(path['metricName']), context));
    return {};
  }),
};

function list(call: Call, context: Context): JsonObject {
  const items = rowsOf(textOf(call.path['parent']), context).map((row) => ({ id: row.id, body: viewOf(row) }));
  return listAtHand(LIST, items, call, context);
}

function create(call: Call, context: Context): JsonObject {
  const project = textOf(call.path['parent']);
  const { id, body } = sentMetric(call, project, context);
  return insert(project, id, body, context);
}

/** PUT makes the metric where it is not there (discovery document, metrics.update). */
function update(call: Call, context: Context): JsonObject {
  const name = textOf(call.path['metricName']);
  const { project, id } = partsOf(name);
  const sent = sentMetric(call, project, context);
  if (sent.id !== id) throw invalidField('name', `name must be the metric of the path: ${JSON.stringify(id)}.`);
  const before = context.store.get(METRICS, project, id);
  if (before === undefined) return insert(project, id, sent.body, context);
  const { createTime = '', updateTime: _updated, ...was } = before.body;
  if (isSame(was, sent.body)) return viewOf(before);
  requireRoom(project, { ...sent.body }, id, context);
  return viewOf(putChanged(before, { ...sent.body, createTime, updateTime: timestamp(context.now()) }, context));
}

function insert(project: string, id: string, body: JsonObject, context: Context): JsonObject {
  const now = timestamp(context.now());
  if (context.store.get(METRICS, project, id) !== undefined) throw alreadyExists(nameOf(project, id));
  requireRoom(project, body, id, context);
  const dated = { ...body, createTime: now, updateTime: now };
  const row = context.store.insert({ collection: METRICS, parent: project, id, body: dated });
  if (row === undefined) throw alreadyExists(nameOf(project, id));
  return viewOf(row);
}

/** The metric of a body, judged; without times. @throws Refusal */
function sentMetric(call: Call, project: string, context: Context): { id: string; body: JsonObject } {
  const { name, version: _version, ...body } = writable('LogMetric', call.body, context.row);
  const id = textOf(name);
  if (id.length > MAX_ID_CHARS || !ID.test(id))
    throw invalidField(
      'name',
      `Invalid name: at most ${MAX_ID_CHARS} letters, digits and _-.,+!*',()%/, no slash first.`,
    );
  requireDescription(body['description']);
  requireFilter(body['filter']);
  const bucket = textOf(body['bucketName']);
  if (bucket !== '' && bucketNameOf(bucket).container !== project)
    throw invalidField('bucketName', 'The bucket of a metric is of the same project.');
  return { id, body: judgedMetric(body) };
}

function requireRoom(project: string, body: JsonObject, id: string, context: Context): void {
  const others = rowsOf(project, context).filter((row) => row.id !== id);
  if (others.length >= MAX_METRICS) throw exhausted(`A project has at most ${MAX_METRICS} metrics`);
  const chars = others.reduce((sum, row) => sum + JSON.stringify(row.body).length, JSON.stringify(body).length);
  if (chars > MAX_METRICS_CHARS) throw exhausted('The metrics of the project are too long together');
}

const rowsOf = (project: string, context: Context): readonly StoredRow[] =>
  context.store.list({ collection: METRICS, parent: project, limit: MAX_METRICS }).map(({ row }) => row);

const nameOf = (project: string, id: string): string => `${project}/metrics/${encodeURIComponent(id)}`;

/** @throws Refusal 404 */
function rowNamed(name: string, context: Context): StoredRow {
  const { project, id } = partsOf(name);
  const row = context.store.get(METRICS, project, id);
  if (row === undefined) throw notFound(name);
  return row;
}

/** `projects/p/metrics/a%2Fb` names the metric `a/b`. @throws Refusal 404 for what can name none */
function partsOf(name: string): { project: string; id: string } {
  const [, project, sent] = NAME.exec(name) ?? [];
  const id = sent === undefined ? undefined : decoded(sent);
  if (project === undefined || id === undefined) throw notFound(name);
  return { project, id };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // `%` without two digits after it.
  }
}

/** A metric as callers see it: its descriptor has what follows from its name. */
function viewOf({ parent, id, body }: StoredRow): JsonObject {
  const { metricDescriptor, ...rest } = body;
  const type = `logging.googleapis.com/user/${id}`;
  const { description } = body;
  return {
    name: id,
    resourceName: nameOf(parent, id),
    ...rest,
    metricDescriptor: {
      ...(metricDescriptor as JsonObject | undefined), // judgedMetric makes one.
      name: `${parent}/metricDescriptors/${type}`,
      type,
      ...(description !== undefined && { description }),
    },
    version: 'V2',
  };
}
