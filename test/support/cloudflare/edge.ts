import { Response as WorkerResponse, type Request as WorkerRequest } from 'miniflare';
import { readFileSync } from 'node:fs';
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { LOOPBACK } from '../../../local/ports.ts';
import type { Account } from './account.ts';
import { makeCertificate } from './certificates.ts';
import { createRuntime, type Runtime, SCRIPT_HEADER } from './runtime.ts';

/** Gives the origin on this machine that answers for a URL which Workers fetch; undefined where none does. */
export type Outside = (url: URL) => string | undefined;

export type EdgeSettings = {
  readonly account: Account;
  readonly folder: string;
  readonly outside?: Outside | undefined;
  readonly log?: ((level: string, message: string) => void) | undefined;
};

export type EdgeAnswer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
};
export type EdgeRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where clients reach the Workers of an account: one https socket on loopback for all hosts. */
export type Edge = {
  /** The socket: it answers for every host. */
  readonly url: string;
  readonly hosts: () => ReadonlyMap<string, string>;
  readonly authority: string;
  readonly request: (url: string, request?: EdgeRequest) => Promise<EdgeAnswer>;
  readonly cron: Runtime['cron'];
  readonly stop: () => Promise<void>;
};

/** Starts it. Which Worker a host belongs to is read at each request. */
export async function startEdge(settings: EdgeSettings): Promise<Edge> {
  const { account, folder, outside, log } = settings;
  const wildcards = account.zones.flatMap(({ name }) => [name, `*.${name}`]);
  const certificate = makeCertificate(join(folder, 'certificates'), [
    `*.${account.subdomain ?? 'unregistered'}.workers.dev`,
    ...wildcards,
  ]);
  let port = 0;
  const hosts = (): ReadonlyMap<string, string> =>
    new Map([...findHosts(account).keys()].map((host) => [host, `https://${LOOPBACK}:${port}`]));
  const runtime = createRuntime({
    account,
    folder,
    log,
    fetch: async (request) => {
      const url = new URL(request.url);
      const script = findHosts(account).get(url.hostname);
      const origin = script === undefined ? outside?.(url) : `http://${LOOPBACK}:${await runtime.port()}`;
      if (origin === undefined) return new WorkerResponse(`no way to ${url.origin}`, { status: 599 });
      return passOn(request, origin, script);
    },
  });
  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    serveHost(request, response, account, runtime).catch((error: unknown) => {
      log?.('error', String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `https://${LOOPBACK}:${port}`,
    hosts,
    authority: certificate.authority,
    request: (url, request) => requestEdge(new URL(url), request, port, readFileSync(certificate.authority, 'utf8')),
    cron: runtime.cron,
    stop: async () => {
      server.closeAllConnections();
      await Promise.all([new Promise((resolve) => server.close(resolve)), runtime.stop()]);
    },
  };
}

/** Hosts by which Workers are reached -> their names. */
function findHosts(account: Account): ReadonlyMap<string, string> {
  const own = [...account.scripts.values()].filter(
    ({ subdomain, deployments }) => subdomain.enabled && deployments.length > 0,
  );
  return new Map([
    ...own.map(({ name }): [string, string] => [`${name}.${account.subdomain ?? ''}.workers.dev`, name]),
    ...account.domains.map(({ hostname, service }): [string, string] => [hostname, service]),
  ]);
}

async function serveHost(
  request: IncomingMessage,
  response: ServerResponse,
  account: Account,
  runtime: Runtime,
): Promise<void> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const script = findHosts(account).get(host);
  if (script === undefined) {
    // What the platform shows for a name of its own that leads nowhere.
    response.writeHead(404, { 'content-type': 'text/plain' }).end('error code: 1042');
    return;
  }
  const forwarded = requestHttp(
    {
      host: LOOPBACK,
      port: await runtime.port(),
      method: request.method,
      path: request.url,
      headers: { ...request.headers, host, [SCRIPT_HEADER]: script, 'cf-connecting-ip': '192.0.2.1' },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
}

/** Bodies go over whole: what Workers fetch here is small. */
async function passOn(request: WorkerRequest, origin: string, script: string | undefined): Promise<WorkerResponse> {
  const url = new URL(request.url);
  const target = new URL(url.pathname + url.search, origin);
  const headers = new Map(
    [...request.headers].filter(([name]) => !['accept-encoding', 'content-length'].includes(name)),
  );
  if (script !== undefined) headers.set(SCRIPT_HEADER, script);
  const body = Buffer.from(await request.arrayBuffer());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    requestHttp(
      target,
      {
        method: request.method,
        headers: { ...Object.fromEntries(headers), host: url.host, 'content-length': body.length },
      },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });
  const content = await readAll(answer);
  const isEmpty = [101, 204, 205, 304].includes(answer.statusCode ?? 0);
  return new WorkerResponse(isEmpty ? null : content, {
    status: answer.statusCode ?? 502,
    headers: listHeaders(answer),
  });
}

const listHeaders = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  rawHeaders
    .flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : []))
    .filter(
      ([name]) => !['transfer-encoding', 'connection', 'keep-alive', 'content-length'].includes(name.toLowerCase()),
    );

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function requestEdge(url: URL, request: EdgeRequest = {}, port: number, ca: string): Promise<EdgeAnswer> {
  const { method = 'GET', headers = {}, body } = request;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    requestHttps(
      {
        host: LOOPBACK,
        port,
        servername: url.hostname,
        ca,
        method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host },
      },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: (await readAll(answer)).toString() };
}
