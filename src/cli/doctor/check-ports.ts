import { setTimeout as sleep } from 'node:timers/promises';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import type { CertificateFacts, CheckPorts } from '../../deploy/checks/check.ts';
import { createResolvingFetch, findResolved } from '../core/resolving-fetch.ts';

/** Longest wait for one answer, or for a handshake. */
const ANSWER_MS = 20_000;
const HTTPS_PORT = 443;

/**
 * What checks work with on this machine. Requests follow no redirect.
 * @param resolve where a host answers that is a stand-in's, by its name
 */
export function createCheckPorts(
  fetcher: typeof fetch,
  resolve: ReadonlyMap<string, string> = new Map(),
): Omit<CheckPorts, 'operatorSecret' | 'buy' | 'onResult'> {
  const send = resolve.size === 0 ? fetcher : createResolvingFetch(resolve);
  return {
    ask: (url, init = {}) =>
      send(url, { ...init, redirect: 'manual', signal: init.signal ?? AbortSignal.timeout(ANSWER_MS) }),
    readCertificate: (origin) => {
      const url = new URL(origin);
      return readCertificate(findResolved(url.hostname, resolve) ?? url, url.hostname);
    },
    now: Date.now,
    wait: (ms) => sleep(ms),
  };
}

/**
 * The certificate that is shown for a host, also where it is not trusted: nothing is sent to it.
 * @throws what the socket throws where nothing answers
 */
export function readCertificate({ hostname, port }: URL, servername: string): Promise<CertificateFacts> {
  const options = {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? HTTPS_PORT : Number(port),
    // An address is no server name (RFC 6066, section 3).
    ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }),
    rejectUnauthorized: false,
  };
  return new Promise((settle, refuse) => {
    const socket = connect(options, () => {
      settle(describeCertificate(socket.getPeerCertificate(), servername, socket.authorizationError));
      socket.end();
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', refuse);
  });
}

function describeCertificate(
  certificate: PeerCertificate,
  host: string,
  error: Error | string | null | undefined,
): CertificateFacts {
  const code = error === null || error === undefined ? undefined : String(error);
  // Its end and its name are judged on their own.
  const isOwnFault = code !== undefined && !/EXPIRED|NOT_YET_VALID|ALTNAME_INVALID/.test(code);
  return {
    validFromMs: Date.parse(certificate.valid_from),
    validToMs: Date.parse(certificate.valid_to),
    matchesHost: checkServerIdentity(host, certificate) === undefined,
    untrusted: isOwnFault ? code.slice(0, 80) : undefined,
    issuer: getFirstName(certificate.issuer?.O) ?? getFirstName(certificate.issuer?.CN) ?? 'an unnamed issuer',
  };
}

const getFirstName = (name: string | string[] | undefined): string | undefined =>
  Array.isArray(name) ? name[0] : name;
