import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { runHybridCommand } from '../../../src/cli/hybrid/command.ts';

/** A whole file of version 1.2. */
export const OVERRIDES = `# production
gcpRegion: europe-west1
gcpProjectID: my-project
k8sClusterName: apigee
k8sClusterRegion: europe-west1
org: my-org

virtualhosts:
  - name: default
    hostAliases: ["api.example.com"]
    sslCertPath: ./certs/tls.crt
    sslKeyPath: ./certs/tls.key
    routingRules:
      - env: test

envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./sa/synchronizer.json
      udca: ./sa/udca.json

mart:
  hostAlias: mart.example.com
  serviceAccountPath: ./sa/apigee-mart.json
  sslCertPath: ./certs/tls.crt
  sslKeyPath: ./certs/tls.key

metrics:
  serviceAccountPath: ./sa/apigee-metrics.json
`;

/** The same with one thing that stops a migration, in line 6. */
export const WRONG = OVERRIDES.replace('org: my-org', `org: ${'o'.repeat(33)}`);

export type Ended = { status: number; out: string; err: string };
type Scene = { stdin?: string | Uint8Array; isTerminal?: boolean };

/** Runs `sightline hybrid` in this process. */
export async function hybrid(args: readonly string[], { stdin = '', isTerminal = false }: Scene = {}): Promise<Ended> {
  const ended = { out: '', err: '' };
  const status = await runHybridCommand(args, {
    stdin: chunksOf(stdin),
    out: (text) => void (ended.out += text),
    err: (text) => void (ended.err += text),
    isTerminal,
  });
  return { status, ...ended };
}

async function* chunksOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** A folder of its own for each test. */
export function temporaryFolder(): { at: (name: string) => string; put: Put; read: Read; listing: () => Listing } {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-hybrid-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  return {
    at,
    put: (name, content, mode = 0o644) => {
      writeFileSync(at(name), content, { mode });
      return at(name);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    listing: () => Object.fromEntries(readdirSync(folder).map((name) => [name, entryOf(at(name))])),
  };
}

type Put = (name: string, content: string | Uint8Array, mode?: number) => string;
type Read = (name: string) => string;
/** Of each name: the permissions and what it holds. */
export type Listing = Readonly<Record<string, string>>;

function entryOf(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  const mode = (found.mode & 0o777).toString(8);
  return found.isDirectory() ? `folder ${mode}` : `${mode} ${readFileSync(path).toString('base64')}`;
}
