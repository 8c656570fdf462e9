import { refuseField } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** 400 for the id of a trace that is none. */
export const refuseTraceId = (field: string): Refusal =>
  refuseField(field, 'must be 32 hexadecimal digits that are not all zero');

/** 400 for the id of a span that is none. */
export const refuseSpanId = (field: string): Refusal =>
  refuseField(field, 'must be 16 hexadecimal digits that are not all zero');

/** 400 for an id of v1 that is none. */
export const refuseV1Id = (field: string): Refusal =>
  refuseField(field, 'must be a decimal number of 64 bits that is not 0');

/** 400 for a time that is none. */
export const refuseTimestamp = (field: string): Refusal => refuseField(field, 'must be a timestamp of RFC 3339');
