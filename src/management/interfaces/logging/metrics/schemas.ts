import { refuseViolation } from '../../../core/conventions/invalid.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { isObject, isText, type Json, type JsonObject, toObjects } from '../../../../lib/json.ts';
import { parseBucketName } from '../rows.ts';
import { requireDescription, requireFilter, toTextOrEmpty } from '../schemas.ts';

const MAX_ID_CHARS = 100;
const ID = /^[A-Za-z0-9_\-.,+!*',()%][A-Za-z0-9_\-.,+!*',()%/]*$/;
/** Labels of one metric (the vendor's). */
const MAX_LABELS = 10;
const MAX_EXTRACTOR_CHARS = 2_000;
const LABEL_KEY = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;
const UNIT = '1';

/** The metric of a body, judged; without times. @throws Refusal */
export function readSentMetric(call: Call, project: string, context: Context): { id: string; body: JsonObject } {
  const { name, version: _version, ...body } = selectWritable('LogMetric', call.body, context.row);
  const id = toTextOrEmpty(name);
  if (id.length > MAX_ID_CHARS || !ID.test(id))
    throw refuseViolation(
      'name',
      `Invalid name: at most ${MAX_ID_CHARS} letters, digits and _-.,+!*',()%/, no slash first.`,
    );
  requireDescription(body['description']);
  requireFilter(body['filter']);
  const bucket = toTextOrEmpty(body['bucketName']);
  if (bucket !== '' && parseBucketName(bucket).container !== project)
    throw refuseViolation('bucketName', 'The bucket of a metric is of the same project.');
  return { id, body: validateMetric(body) };
}

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
  if (kind !== 'DELTA')
    throw refuseViolation('metricDescriptor.metricKind', 'The kind of a log-based metric is DELTA.');
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
    throw refuseViolation('valueExtractor', 'Only a metric of the value type DISTRIBUTION extracts values.');
  if (valueType === 'DISTRIBUTION') requireExtractor(toTextOrEmpty(valueExtractor), 'valueExtractor');
}

function requireLabels(sent: Json | undefined, extractors: Json | undefined): void {
  const keys = toObjects(sent).map(({ key }) => toTextOrEmpty(key));
  const extracted = Object.entries(isObject(extractors) ? extractors : {});
  if (keys.length > MAX_LABELS)
    throw refuseViolation('metricDescriptor.labels', `A metric has at most ${MAX_LABELS} labels.`);
  if (keys.some((key) => !LABEL_KEY.test(key)) || new Set(keys).size < keys.length)
    throw refuseViolation(
      'metricDescriptor.labels',
      'Keys of labels are different words of letters, digits and underscores.',
    );
  const known = new Set(extracted.map(([key]) => key));
  if (keys.some((key) => !known.has(key)) || extracted.length > keys.length)
    throw refuseViolation(
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
    throw refuseViolation(field, 'An extractor is EXTRACT(field) or REGEXP_EXTRACT(field, "regex").');
}
