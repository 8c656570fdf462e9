import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServerFile } from '../../../src/fixes/core/server-files.ts';

/** A server of the real thing: nginx and Apache as Debian packages them. */
export type ServerName = 'nginx' | 'apache';

const PROGRAMS: Readonly<Record<ServerName, { path: string; install: string }>> = {
  nginx: { path: '/usr/sbin/nginx', install: 'apt-get install -y nginx' },
  apache: { path: '/usr/sbin/apache2', install: 'apt-get install -y apache2' },
};

/** @throws with the sentence that says what to install */
export function requireServer(name: ServerName, exists: (path: string) => boolean = existsSync): string {
  const { path, install } = PROGRAMS[name];
  if (!exists(path)) throw new Error(`${name} is not installed: run "${install}" as root, then the tests again.`);
  return path;
}

/** The configuration around what is tested: what is in `http` or beside the virtual host, and what is in the site. */
export type Around = { outside?: string; inside?: string; withoutBrotli?: true };

export type ConfiguredServer = { folder: string; site: string; test: () => Promise<string>; remove: () => void };

const writeUnder = (folder: string, path: string, content: string): void => {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
};

const findText = (files: readonly ServerFile[], path: string): string =>
  files.find((file) => file.path === path)?.content ?? '';

/** The whole configuration of nginx for one site on a port of loopback. Of plain http only the syntax is of interest. */
function formatNginxMain(folder: string, port: number, files: readonly ServerFile[], around: Around): string {
  const http = findText(files, 'nginx/http.conf').replaceAll(/listen (?:\[::\]:)?80;/g, 'listen unix:plain.sock;');
  return `daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
user root;
worker_processes 1;
events { worker_connections 64; }
http {
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    access_log off;
    client_body_temp_path ${folder}/tmp/body;
    proxy_temp_path ${folder}/tmp/proxy;
    fastcgi_temp_path ${folder}/tmp/fastcgi;
    uwsgi_temp_path ${folder}/tmp/uwsgi;
    scgi_temp_path ${folder}/tmp/scgi;
${dropRepeated(http)}
${around.outside ?? ''}
    server {
        listen 127.0.0.1:${port};
        root ${folder}/site;
        index index.html;
${findText(files, 'nginx/server.conf')}
${around.inside ?? ''}
    }
}
`;
}

/** Both addresses of plain http are one socket here. */
const dropRepeated = (text: string): string =>
  text.replace(/(listen unix:plain\.sock;)\s+listen unix:plain\.sock;/, '$1');

const APACHE_MODULES =
  'mpm_event authz_core authz_host dir mime headers rewrite setenvif filter deflate brotli alias env cache cache_disk'.split(
    ' ',
  );

function formatApacheMain(folder: string, port: number, files: readonly ServerFile[], around: Around): string {
  const modules = APACHE_MODULES.filter((name) => around.withoutBrotli === undefined || name !== 'brotli');
  return `ServerRoot ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
ServerName localhost
Mutex file:${folder}/tmp default
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
DirectoryIndex index.html
${findText(files, 'apache/outside.conf')}
${around.outside ?? ''}
<VirtualHost 127.0.0.1:${port}>
DocumentRoot ${folder}/site
<Directory ${folder}/site>
    Require all granted
</Directory>
${around.inside ?? ''}
${findText(files, 'apache/vhost.conf')}
</VirtualHost>
`;
}

/** Writes a site and its configuration into a folder of its own. */
export function configureServer(
  name: ServerName,
  site: Readonly<Record<string, string>>,
  files: readonly ServerFile[],
  { port = 1, ...around }: Around & { port?: number } = {},
): ConfiguredServer {
  const program = requireServer(name);
  const folder = mkdtempSync(join(tmpdir(), `sightline-${name}-`));
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  mkdirSync(join(folder, 'site'), { recursive: true });
  for (const [path, content] of Object.entries(site)) writeUnder(join(folder, 'site'), path, content);
  const main = name === 'nginx' ? formatNginxMain : formatApacheMain;
  writeUnder(folder, 'main.conf', main(folder, port, files, around));
  return {
    folder,
    site: join(folder, 'site'),
    test: () => judgeSyntax(program, listArguments(name, folder, '-t')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const listArguments = (name: ServerName, folder: string, more: string): readonly string[] =>
  name === 'nginx'
    ? ['-p', folder, '-c', join(folder, 'main.conf'), ...(more === '-t' ? ['-t', '-q'] : [])]
    : ['-f', join(folder, 'main.conf'), ...(more === '-t' ? ['-t'] : ['-DFOREGROUND'])];

/** What the program says of its configuration: '' when it takes it. */
const judgeSyntax = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, [...args], (error, out, err) => resolve(error ? `${out}${err}` : ''));
  });

export type RunningServer = { url: string; stop: () => Promise<void> };

const START_TRIES = 100;
const START_WAIT_MS = 50;

/** Starts the real server on a free port of loopback, with the site and the configuration. */
export async function startRealServer(
  name: ServerName,
  site: Readonly<Record<string, string>>,
  files: readonly ServerFile[],
  around: Around = {},
): Promise<RunningServer> {
  const port = await findFreePort();
  const configured = configureServer(name, site, files, { ...around, port });
  const child = spawn(requireServer(name), [...listArguments(name, configured.folder, '')], { stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < START_TRIES; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
    const answers = await fetch(`${url}/robots.txt`).then(
      () => true,
      () => false,
    );
    if (answers) return { url, stop: () => stopServer(child, configured) };
    await new Promise((done) => setTimeout(done, START_WAIT_MS));
  }
  await stopServer(child, configured);
  throw new Error(`${name} did not answer: ${said}`);
}

async function stopServer(child: ChildProcess, configured: ConfiguredServer): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await ended;
  }
  configured.remove();
}

const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
