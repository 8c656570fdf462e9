import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { type Aim, atMost, round } from '../aims.ts';

export type SdkResults = {
  aims: readonly Aim[];
  ownKiB: number;
  withX402KiB: number;
  /** Of the bundle with x402, before compression, by package. */
  madeOfKiB: Readonly<Record<string, number>>;
  packedKiB: number;
};

const root = new URL('../..', import.meta.url).pathname;
const MAX_OWN_KIB = 12;
const MAX_WITH_X402_KIB = 36;
const MAX_PACKED_KIB = 64;
const BYTES_PER_KIB = 1_024;

/** Sizes of the package `@sightline/client`, as a page loads it. */
export async function measureSdk(log: (line: string) => void): Promise<SdkResults> {
  const own = await bundleClient(['@x402/*']);
  const whole = await bundleClient([]);
  const [ownKiB, withX402KiB] = [own.gzipKiB, whole.gzipKiB];
  const madeOfKiB = listParts(whole.metafile);
  const packedKiB = packClient();
  log(`client: own code ${ownKiB} KiB, with x402 ${withX402KiB} KiB (gzip), packed ${packedKiB} KiB`);
  log(`client with x402 is made of ${JSON.stringify(madeOfKiB)} KiB before compression`);
  return {
    aims: [
      atMost('client for programs, own code, gzip', ownKiB, MAX_OWN_KIB, 'KiB'),
      atMost('client for programs with x402, gzip', withX402KiB, MAX_WITH_X402_KIB, 'KiB'),
      atMost('client for programs, packed', packedKiB, MAX_PACKED_KIB, 'KiB'),
    ],
    ownKiB,
    withX402KiB,
    madeOfKiB,
    packedKiB,
  };
}

async function bundleClient(external: string[]): Promise<{ gzipKiB: number; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['dist/client/index.js'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    external,
  });
  return { gzipKiB: toKib(gzipSync(outputFiles[0]?.contents ?? '').byteLength), metafile };
}

function listParts({ outputs }: Metafile): Record<string, number> {
  const inputs = Object.entries(Object.values(outputs)[0]?.inputs ?? {});
  const bytes = Map.groupBy(inputs, ([file]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'own');
  return Object.fromEntries(
    [...bytes].map(([name, files]) => [
      name,
      toKib(files.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)),
    ]),
  );
}

function packClient(): number {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-sdk-'));
  try {
    const args = ['pack', './dist/client', '--json', '--pack-destination', folder];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as [{ size: number }];
    return toKib(packed.size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toKib = (bytes: number): number => round(bytes / BYTES_PER_KIB);
