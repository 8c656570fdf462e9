import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate for some hosts, of an authority made for one test. */
export type TestCertificate = {
  readonly key: string;
  readonly cert: string;
  /** File of the authority's certificate: `NODE_EXTRA_CA_CERTS` of who is to trust it. */
  readonly authority: string;
};

const DAYS = '2';
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes authority and certificate with `openssl`, in `folder`. */
export function makeCertificate(folder: string, hosts: readonly string[]): TestCertificate {
  mkdirSync(folder, { recursive: true });
  const path = (name: string): string => join(folder, name);
  const run = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const authority = ['-CA', path('ca.pem'), '-CAkey', path('ca.key')];
  run(
    'req',
    '-x509',
    ...CURVE,
    '-days',
    DAYS,
    '-subj',
    '/CN=Authority of a test',
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
  );
  run('req', ...CURVE, '-subj', '/CN=workers.dev', '-keyout', path('host.key'), '-out', path('host.csr'));
  writeFileSync(path('hosts.ext'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`);
  run(
    'x509',
    '-req',
    '-in',
    path('host.csr'),
    ...authority,
    '-days',
    DAYS,
    '-extfile',
    path('hosts.ext'),
    '-out',
    path('host.pem'),
  );
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  return { key: read('host.key'), cert: read('host.pem'), authority: path('ca.pem') };
}
