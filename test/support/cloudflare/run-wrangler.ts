import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CloudflareStandIn } from './stand-in.ts';

export type WranglerEnd = { readonly code: number | null; readonly output: string };

/** Runs the wrangler of this project in `folder` against a stand-in. */
export async function runWrangler(
  { env }: Pick<CloudflareStandIn, 'env'>,
  folder: string,
  args: readonly string[],
  input = '',
): Promise<WranglerEnd> {
  const wrangler = join(dirname(createRequire(import.meta.url).resolve('wrangler/package.json')), 'bin/wrangler.js');
  const home = join(folder, '.home');
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [wrangler, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
