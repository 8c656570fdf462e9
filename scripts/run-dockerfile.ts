/**
 * Builds an image without a builder: every COPY and RUN of a Dockerfile is done in a folder of its own for each stage, with the
 * programs of this machine instead of a base image, and the command of the last stage is started there.
 * `node scripts/run-dockerfile.ts Dockerfile [-- arguments of the command]`. What it does not know is an error, not skipped.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { Copy, DockerfileParser } from '../test/conformance/packages/dockerfile.ts';
import { listSent } from './docker-context.ts';

const STEP_TIMEOUT_MS = 900_000;
/** They say what a container is started with, or whose it is: nothing happens in a build. */
const WITHOUT_EFFECT = new Set(['CMD', 'ENTRYPOINT', 'EXPOSE', 'LABEL', 'STOPSIGNAL', 'USER']);

export type Stage = { name: string; root: string; workdir: string; env: Record<string, string> };
export type Built = {
  /** The folder of the last stage, which is the root of the image. */
  root: string;
  /** Runs the command of the image in it, by the Node that runs this. */
  run: (args?: readonly string[]) => { code: number | null; output: string };
  remove: () => void;
};

export type BuildOptions = {
  onStep?: (step: string) => void;
  /** Installed packages of the same lock file: an `npm ci` links those of them that it would install, and takes no minute. */
  modules?: string;
  /** Steps that are left out. */
  isSkipped?: (step: string) => boolean;
};

/** @throws Error when a step fails, or is of a kind that this does not know */
export function buildWithoutBuilder(
  dockerfile: string,
  context: string,
  { onStep, modules, isSkipped }: BuildOptions = {},
): Built {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-image-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const stages: Stage[] = [];
  const commands = new Map<string, readonly string[]>();
  try {
    for (const instruction of DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()) {
      const keyword = instruction.getKeyword();
      const words = instruction.getArguments().map((argument) => argument.getValue());
      const text = instruction.getArgumentsContent() ?? '';
      const stageName = instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? undefined) : undefined;
      onStep?.(`${keyword} ${stageName === undefined ? '' : `--from=${stageName} `}${text}`);
      if (keyword === 'FROM') stages.push(openStage(words, folder, stages.length));
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${keyword} before FROM`);
      if (keyword === 'CMD' || keyword === 'ENTRYPOINT') commands.set(keyword, readExecForm(text));
      else if (keyword !== 'FROM' && !WITHOUT_EFFECT.has(keyword) && isSkipped?.(text) !== true)
        doStep(keyword, words, text, { stage, stages, context, from: stageName, modules });
    }
    const last = stages.at(-1);
    if (last === undefined) throw new Error('The file has no FROM');
    return { root: last.root, remove, run: (args) => runCommand(last, commands, args) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** `node:24 AS build`. Every stage begins empty: its base image is this machine. */
function openStage(words: readonly string[], folder: string, index: number): Stage {
  const [, as = '', name = String(index)] = words;
  if (words.length > 1 && as.toUpperCase() !== 'AS') throw new Error(`FROM ${words.join(' ')} is not known`);
  const root = join(folder, String(index));
  mkdirSync(root);
  return { name, root, workdir: '/', env: {} };
}

/** `from` is the stage that a COPY names. */
type At = {
  stage: Stage;
  stages: readonly Stage[];
  context: string;
  from: string | undefined;
  modules: string | undefined;
};

function doStep(keyword: string, words: readonly string[], text: string, at: At): void {
  const { stage } = at;
  if (keyword === 'WORKDIR') {
    stage.workdir = posix.resolve(stage.workdir, text);
    mkdirSync(join(stage.root, stage.workdir), { recursive: true });
  } else if (keyword === 'ENV') {
    for (const word of words) {
      const [name = '', ...value] = word.split('=');
      stage.env[name] = value.join('=');
    }
  } else if (keyword === 'COPY') copyInto(words, at);
  else if (keyword === 'RUN') runStep(at.modules === undefined ? text : linkInstead(text, stage, at.modules), stage);
  else throw new Error(`${keyword} is not known: teach scripts/run-dockerfile.ts to do it`);
}

function runStep(command: string, { root, workdir, env }: Stage): void {
  const home = join(root, 'root');
  mkdirSync(home, { recursive: true });
  // A folder of the image is named from where the step runs: absolute paths would be those of this machine.
  const absolute = /(?:^|[\s=:"'])(\/[\w.-]+)/.exec(command)?.[1];
  if (absolute !== undefined) throw new Error(`RUN ${command}: ${absolute} would be a path of this machine`);
  const { status } = spawnSync('sh', ['-c', command], {
    cwd: join(root, workdir),
    // With the settings of this machine's package manager, but a home folder without anything.
    env: { ...process.env, ...nameUserConfig(), HOME: home, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`RUN ${command}: ended with ${status}`);
}

function nameUserConfig(): Record<string, string> {
  const file = join(process.env['HOME'] ?? '/', '.npmrc');
  return existsSync(file) ? { npm_config_userconfig: file } : {};
}

/** Links what an `npm ci` would install. @returns the rest of the step, after the script that an installation runs */
function linkInstead(command: string, { root, workdir }: Stage, modules: string): string {
  const [install, flags = ''] = /^npm ci((?: --[\w=-]{1,40})*)/.exec(command) ?? [];
  if (install === undefined) return command;
  const folder = join(root, workdir);
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean; devOptional?: boolean }>>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]{1,100}\/)?[^/]{1,100})$/.exec(path)?.[1];
    const isLeftOut = flags.includes('--omit=dev') && (dev === true || devOptional === true);
    if (name === undefined || isLeftOut || !existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(modules, name), join(folder, path));
  }
  return `${flags.includes('--ignore-scripts') ? 'true' : 'npm run prepare'}${command.slice(install.length)}`;
}

function copyInto(words: readonly string[], { stage, stages, context, from }: At): void {
  const target = words.at(-1) ?? '.';
  const sources = words.slice(0, -1);
  const source = from === undefined ? context : stages.find(({ name }) => name === from)?.root;
  if (source === undefined) throw new Error(`COPY --from=${from}: no such stage`);
  const into = join(stage.root, posix.resolve(stage.workdir, target));
  for (const path of sources.flatMap((pattern) => findSources(pattern, source))) {
    // Nothing is left out of what an earlier stage has.
    const files = from === undefined ? listSent(source, path) : existsSync(join(source, path)) ? [path] : [];
    if (files.length === 0) throw new Error(`COPY ${path}: there is no such file, or .dockerignore leaves it out`);
    const isFolder = lstatSync(join(source, path)).isDirectory();
    const destination = isFolder || !(target.endsWith('/') || sources.length > 1) ? into : join(into, basename(path));
    for (const file of files) {
      const copy = join(destination, posix.relative(path, file));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(source, file), copy, { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** Paths below the source; `''` is all of it. */
function findSources(pattern: string, source: string): readonly string[] {
  const plain = posix.normalize(pattern.replace(/^\//, '') || '.').replace(/^\.?\/?$|\/$/, '');
  return /[*?[]/.test(plain) ? globSync(plain, { cwd: source }) : [plain];
}

/** `["node", "/opt/sightline/cli.js"]`. @throws SyntaxError for a command as text, which would need a shell of the image */
const readExecForm = (text: string): readonly string[] => JSON.parse(text) as string[];

function runCommand(stage: Stage, commands: ReadonlyMap<string, readonly string[]>, args?: readonly string[]) {
  const words = [...(commands.get('ENTRYPOINT') ?? []), ...(args ?? commands.get('CMD') ?? [])];
  const [program = '', ...rest] = words.map((word) => (word.startsWith('/') ? join(stage.root, word) : word));
  const { status, stdout, stderr } = spawnSync(program === 'node' ? process.execPath : program, rest, {
    cwd: join(stage.root, stage.workdir),
    env: { PATH: process.env['PATH'] ?? '', HOME: stage.root, ...stage.env },
    encoding: 'utf8',
    timeout: STEP_TIMEOUT_MS,
  });
  return { code: status, output: `${stdout}${stderr}` };
}

if (import.meta.main) {
  const [dockerfile = 'Dockerfile', ...rest] = process.argv.slice(2);
  const args = rest[0] === '--' ? rest.slice(1) : undefined;
  const built = buildWithoutBuilder(dockerfile, process.cwd(), { onStep: (step) => console.log(`+ ${step}`) });
  if (args !== undefined) {
    const { code, output } = built.run(args);
    console.log(output);
    process.exitCode = code ?? 1;
  }
  built.remove();
}
