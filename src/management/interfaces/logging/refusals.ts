import { refuseViolation, refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** 400 INVALID_ARGUMENT for a text that is not the name of what is asked for. */
export const refuseInvalidName = (name: string): Refusal =>
  new Refusal(refuseViolations([{ description: `Invalid resource name: ${truncateSentText(name)}` }]));

/** 429 RESOURCE_EXHAUSTED: one more than a container or bucket may have. */
export const refuseLogLimit = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'limitExceeded', message });

/** 501: only lists over several collections know it (google.longrunning.ListOperationsRequest). */
export const refusePartialSuccess = (): Refusal =>
  new Refusal({
    status: 501,
    word: 'UNIMPLEMENTED',
    reason: 'notImplemented',
    message: 'return_partial_success is not supported',
  });

/** 400 for a filter of a list of queries, which is not the language of entries. */
export const refuseQueryFilter = (): Refusal =>
  refuseViolation(
    'filter',
    'filter must be type("Logging") or type("OpsAnalytics"), and visibility = PRIVATE or SHARED.',
  );
