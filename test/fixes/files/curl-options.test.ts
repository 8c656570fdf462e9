import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VerificationRequest, ASKS, askLine } from '../../../src/fixes/files/curl-options.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { generateSkill, sanitiseCommand } from '../../../src/fixes/files/skill.ts';
import { auditedSite } from '../../support/audit/audited.ts';
import { auditedOf, fixFor, tools } from '../../support/audit/fixes.ts';
import { hostileSite } from '../../support/audit/hostile-site.ts';
import { attacks } from '../../support/audit/hostile-text.ts';
import { html, SITE, type SiteMap } from '../../support/audit/site-fetch.ts';
import { mcpCareless } from '../../audit/truth/sites/mcp/mcp-careless.ts';
import { goodPage, goodSite } from '../../sites/good.ts';
import { sampleRows } from '../../support/runner/budget.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-commands-'));
const argv = join(folder, 'argv');
beforeAll(() => {
  for (const tool of ['rm', 'touch', 'id']) {
    writeFileSync(join(folder, tool), `#!/bin/sh\n${recorded(tool)}\n`);
    chmodSync(join(folder, tool), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Shell words that write a call down: the tool and its arguments, each ended by NUL, and a line end after all. */
function recorded(tool: string): string {
  return `printf '%s\\0' "${tool}" "$@" >> '${argv}'; printf '\\n\\0' >> '${argv}'`;
}

/** Runs the commands one after the other with stand-ins for the tools. @returns the arguments that each tool got. */
function calledBy(commands: readonly string[]): readonly (readonly string[])[] {
  writeFileSync(argv, '');
  execFileSync('/bin/sh', ['-c', `curl() { ${recorded('curl')}; }\n${commands.join('\n')}`], {
    env: { PATH: folder, HOME: folder },
    cwd: folder,
  });
  const calls = readFileSync(argv, 'utf8').split('\n\0').slice(0, -1);
  return calls.map((call) => call.split('\0').slice(0, -1));
}

/** Everything that one of our commands may say beside the address: each a whole argument. */
const FIXED: ReadonlySet<string> = new Set(
  Object.values<string>(ASKS).flatMap((words) =>
    [...words.matchAll(/'([^']*)'|[^\s']+/gu)].map(([all, quoted]) => quoted ?? all),
  ),
);
const AGENT = /^Mozilla\/5\.0 [A-Za-z0-9 ()/.;:+@_,-]+$/u;

function expectPlain(commands: readonly string[]): void {
  const calls = calledBy(commands);
  expect(calls).toHaveLength(commands.length);
  for (const [tool, ...words] of calls) {
    expect(tool).toBe('curl');
    expect(words.at(-1)).toMatch(/^https?:\/\/acme\.example\/[A-Za-z0-9._~/%-]*$/u);
    const others = words.slice(0, -1).filter((word) => !FIXED.has(word) && word !== '-sSiL' && word !== '-A');
    expect(others.filter((word) => !AGENT.test(word))).toEqual([]);
  }
}

const paths = [
  "/a'b;touch x",
  '/$(touch x)',
  '/`touch x`',
  '/a b\n c',
  '/"$HOME"',
  '/a\\b',
  '/%27;x',
  "/'||id||'",
  '/-o/x',
  '/é日本',
];

describe('X1: commands of a hostile site reach curl as fixed words and one plain address', () => {
  test.each(paths)('for the audited address %j, in every way that we ask', (path) => {
    const start = new URL(path, SITE);
    const commands = (Object.keys(ASKS) as VerificationRequest[]).map((ask) => askLine(start, start.href, { ask }));
    expectPlain(commands);
    expect(commands.map((command) => sanitiseCommand(command, start))).toEqual(commands);
  });

  test.each(paths)('verify and SKILL.md, for the audited address %j', async (path) => {
    const url = new URL(path, SITE).href;
    const audited = await auditedSite({ [url]: html('<title>x</title><h1>x</h1>') }, { url });
    const fixes = await buildFixes(audited, tools);
    expect(fixes.length).toBeGreaterThan(20);
    expectPlain(fixes.map(({ verify }) => verify.command));
    expectPlain(commandsIn(await generateSkill(audited, fixes)));
  });

  test.each(sampleRows(attacks, 4).map((attack) => [JSON.stringify(attack).slice(0, 60), attack] as const))(
    'verify and SKILL.md, with %s in every name',
    async (_name, attack) => {
      const audited = await auditedSite(hostileSite(() => attack));
      const fixes = await buildFixes(audited, tools);
      expectPlain(fixes.map(({ verify }) => verify.command));
      expectPlain(commandsIn(await generateSkill(audited, fixes)));
    },
  );
});

/** What stands in the fences of SKILL.md and its references. */
function commandsIn(files: Awaited<ReturnType<typeof generateSkill>>): readonly string[] {
  const documents = files.filter(({ path }) => path.endsWith('.md'));
  const commands = documents.flatMap(({ content }) =>
    [...content.matchAll(/^```sh\n([^]*?)\n```$/gmu)].map((match) => match[1] ?? ''),
  );
  expect(commands.length).toBeGreaterThan(0);
  return commands;
}

describe('a command to verify by', () => {
  const bare: SiteMap = { '/': html('<title>x</title><h1>x</h1><a href="/api/">API</a>') };

  test.each([
    ['agent.md.negotiation', /-H 'Accept: text\/markdown' 'https:\/\/acme\.example\/'$/],
    ['mcp.discovery.any', /^curl -sSiL 'https:\/\/acme\.example\/\.well-known\/ai-catalog\.json'$/],
  ])('asks for %s in the way that shows it', async (id, pattern) => {
    expect((await fixFor(id, await auditedOf(bare))).verify.command).toMatch(pattern);
  });

  test('of an MCP server sends a message to the endpoint that the audit saw', async () => {
    const audited = await auditedOf(mcpCareless.map);
    const commands = (await buildFixes(audited, tools))
      .filter(({ file }) => file === 'mcp-server.md')
      .map(({ verify }) => verify.command);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((command) => !command.endsWith(` '${SITE}/mcp'`))).toEqual([]);
    expect(commands.filter((command) => command.includes('-X POST')).length).toBeGreaterThan(3);
  });
});

describe('a fix of a page that is not the start page', () => {
  const deep: SiteMap = {
    '/guides/racks': html(goodPage('/guides/racks').replace('</main>', '<img src="/x.png"></main>')),
  };

  test('says that the file at the root is another', async () => {
    const fix = await fixFor('aeo.media.alt', await auditedOf({ ...goodSite, ...deep }, { path: '/guides/racks' }));
    expect(fix).toMatchObject({ file: 'index.html', action: 'insert' });
    expect(fix.instructions).toContain('not the start page');
  });

  test('asks for its Markdown copy beside it', async () => {
    const fix = await fixFor('agent.md.suffix', await auditedOf({ ...goodSite, ...deep }, { path: '/guides/racks' }));
    expect(fix.verify.command).toBe(`curl -sSiL '${SITE}/guides/racks.md'`);
  });

  test('and one of the start page says nothing of the kind', async () => {
    const fixes = await buildFixes(await auditedOf(bareStart), tools);
    expect(fixes.filter(({ instructions }) => instructions.includes('not the start page'))).toEqual([]);
  });
  const bareStart: SiteMap = { '/': html('<title>x</title><h1>x</h1>') };
});

test('a template or a diff is no whole file: the page is never replaced by it', async () => {
  const fixes = await buildFixes(await auditedOf({ '/': html('<title>x</title><h1>x</h1><img src="x.png">') }), tools);
  expect(fixes.filter(({ file, action }) => file === 'index.html' && action === 'replace')).toEqual([]);
  expect(fixes.filter(({ action, content }) => action === 'replace' && content === undefined)).toEqual([]);
});

describe('what the site does not say is not made up', () => {
  const opened =
    '<p>The waiting room of our workshop is open on all Saturdays of the year since <time datetime="2019-03-04">4 March 2019</time>.</p>';

  test.each([
    ['a day within a sentence is no date of the page', opened, /"datePublished": "\[FACT NEEDED/],
    ['a day in a byline is', '<p>Updated <time datetime="2026-10-02">2 October 2026</time></p>', /"2026-10-02"/],
  ])('%s', async (_name, body, pattern) => {
    const { content = '' } = await fixFor('geo.schema.article', await auditedOf(article(body)));
    expect(content).toMatch(pattern);
  });

  test('a title is not made of a greeting', async () => {
    const long =
      'Cheap car repair, cheap tyres, cheap brakes, cheap exhausts and cheap gearboxes in Larne and the county';
    const map: SiteMap = { '/': html(`<title>${long}</title><h1>Welcome</h1><p>Cheap car repair.</p>`) };
    expect((await fixFor('aeo.meta.title', await auditedOf(map))).diff).toMatch(/^\+.*<title>Cheap car repair/mu);
  });

  const article = (body: string): SiteMap => ({
    '/': html(
      `<title>x</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Racks"}</script><h1>Racks</h1>${body}`,
    ),
  });
});
