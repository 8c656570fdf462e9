import { encodeBase64url } from '../../lib/base64url.ts';

/** What every token of a monitor begins with, so that a leaked one is recognised. */
export const MONITOR_TOKEN_PREFIX = 'smt_';
const SECRET_BYTES = 32;
const FORM = /^smt_[A-Za-z0-9_-]{43}$/;

/** A token that opens one monitor and nothing else: 256 random bits. Its object keeps the SHA-256 of the whole text. */
export const generateMonitorToken = (): string =>
  `${MONITOR_TOKEN_PREFIX}${encodeBase64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;

/** Whether a text has the form of such a token. */
export const isMonitorToken = (text: string): boolean => FORM.test(text);
