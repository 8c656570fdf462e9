import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readLog } from '../../../src/cli/logs/read-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-read-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('says of a file that it cannot be read, and never of a fault of who counts', async () => {
  const file = join(folder, 'access.log');
  writeFileSync(file, 'a line\n');
  const fault = new TypeError('a fault of who counts');
  const refuse = (): never => {
    throw fault;
  };
  await expect(readLog(file, refuse)).rejects.toBe(fault);
  expect(await readLog(join(folder, 'none.log'), refuse)).toEqual({
    ok: false,
    reason: 'unreadable_file',
    detail: 'there is no such file or folder',
  });
});
