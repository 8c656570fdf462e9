import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Sites, startSites } from '../../../local/sites/sites.ts';
import { buildMcpLaunch, CLI_PACKAGE } from '../../../src/lib/release.ts';
import { findNode } from '../../support/runner/node-versions.ts';
import { type InstalledCli, installPackedCli, ROOT } from './packed-cli.ts';

const MIB = 1_048_576;
const MAX_PACKED_BYTES = 2.25 * MIB;
const MAX_UNPACKED_BYTES = 6 * MIB;
/** Texts that show a configuration of MCP clients: what they print is what runs here. */
const TEXTS = ['README.md', 'docs/guides/mcp-clients.md', 'src/cli/PACKAGE.md'];

const launchSchema = z.object({ command: z.string(), args: z.array(z.string()) });
type Launch = z.infer<typeof launchSchema>;
const serversSchema = z.record(z.string(), launchSchema.or(z.looseObject({ url: z.string() }))).default({});
/** Claude Desktop and Cursor say `mcpServers`, VS Code `servers`. */
const configurationSchema = z.object({ mcpServers: serversSchema, servers: serversSchema });
const readManifest = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

let cli: InstalledCli;
let sites: Sites;
beforeAll(async () => {
  cli = installPackedCli();
  sites = await startSites();
});
afterAll(async () => {
  cli?.remove();
  await sites?.stop();
});

test('the package is small, and has no source, test or secret', () => {
  const names = cli.packed.files.map(({ path }) => path.replace(/^chunks\/[\w.-]+\.js$/, 'chunks/*.js'));
  expect([...new Set(names)].toSorted()).toEqual([
    'LICENSE',
    'LICENSES-of-what-is-bundled.txt',
    'README.md',
    'chunks/*.js',
    expect.stringMatching(/^chunks\/html_rewriter_bg-\w+\.wasm$/),
    'cli.js',
    'package.json',
    'report.css',
    'sightline.config.schema.json',
  ]);
  expect(cli.packed.size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  expect(cli.packed.unpackedSize).toBeLessThanOrEqual(MAX_UNPACKED_BYTES);
});

test('its package.json has what a registry shows and what provenance is judged by, and no dependency', () => {
  const root = readManifest(join(ROOT, 'package.json'));
  const manifest = readManifest(join(cli.project, 'node_modules', CLI_PACKAGE, 'package.json'));
  expect(manifest).toMatchObject({
    name: CLI_PACKAGE,
    version: root['version'],
    license: 'MIT',
    bin: { sightline: 'cli.js' },
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:\/\/.+\.git$/) },
    homepage: root['homepage'],
    publishConfig: { access: 'public', provenance: true },
  });
  expect(manifest['keywords']).not.toEqual([]);
  expect(Object.keys(manifest).filter((name) => /[dD]ependencies|scripts/.test(name))).toEqual([]);
});

test('its files import each other and what Node has; playwright-core only where it is installed', () => {
  const folder = join(cli.project, 'node_modules', CLI_PACKAGE);
  const files = ['cli.js', ...readdirSync(join(folder, 'chunks')).map((name) => `chunks/${name}`)];
  const foreign = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => listImports(readFileSync(join(folder, file), 'utf8')))
    .filter((name) => !name.startsWith('.') && !isBuiltin(name));
  expect([...new Set(foreign)]).toEqual(['playwright-core']);
});

test('what every call loads is one file, and the cache of compiled code is on before it', () => {
  const folder = join(cli.project, 'node_modules', CLI_PACKAGE);
  const [entry, main] = ['cli.js', 'chunks/main.js'].map((file) =>
    parseSync(file, readFileSync(join(folder, file), 'utf8')),
  );
  const loaded = [entry, main].flatMap((file) => file?.module.staticImports ?? []);
  expect(loaded.map(({ moduleRequest }) => moduleRequest.value).filter((name) => !isBuiltin(name))).toEqual([]);
  expect(listImports(readFileSync(join(folder, 'cli.js'), 'utf8'))).toContain('./chunks/main.js');
});

function listImports(source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync('bundle.js', source).module;
  const dynamic = dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end));
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamic.filter((text) => /^["'`][^"'`]*["'`]$/.test(text)).map((text) => text.slice(1, -1)),
  ];
}

describe.each([20, 24])('installed from its file into an empty folder, with Node %i', (major) => {
  const node = findNode(major);

  test('it has what ES2024 has', () => {
    const program = `await import(${JSON.stringify(join(ROOT, 'scripts/build/node-20.js'))});
      const { promise, resolve } = Promise.withResolvers();
      resolve([...Map.groupBy([1, 2, 3], (n) => n % 2)]);
      const odd = Object.groupBy(new Set([1, 2, 3]), (n, at) => (at === 1 ? 'even' : 'odd'));
      console.log(JSON.stringify([await promise, odd, URL.parse('b', 'https://a.test/'), URL.parse('b')]));`;
    const printed = execFileSync(node, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    const groups = [
      [1, [1, 3]],
      [0, [2]],
    ];
    expect(JSON.parse(printed)).toEqual([groups, { odd: [1, 3], even: [2] }, 'https://a.test/b', null]);
  });

  test('help is printed', async () => {
    const { code, stdout } = await cli.run(node, ['--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('audit') });
  });

  test('an audit of a site has scores, and its snapshot replays to the same bytes', async () => {
    const snapshot = `snapshot-${major}.json`;
    const audited = await cli.run(node, ['audit', `${sites.poor}/`, '--json', '--snapshot', snapshot]);
    expect(audited).toMatchObject({ code: 0 });
    expect(JSON.parse(audited.stdout)).toMatchObject({
      capability: 'full_audit',
      scores: { aeo: { score: expect.any(Number) } },
    });
    const replayed = await cli.run(node, ['replay', snapshot, '--json']);
    expect(replayed).toMatchObject({ code: 0, stdout: moveWarningsLast(audited.stdout) });
  });

  test('fixes are written, patches of pages among them', async () => {
    const out = `fixes-${major}`;
    const { code, stderr } = await cli.run(node, ['fix', `${sites.poor}/`, '--out', out]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readdirSync(join(cli.project, out))).toContain('FIXES.md');
  });

  test('the configurations of MCP clients that our texts print start a server with tools, from an empty home folder', async () => {
    const launches = TEXTS.map((name) => join(ROOT, name))
      .filter(existsSync)
      .flatMap(listLaunches);
    expect(launches.length).toBeGreaterThan(0);
    for (const { command, args } of [buildMcpLaunch(), buildMcpLaunch(true), ...launches]) {
      const isNpx = command === 'npx';
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        env: cli.envFor(node),
        // npx takes what is installed beside it; without that it would ask the registry, which this machine may not have.
        cwd: isNpx ? cli.project : cli.home,
        stderr: 'ignore',
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('full_audit');
      await client.close();
    }
  });
});

/** In a replay, as in the answer of the service, warnings come last. */
function moveWarningsLast(text: string): string {
  const { warnings, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return `${JSON.stringify({ ...rest, warnings }, null, 2)}\n`;
}

/** Every configuration in the JSON blocks of a text that starts a program. */
function listLaunches(file: string): Launch[] {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) => {
    const parsed = configurationSchema.safeParse(JSON.parse(block));
    if (!parsed.success) return [];
    const { mcpServers, servers } = parsed.data;
    return [...Object.values(mcpServers), ...Object.values(servers)].filter(
      (each): each is Launch => 'command' in each,
    );
  });
}

test('README of the package names every program that it may need and does not bring', () => {
  const text = readFileSync(join(cli.project, 'node_modules', CLI_PACKAGE, 'README.md'), 'utf8');
  for (const needed of ['Chromium', '@sightline/emulator']) expect(text).toContain(needed);
});
