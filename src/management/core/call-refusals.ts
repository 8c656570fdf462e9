import { requestRefusals } from './conventions/errors.ts';
import type { RefusalData } from '../../lib/refusal.ts';

/** Seconds after which a call to something that did not answer is worth another try. */
const RETRY_AFTER_S = 1;

/** 503: something behind us does not answer now. */
export const refuseUnavailable = (): RefusalData => requestRefusals.backendError(RETRY_AFTER_S);

/** 500: a bug of ours. The log has more. */
export const refuseInternalError = (): RefusalData => ({ ...requestRefusals.internalError(), reason: 'backendError' });

/** 413: a body beyond what is read. */
export const refuseLargeBody = (maxBytes: number): RefusalData => ({
  status: 413,
  word: 'INVALID_ARGUMENT',
  reason: 'uploadTooLarge',
  message: `The request is too large: at most ${maxBytes} bytes are allowed.`,
});

/** 400: a body that broke off, or is not framed as HTTP/1.1 says. */
export const refuseBrokenBody = (): RefusalData => ({
  status: 400,
  word: 'INVALID_ARGUMENT',
  reason: 'bodyBrokenOff',
  message: 'The body ended too early, or its framing is broken: send it again.',
});

/** 400: a Host header, or a target, that no address can be made of. */
export const refuseInvalidHost = (): RefusalData => ({
  status: 400,
  word: 'INVALID_ARGUMENT',
  reason: 'invalidHost',
  message: 'The request must have one Host header, with a host name.',
});

/** 421: a request for another host. */
export const refuseForeignHost = (): RefusalData => ({
  status: 421,
  word: 'FAILED_PRECONDITION',
  reason: 'wrongHost',
  message: 'This host name is not served here.',
});

/** 415: a body in a coding that is not undone. */
export const refuseUnknownCoding = (): RefusalData => ({
  status: 415,
  word: 'INVALID_ARGUMENT',
  reason: 'badContent',
  message: 'The Content-Encoding of a body may be gzip, or none.',
});
