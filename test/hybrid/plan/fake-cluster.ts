import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Run for real: they change nothing but files below the folder. */
const REAL = [
  'sh',
  'jq',
  'awk',
  'grep',
  'cat',
  'touch',
  'cmp',
  'diff',
  'sort',
  'mv',
  'rm',
  'echo',
  'head',
  'envsubst',
  'dirname',
  'date',
  'sed',
  'tail',
  'ls',
  'uname',
  'mktemp',
];
/** Would reach a cluster, a service or much of the disk: they only write down how they were called. */
const STUBS = ['kubectl', 'gcloud', 'curl', 'openssl', 'sightline', 'tar', 'cp', 'mkdir', 'sleep', 'apigeectl'];

/** What a kubectl says of itself and its cluster, unless a test puts something else into these files. */
const IDENTITY: Readonly<Record<string, string>> = { context: 'prod', uid: 'uid-1', minor: '18+' };
const KUBECTL_IDENTITY = `case "$*" in
'config current-context') cat ../context; exit;;
'get namespace kube-system'*) printf %s "$(cat ../uid)"; exit;;
'version --client -o json') printf '{"clientVersion":{"minor":"%s"}}' "$(cat ../minor)"; exit;;
esac`;

const found = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);

/** jq is a tool of the operator, not one of ours: a machine may lack it. */
export const hasJq = found('jq') !== undefined;

export type FakeCluster = {
  folder: string;
  /** Runs a command as an operator would, with what each tool is to do. */
  run: (
    command: string,
    variables?: Readonly<Record<string, string>>,
  ) => { status: number | null; stdout: string; stderr: string };
  /** How the tools were called: one line for each call, and their standard input where there was any. */
  calls: () => string;
  files: () => readonly string[];
  read: (file: string) => string;
  remove: () => void;
};

/** envsubst is of gettext, and may be lacking too. */
export const hasEnvsubst = found('envsubst') !== undefined;

/** A folder with an operator's tools. `tools` are bodies of shell scripts. */
export function fakeCluster(tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const folder = mkdtempSync(join(tmpdir(), 'hybrid-plan-'));
  const bin = join(folder, 'bin');
  const work = join(folder, 'work');
  for (const path of [bin, work]) mkdirSync(path);
  for (const [name, text] of Object.entries(IDENTITY)) writeFileSync(join(folder, name), text);
  for (const name of REAL) {
    const real = found(name);
    if (real !== undefined) symlinkSync(real, join(bin, name));
  }
  for (const name of STUBS) {
    const log = `printf '${name}'  >> ../calls; printf ' <%s>' "$@" >> ../calls; echo >> ../calls`;
    const first = name === 'kubectl' ? `${KUBECTL_IDENTITY}\n${log}` : log;
    writeFileSync(join(bin, name), `#!/bin/sh\n${first}\n${tools[name] ?? 'exit 0'}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    folder: work,
    run: (command, variables = {}) => {
      const { status, stdout, stderr } = spawnSync(join(bin, 'sh'), ['-c', command], {
        cwd: work,
        env: {
          PATH: bin,
          APIGEECTL_HOME: bin,
          CASSANDRA_USER: 'u',
          CASSANDRA_PASSWORD: 'p',
          INGRESS_IP: '203.0.113.1',
          KUBE_CONTEXT: 'prod',
          PROBE_HOST: 'probe.example.com',
          ...variables,
        },
        encoding: 'utf8',
        input: '',
        timeout: 60_000,
      });
      return { status, stdout, stderr };
    },
    calls: () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : ''),
    files: () => readdirSync(work),
    read: (file) => readFileSync(join(work, file), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
