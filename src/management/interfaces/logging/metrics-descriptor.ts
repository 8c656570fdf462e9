import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { invalidField, objectsIn, textOf } from './texts.ts';

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
export function judgedMetric(body: JsonObject): JsonObject {
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
