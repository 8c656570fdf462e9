import { setTimeout as sleep } from 'node:timers/promises';
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { CertificateFacts, CheckPorts } from '../../deploy/checks/check.ts';

/** Longest wait for one answer, or for a handshake. */
const ANSWER_MS = 20_000;
const HTTPS_PORT = 443;

/** Where hosts answer that are a substitute's; `*` is every host. */
export type ResolvedHosts = ReadonlyMap<string, string>;

/** What checks work with on this machine. Requests follow no redirect. */
export const createCheckPorts = (
  resolve: ResolvedHosts = new Map(),
): Omit<CheckPorts, 'operatorSecret' | 'buy' | 'onResult'> => ({
  ask: createResolvingAsk(resolve),
  readCertificate: (origin) => {
    const url = new URL(origin);
    return readCertificate(findTarget(url.hostname, resolve) ?? url, url.hostname);
  },
  now: Date.now,
  wait: (ms) => sleep(ms),
});

function findTarget(host: string, resolve: ResolvedHosts): URL | undefined {
  const target = resolve.get(host) ?? resolve.get('*');
  return target === undefined ? undefined : new URL(target);
}

/** Dials where a host answers. The name of the host, and that of its certificate, stay. */
function createResolvingAsk(resolve: ResolvedHosts): CheckPorts['ask'] {
  const dial = buildConnector({ timeout: ANSWER_MS, allowH2: false });
  const dispatcher = new Agent({
    connect: (options, callback) => {
      const target = findTarget(options.hostname, resolve);
      if (target === undefined) return dial(options, callback);
      const { hostname, port, host } = target;
      return dial({ ...options, host, hostname, port, servername: options.servername ?? options.hostname }, callback);
    },
  });
  return (url, init = {}) =>
    undiciFetch(url, {
      ...(init as object),
      redirect: 'manual',
      signal: init.signal ?? AbortSignal.timeout(ANSWER_MS),
      dispatcher,
    }) as unknown as Promise<Response>; // The classes of undici are those of Node.
}

/**
 * The certificate that is shown for a host, also where it is not trusted: nothing is sent to it.
 * @throws what the socket throws where nothing answers
 */
function readCertificate({ hostname, port }: URL, host: string): Promise<CertificateFacts> {
  const options = {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? HTTPS_PORT : Number(port),
    // An address is no server name (RFC 6066, section 3).
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
  };
  return new Promise((settle, refuse) => {
    const socket = connect(options, () => {
      settle(describeCertificate(socket.getPeerCertificate(), host, socket.authorizationError));
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
