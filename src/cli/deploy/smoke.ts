import { connect } from 'node:tls';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { CertificateFacts, CheckPorts, CheckReport, WorkerAddresses } from '../../deploy/checks/check.ts';
import { runSmokeTest } from '../../deploy/checks/run.ts';

/** A new address takes some time until it answers everywhere: so often it is asked, and so long apart. */
const MAX_LOOKS = 24;
const LOOK_EVERY_MS = 5_000;
const ANSWER_MS = 30_000;

export type SmokeOrder = {
  addresses: WorkerAddresses;
  operatorSecret: string | undefined;
  payTo: string | undefined;
  network: string | undefined;
  version: string;
  /** Whether a new address may still be unknown to the network. */
  isNew: boolean;
};

/** Asks a deployment from outside, as its users do. @param resolve where names answer that are a stand-in's */
export async function checkDeployment(
  { addresses, operatorSecret, payTo, network, version, isNew }: SmokeOrder,
  resolve: ReadonlyMap<string, string>,
): Promise<CheckReport> {
  const ports = createCheckPorts(resolve);
  if (isNew) await awaitAddresses(addresses, ports);
  return runSmokeTest({ addresses, expected: { network, payTo, version } }, { ...ports, operatorSecret });
}

async function awaitAddresses(addresses: WorkerAddresses, { fetch, wait }: CheckPorts): Promise<void> {
  const origins = Object.values(addresses).flatMap((origin) => origin ?? []);
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const answers = await Promise.all(
      origins.map(async (origin) => {
        try {
          return (await fetch(`${origin}/health`)).status;
        } catch {
          return 0; // No answer yet.
        }
      }),
    );
    if (answers.every((status) => status === 200)) return;
    await wait(LOOK_EVERY_MS);
  }
}

const createCheckPorts = (resolve: ReadonlyMap<string, string>): CheckPorts => ({
  fetch: createResolvingFetch(resolve),
  readCertificate: (origin) => {
    const url = new URL(origin);
    return readCertificate(findTarget(url.hostname, resolve) ?? url, url.hostname);
  },
  now: Date.now,
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
});

/** The address that a stand-in answers at for a host; `*` is every host. */
function findTarget(host: string, resolve: ReadonlyMap<string, string>): URL | undefined {
  const target = resolve.get(host) ?? resolve.get('*');
  return target === undefined ? undefined : new URL(target);
}

/** Dials where a host answers. Name of the host and of its certificate stay. */
function createResolvingFetch(resolve: ReadonlyMap<string, string>): CheckPorts['fetch'] {
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

function readCertificate(url: URL, host: string): Promise<CertificateFacts> {
  return new Promise((done, fail) => {
    const options = { host: url.hostname, port: Number(url.port || 443), servername: host, rejectUnauthorized: false };
    const socket = connect(options, () => {
      const certificate = socket.getPeerCertificate();
      const error = socket.authorizationError;
      done({
        validFromMs: Date.parse(certificate.valid_from),
        validToMs: Date.parse(certificate.valid_to),
        matchesHost: !String(error ?? '').includes('ERR_TLS_CERT_ALTNAME_INVALID'),
        untrusted: error === undefined || error === null ? undefined : String(error),
        issuer: String(certificate.issuer.O ?? certificate.issuer.CN ?? ''),
      });
      socket.end();
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', fail);
  });
}
