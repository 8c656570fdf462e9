import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** When a certificate is good, and for which host. Times as `openssl ca` takes them: `20250101000000Z`. */
export type CertificateOrder = { from: string; to: string; host: string };

const CONFIGURATION = `[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = ext
[any]
commonName = supplied
[ext]
subjectAltName = DNS:HOST
`;

/** A certificate that signed itself, made with `openssl` in an empty folder. */
function makeDatedCertificate(folder: string, { from, to, host }: CertificateOrder): { key: string; cert: string } {
  mkdirSync(folder, { recursive: true });
  const run = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  writeFileSync(join(folder, 'ca.cnf'), CONFIGURATION.replace('HOST', host));
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(join(folder, 'serial'), '01\n');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  run('req', '-new', ...key, '-subj', `/CN=${host}`, '-out', 'host.csr');
  const dates = ['-startdate', from, '-enddate', to];
  run(
    'ca',
    '-batch',
    '-config',
    'ca.cnf',
    '-selfsign',
    '-keyfile',
    'key.pem',
    ...dates,
    '-in',
    'host.csr',
    '-out',
    'host.pem',
  );
  return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'host.pem'), 'utf8') };
}

/** Serves `ok` by https on loopback with such a certificate. */
export async function startDatedServer(
  folder: string,
  order: CertificateOrder,
): Promise<{ server: Server; url: string }> {
  const server = createServer(makeDatedCertificate(folder, order), (_request, response) => response.end('ok'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
