import { getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { truncateSentText } from '../../../core/conventions/invalid.ts';

/** As destinations of sinks name them (`logging/sinks`). */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;
const LOCATION = /^[A-Za-z0-9-]{1,40}$/;
const STORAGE_CLASSES: ReadonlySet<string> = new Set([
  '',
  'STANDARD',
  'NEARLINE',
  'COLDLINE',
  'ARCHIVE',
  'MULTI_REGIONAL',
  'REGIONAL',
  'DURABLE_REDUCED_AVAILABILITY',
]);

/** @throws Refusal 400 for what is no name of a bucket */
export function requireBucketName(name: string): string {
  if (!BUCKET.test(name)) throw vendorRefusals.invalid(`Invalid bucket name: '${truncateSentText(name)}'`);
  return name;
}

/** The name of a new bucket. @throws Refusal 400 where its body is none */
export function validateNewBucket(body: JsonObject): string {
  const name = getTextMember(body, 'name');
  if (name === '') throw vendorRefusals.required('name');
  const location = getTextMember(body, 'location');
  if (location !== '' && !LOCATION.test(location))
    throw vendorRefusals.invalid('The specified location constraint is not valid.');
  if (!STORAGE_CLASSES.has(getTextMember(body, 'storageClass').toUpperCase()))
    throw vendorRefusals.invalid('Invalid argument: storageClass');
  return requireBucketName(name);
}
