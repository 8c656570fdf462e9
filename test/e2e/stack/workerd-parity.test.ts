import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import { judged } from '../../audit/truth/judged.ts';
import { truthSites } from '../../audit/truth/sites/index.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { judgedText } from '../../support/stack/judge-worker.ts';
import { html } from '../../support/audit/site-fetch.ts';
import { startBareWorkerd } from '../../support/stack/bare-workerd.ts';

const ENTRY = fileURLToPath(new URL('../../support/stack/judge-worker.ts', import.meta.url));
/** Pages of real sites, kept beside the repository and not in it. */
const FOLDER = fileURLToPath(new URL('../../../../shared/corpora/html', import.meta.url));
const pages = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.html')) : [];

let workerd: Miniflare;
beforeAll(async () => {
  const bundled = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
  });
  workerd = await startBareWorkerd(bundled.outputFiles[0]?.text ?? '');
});
afterAll(() => workerd.dispose());

async function judgedInWorkerd(snapshot: Snapshot): Promise<string> {
  const answer = await workerd.dispatchFetch('http://judge.test/', { method: 'POST', body: JSON.stringify(snapshot) });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('workerd and Node make the same facts and the same report of a snapshot, to the byte', () => {
  test.each(truthSites.map((site) => [site.name, site] as const))('of the fixture site %s', async (_name, site) => {
    const { snapshot } = await judged(site);
    expect(await judgedInWorkerd(snapshot)).toBe(await judgedText(snapshot));
  });

  test.skipIf(pages.length === 0).each(pages)('of the saved page %s', async (name) => {
    const snapshot = await snapshotOf({ '/': html(readFileSync(`${FOLDER}/${name}`, 'utf8')) });
    expect(await judgedInWorkerd(snapshot)).toBe(await judgedText(snapshot));
  });
});
