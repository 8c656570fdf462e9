import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Ended } from '../../support/runner/run-cli.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const MAX_OUTPUT_BYTES = 20_000_000;

test('sightline watch starts, keeps a history, and exits with 1 when a line of robots.txt changed', async () => {
  let robots = 'User-agent: *\nAllow: /\n';
  const server = createServer(({ url }, answer) => {
    const type = url === '/robots.txt' ? 'text/plain' : 'text/html';
    answer.writeHead(url === '/robots.txt' || url === '/' ? 200 : 404, { 'content-type': type });
    answer.end(url === '/robots.txt' ? robots : '<!doctype html><title>The Oak</title><h1>The Oak</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'sightline-watch-'));
  const watch = (): Promise<Ended> =>
    new Promise((resolve) => {
      const args = [CLI, 'watch', '--quiet', '--format', 'md', '--history', 'kept'];
      execFile(process.execPath, args, { cwd: folder, env: {}, maxBuffer: MAX_OUTPUT_BYTES }, (error, out, err) =>
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  try {
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, 'sightline.config.json'), JSON.stringify({ urls: [`http://127.0.0.1:${port}/`] }));
    expect(await watch()).toMatchObject({ status: 0, err: '' });
    expect(existsSync(join(folder, 'kept'))).toBe(true);
    robots += '\nUser-agent: OAI-SearchBot\nDisallow: /\n';
    const changed = await watch();
    expect([changed.status, changed.out]).toEqual([
      1,
      expect.stringMatching(/aeo\.robots\.ai-search-bots[^]*robots\.txt:5/),
    ]);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
