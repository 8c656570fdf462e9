import { requestId } from 'hono/request-id';
import { toHex } from '../../src/lib/digest.ts';

const REQUEST_ID_BYTES = 16;

/** 128 random bits as hex. */
export const generateRequestId = (): string => toHex(crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES)));

/** Gives a request its id: ours, never the caller's, so that a log line cannot be forged. */
export const ownRequestId = requestId({ headerName: '', generator: generateRequestId });
