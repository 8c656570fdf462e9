import { refuseViolation } from '../../../core/conventions/invalid.ts';
import * as z from 'zod';
import { buildChangedBody, buildNewBody } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { isObject, type Json, type JsonObject, toObjects, toTexts } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { createSchemaTest, requireDescription, requireKeyName, timeSchema, toTextOrEmpty } from '../schemas.ts';
import { isBuiltInBucket, type LogBucket } from './rows.ts';

const LOG_BUCKET = { schema: 'LogBucket' };
const DEFAULT_RETENTION_DAYS = 30;
/** The vendor's longest retention: ten years. */
const MAX_RETENTION_DAYS = 3_650;
const MAX_INDEX_CONFIGS = 20;
const MAX_RESTRICTED_FIELDS = 20;
const MAX_FIELD_PATH_CHARS = 800;
/** Fields of an entry that can be denied to readers, with what is below them (discovery document, LogBucket). */
const RESTRICTABLE = /^(?:textPayload|jsonPayload|protoPayload|httpRequest|labels|sourceLocation)(?:\.|$)/;
const INDEX_TYPES = new Set<unknown>(['INDEX_TYPE_STRING', 'INDEX_TYPE_INTEGER']);
/** The bucket of audit logs: only analytics can be switched on in it. */
const FIXED_BUCKET = '_Required';

/** What a new bucket of a call is made of. @throws Refusal */
export const buildNewBucket = (call: Call, context: Context): JsonObject =>
  completeBucket(buildNewBody(LOG_BUCKET, call.body, context), undefined, context);

/** A bucket's body after an update by mask. @throws Refusal for what the bucket's state, or its being `_Required`, forbids */
export function buildChangedBucket(before: LogBucket, call: Call, context: Context): JsonObject {
  const after = completeBucket(
    buildChangedBody(LOG_BUCKET, before.body, call.body, call, context, 'required'),
    before.body,
    context,
  );
  if (isBuiltInBucket(before.name) && before.name.bucketId === FIXED_BUCKET) requireFixed(before.body, after);
  requireAllowed(before.body, after);
  return after;
}

/** Fills in what the vendor fills in, and leaves out what says nothing. */
function completeBucket(sent: JsonObject, before: JsonObject | undefined, context: Context): JsonObject {
  requireDescription(sent['description']);
  const body = {
    ...sent,
    retentionDays: validateRetention(sent['retentionDays']),
    restrictedFields: validateRestrictedFields(sent['restrictedFields']),
    indexConfigs: buildIndexConfigs(sent['indexConfigs'], before?.['indexConfigs'], formatIsoTimestamp(context.now())),
    cmekSettings: validateCmekSettings(sent['cmekSettings']),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => hasContent(value)));
}

const hasContent = (value: Json): boolean =>
  value !== false && value !== '' && !(Array.isArray(value) && value.length === 0) && !isEmptyObject(value);

const isEmptyObject = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;

function validateRetention(days: Json | undefined): number {
  if (days === undefined || days === 0) return DEFAULT_RETENTION_DAYS;
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw refuseViolation('retentionDays', `retentionDays must be from 1 to ${MAX_RETENTION_DAYS}.`);
}

function validateRestrictedFields(fields: Json | undefined): string[] {
  const paths = toTexts(fields);
  if (paths.length > MAX_RESTRICTED_FIELDS)
    throw refuseViolation('restrictedFields', `A bucket has at most ${MAX_RESTRICTED_FIELDS} restricted fields.`);
  if (paths.every((path) => RESTRICTABLE.test(path) && path.length <= MAX_FIELD_PATH_CHARS)) return [...new Set(paths)];
  const which = 'textPayload, jsonPayload, protoPayload, httpRequest, labels and sourceLocation';
  throw refuseViolation('restrictedFields', `Only ${which}, and fields of theirs, can be restricted.`);
}

/** An index that was there before keeps the time it was made. */
function buildIndexConfigs(sent: Json | undefined, before: Json | undefined, now: string): JsonObject[] {
  const configs = toObjects(sent);
  if (configs.length > MAX_INDEX_CONFIGS)
    throw refuseViolation('indexConfigs', `A bucket has at most ${MAX_INDEX_CONFIGS} indexes.`);
  const known = toObjects(before);
  const paths = new Set<string>();
  return configs.map((config) => {
    const [fieldPath, type] = [toTextOrEmpty(config['fieldPath']), config['type']];
    if (fieldPath === '' || fieldPath.length > MAX_FIELD_PATH_CHARS || type === undefined || !INDEX_TYPES.has(type))
      throw refuseViolation(
        'indexConfigs',
        'An index has a fieldPath and a type: INDEX_TYPE_STRING or INDEX_TYPE_INTEGER.',
      );
    if (paths.has(fieldPath)) throw refuseViolation('indexConfigs', `There are two indexes of ${fieldPath}.`);
    paths.add(fieldPath);
    const same = known.find((each) => each['fieldPath'] === fieldPath && each['type'] === type);
    return { fieldPath, type, createTime: toTextOrEmpty(same?.['createTime']) || now };
  });
}

function validateCmekSettings(settings: Json | undefined): JsonObject {
  const kmsKeyName = isObject(settings) ? toTextOrEmpty(settings['kmsKeyName']) : '';
  if (kmsKeyName === '') return {};
  requireKeyName(kmsKeyName, 'cmekSettings.kmsKeyName');
  return { kmsKeyName };
}

function requireFixed({ analyticsEnabled: _before, ...before }: JsonObject, changed: JsonObject): void {
  const { analyticsEnabled: _after, ...after } = changed;
  if (!isSameJson(before, after)) throw vendorRefusals.invalid(`The bucket ${FIXED_BUCKET} cannot be changed`);
}

/** What cannot be taken back, and what a lock holds. */
function requireAllowed(before: JsonObject, after: JsonObject): void {
  const isTaken = (name: string): boolean => before[name] !== undefined && after[name] === undefined;
  const isLockBroken = before['locked'] === true && before['retentionDays'] !== after['retentionDays'];
  if (isTaken('locked')) throw vendorRefusals.failedPrecondition('A locked bucket cannot be unlocked');
  if (isLockBroken) throw vendorRefusals.failedPrecondition('The retention of a locked bucket cannot be changed');
  if (isTaken('analyticsEnabled'))
    throw vendorRefusals.failedPrecondition('Log Analytics cannot be switched off again');
  if (isTaken('cmekSettings'))
    throw vendorRefusals.failedPrecondition('The key of a bucket can be changed, but not taken away');
}

/** What is counted with, of a bucket; the rest is only shown. */
const logBucket = z.looseObject({
  retentionDays: z.int().positive(),
  locked: z.literal(true).optional(),
  analyticsEnabled: z.literal(true).optional(),
  cmekSettings: z.looseObject({ kmsKeyName: z.string() }).optional(),
});

/** Whether a row of a snapshot is a bucket as it is stored (rule K3). */
export const isStoredBucket = createSchemaTest(
  z.strictObject({
    bucket: logBucket,
    generation: z.string().optional(),
    deletedMs: timeSchema.optional(),
    pending: z.strictObject({ operation: z.string(), untilMs: timeSchema, before: logBucket.optional() }).optional(),
  }),
);
