import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { workerBuild } from '../../../local/worker-build.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What an entry's bundle is made of, and its text. */
async function bundle(entry: string): Promise<{ inputs: readonly string[]; text: string }> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', 'buffer'],
    alias: workerBuild.alias,
    logLevel: 'silent',
  });
  return { inputs: Object.keys(metafile.inputs), text: outputFiles[0]?.text ?? '' };
}

/** What only an emulator says. */
const EMULATOR_WORDS = ['x-emulator-tenant', 'x-emulator-admin', 'EMULATOR_TOKEN', '/v1/calls', 'emulator-import'];

test.each(['src/control-worker.ts', 'src/worker.ts', 'src/webhook-worker.ts'])(
  '%s carries nothing of the emulator: no variable can open it',
  async (entry) => {
    const { inputs, text } = await bundle(entry);
    expect(inputs.filter((file) => file.startsWith('local/'))).toEqual([]);
    for (const word of EMULATOR_WORDS) expect(text).not.toContain(word);
  },
);

test("the emulator's own entry has those words, so the test above looks for the right ones", async () => {
  const { inputs, text } = await bundle('local/emulator-worker.ts');
  expect(inputs).toContain('local/emulator/worker/credentials.ts');
  for (const word of EMULATOR_WORDS) expect(text).toContain(word);
});
