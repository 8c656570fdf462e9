import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { CONFIG_FILE } from '../../../src/cli/config/schema.ts';
import { type Ended, runCli } from './run-cli.ts';

export type SiteFolder = {
  /** The address of the page. */
  readonly site: string;
  readonly folder: string;
  /** Runs a command of the command line in the folder. */
  sightline: (...args: readonly string[]) => Promise<Ended>;
  /** Writes the configuration of the folder. */
  configure: (config: object) => void;
  read: (path: string) => string;
};

/** A site of this one page, for all tests of a file, and a new folder for each. */
export function serveSiteFolder(page: string): SiteFolder {
  let site = '';
  let folder = '';
  const server = createServer(({ url }, answer) => {
    answer.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    answer.end(url === '/' ? page : 'Not found');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-site-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get site() {
      return site;
    },
    get folder() {
      return folder;
    },
    sightline: (...args) => runCli(args, { cwd: folder }),
    configure: (config) => writeFileSync(join(folder, CONFIG_FILE), JSON.stringify(config)),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}
