import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { findOtherHolder, isLockFile, takeLock } from '../processes/folder-lock.ts';
import { WrongInput } from './wrong-input.ts';

/** The version of folders that this build reads and writes. */
export const FOLDER_VERSION = 1;
const MANIFEST = 'manifest.json';
const DATA = 'data';
const FORMAT = 'sightline-emulator';
const MAX_MANIFEST_BYTES = 8 * 1_048_576;
const MAX_FILE_BYTES = 512 * 1_048_576;
const OWNER_ONLY = 0o600;
/** Names of what this program puts into a folder, and of drafts that a killed one leaves. */
const OWN_FILE = /^manifest\.json(?:\.\d{1,10}\.new)?$/;
const OWN_DATA = /^[0-9a-f]{64}\.jsonl(?:\.\d{1,10}\.new)?$/;
const DRAFT = /\.\d{1,10}\.new$/;

/** What a folder does not hold, as its manifest says it. */
const LEFT_OUT = [
  'credentials: app passwords, tokens, codes, passwords',
  'watch channels',
  'traces',
  'items of AI Search instances (their settings are there)',
  'snapshots, faults, clock and random seed',
];

const fileSchema = z.strictObject({ file: z.string().regex(/^data\/[0-9a-f]{64}\.jsonl$/), bytes: z.int().min(0) });
const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FOLDER_VERSION),
  written: z.iso.datetime(),
  left_out: z.array(z.string()),
  tenants: z.array(
    z.strictObject({
      id: z.string(),
      containers: z.array(z.string()),
      resources: fileSchema,
      entries: fileSchema.extend({ count: z.int().min(0) }),
    }),
  ),
});

/** One tenant as it leaves or enters an emulator. */
export type FolderTenant = {
  id: string;
  containers: readonly string[];
  /** The text of a snapshot. */
  resources: string;
  entries: readonly Record<string, z.core.util.JSONType>[];
};

/**
 * Reads a folder that an emulator wrote.
 * @throws WrongInput for one of another version, one that is incomplete or changed, and one that another emulator holds
 */
export function readEmulatorFolder(folder: string): readonly FolderTenant[] {
  const manifest = readManifest(folder, '--import');
  return manifest.tenants.map(({ id, containers, resources, entries }) => ({
    id,
    containers,
    resources: readDataFile(folder, resources),
    entries: readDataFile(folder, entries)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as FolderTenant['entries'][number]), // Written below, and its hash is right.
  }));
}

function readManifest(folder: string, option: string): z.output<typeof manifestSchema> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new WrongInput(`${option} ${folder}: there is no ${MANIFEST}: no emulator wrote this folder.`);
  let content: unknown;
  try {
    content = statSync(file).size <= MAX_MANIFEST_BYTES ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    content = undefined; // Said below.
  }
  const version = z.looseObject({ format: z.literal(FORMAT), version: z.number() }).safeParse(content);
  if (!version.success) throw new WrongInput(`${option} ${folder}: ${MANIFEST} is broken, or not an emulator's.`);
  if (version.data.version !== FOLDER_VERSION)
    throw new WrongInput(
      `${option} ${folder}: it is of version ${version.data.version}, and this emulator reads ${FOLDER_VERSION}.`,
    );
  const manifest = manifestSchema.safeParse(content);
  if (manifest.success) return manifest.data;
  const { path, message } = manifest.error.issues[0] ?? { path: [], message: '' };
  throw new WrongInput(`${option} ${folder}: ${MANIFEST} is broken: ${path.join('.')}: ${message}`);
}

function readDataFile(folder: string, { file, bytes }: z.output<typeof fileSchema>): string {
  const path = join(folder, file);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size !== bytes || bytes > MAX_FILE_BYTES)
    throw new WrongInput(`--import ${folder}: ${file} is ${size === undefined ? 'missing' : 'cut off or too long'}.`);
  const content = readFileSync(path);
  if (`${DATA}/${computeHash(content)}.jsonl` !== file)
    throw new WrongInput(`--import ${folder}: ${file} was changed: its content is not that of its name.`);
  return content.toString('utf8');
}

/** An emulator that runs: which tenants it has, and one of them. */
type TenantSource = {
  tenants: () => Promise<readonly string[]>;
  exportTenant: (id: string) => Promise<FolderTenant>;
};

/** A tenant that could not be read, and why. */
type Unread = { id: string; reason: string };

/**
 * Exports every tenant that can be read. Of the others the folder keeps what it had.
 * @returns how many it wrote, and those that it did not
 */
export async function writeTenants(
  folder: string,
  emulator: TenantSource,
): Promise<{ written: number; unread: readonly Unread[] }> {
  const tenants: FolderTenant[] = [];
  const unread: Unread[] = [];
  for (const id of await emulator.tenants()) {
    try {
      tenants.push(await emulator.exportTenant(id));
    } catch (error) {
      unread.push({ id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  writeEmulatorFolder(
    folder,
    tenants,
    unread.map(({ id }) => id),
  );
  return { written: tenants.length, unread };
}

/**
 * Writes tenants into a folder. A reader finds, meanwhile and after a crash, what was there before or all of the new:
 * data files are named by their content, and the manifest is replaced in one step.
 * @param kept tenants that stay as the folder has them
 */
export function writeEmulatorFolder(
  folder: string,
  tenants: readonly FolderTenant[],
  kept: readonly string[] = [],
): void {
  const before = existsSync(join(folder, MANIFEST)) ? readManifest(folder, '--export-on-exit').tenants : [];
  mkdirSync(join(folder, DATA), { recursive: true, mode: 0o700 });
  const written = [
    ...tenants.map(({ id, containers, resources, entries }) => ({
      id,
      containers: [...containers],
      resources: writeDataFile(folder, resources),
      entries: {
        ...writeDataFile(folder, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
        count: entries.length,
      },
    })),
    ...before.filter(({ id }) => kept.includes(id)),
  ];
  const manifest = {
    format: FORMAT,
    version: FOLDER_VERSION,
    written: new Date().toISOString(),
    left_out: LEFT_OUT,
    tenants: written,
  } satisfies z.output<typeof manifestSchema>;
  replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  const wanted = new Set(written.flatMap(({ resources, entries }) => [resources.file, entries.file]));
  for (const name of listFiles(join(folder, DATA)))
    if (OWN_DATA.test(name) && !wanted.has(`${DATA}/${name}`)) rmSync(join(folder, DATA, name), { force: true });
  for (const name of listFiles(folder))
    if (OWN_FILE.test(name) && DRAFT.test(name)) rmSync(join(folder, name), { force: true });
}

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

function writeDataFile(folder: string, content: string): z.output<typeof fileSchema> {
  const bytes = Buffer.from(content, 'utf8');
  const file = `${DATA}/${computeHash(bytes)}.jsonl`;
  replaceFile(join(folder, file), bytes);
  return { file, bytes: bytes.byteLength };
}

/** A draft beside it that is on the disk before it takes the name. */
function replaceFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}.new`;
  const handle = openSync(draft, 'w', OWNER_ONLY);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, path);
}

const computeHash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/**
 * Holds a folder for this emulator until the returned function is called.
 * @throws WrongInput where another emulator that runs holds it, or it has anything that this version did not write
 */
export function takeFolder(folder: string, option: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stranger = findStranger(folder);
  if (stranger !== undefined)
    throw new WrongInput(`${option} ${folder}: there are other files in it (${stranger}): name an empty folder.`);
  if (existsSync(join(folder, MANIFEST))) readManifest(folder, option);
  const taken = takeLock(folder);
  if ('release' in taken) return taken.release;
  throw new WrongInput(`${option} ${folder}: another emulator (process ${taken.holder}) holds this folder.`);
}

/** @throws WrongInput where an emulator that runs will write the folder */
export function refuseHeldFolder(folder: string): void {
  const holder = findOtherHolder(folder);
  if (holder !== undefined)
    throw new WrongInput(`--import ${folder}: another emulator (process ${holder}) holds this folder.`);
}

/** The first thing in a folder that no emulator put there. */
function findStranger(folder: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name !== DATA || !entry.isDirectory()) {
      const isOwn = OWN_FILE.test(entry.name) || isLockFile(entry.name);
      if (!entry.isFile() || !isOwn) return entry.name;
      continue;
    }
    const inside = readdirSync(join(folder, DATA), { withFileTypes: true });
    const other = inside.find((one) => !one.isFile() || !OWN_DATA.test(one.name));
    if (other !== undefined) return `${DATA}/${other.name}`;
  }
  return undefined;
}
