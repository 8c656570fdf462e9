import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** 409 ABORTED for an etag of another version. */
export const refuseChangedEtag = (): Refusal =>
  vendorRefusals.aborted('The etag does not match: the resource was changed meanwhile');

/** 409 for a second preference of one service, quota and dimensions. */
export const refuseSecondPreference = (id: string): Refusal =>
  vendorRefusals.duplicate(`Quota preference ${id} is there for the same service, quota and dimensions`);
