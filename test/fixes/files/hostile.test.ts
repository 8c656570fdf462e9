import { describe, expect, test } from 'vitest';
import { findInstructions } from '../../../src/audit/hidden-text/facts/instruction-patterns.ts';
import { isJsonRecord } from '../../../src/audit/structured-data/facts/json-document.ts';
import { parseLlmsTxt } from '../../../src/audit/llms-txt/facts/llms-txt.ts';
import { agentCardSchema } from '../../../src/fixes/files/agent-card.ts';
import { aiCatalogSchema } from '../../../src/fixes/files/ai-catalog.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import type { DeployableFile } from '../../../src/fixes/files/generated-file.ts';
import { generateLlmsTxt } from '../../../src/fixes/files/llms-txt.ts';
import { generateMcpFiles, mcpJsonSchema } from '../../../src/fixes/files/mcp-json.ts';
import { serverCardSchema } from '../../../src/fixes/files/server-card.ts';
import { generateSkill } from '../../../src/fixes/files/skill.ts';
import { listSlots } from '../../../src/lib/slots.ts';
import { auditedSite, deployed, statuses } from '../../support/audit/audited.ts';
import { filledFiles, tools } from '../../support/audit/fixes.ts';
import { hostileSite } from '../../support/audit/hostile-site.ts';
import { attacks, naughty, UNSEEN } from '../../support/audit/hostile-text.ts';

/** Every attack in every slot, then the naughty strings dealt out over the slots of a few sites. */
const DEALS = 6;
const sites: readonly (readonly [string, (slot: string) => string])[] = [
  ...attacks.map((attack) => [JSON.stringify(attack).slice(0, 60), () => attack] as const),
  ...Array.from({ length: DEALS }, (_, deal): readonly [string, (slot: string) => string] => {
    let next = deal;
    return [
      `naughty strings, deal ${deal + 1}`,
      () => {
        next += DEALS;
        return naughty[next % naughty.length] ?? '';
      },
    ];
  }),
];

/** The slots that the generators leave: what a site says must not look like one of them. */
const OUR_SLOTS = [
  'one sentence that says what the site offers and to whom',
  'one sentence that says what the site offers',
  'what this page answers, in one line',
  'https address of your MCP server, once it answers',
  'https address where the agent answers A2A requests',
  'name of the agent',
  'what the agent does, in one or two sentences',
  'version of the agent',
  'what this skill does, in one line',
  'what this does, in one line',
  'version of the MCP server',
  'what the MCP server does, in one line',
];

const LINE =
  /^(?:|# .+|> .+|## .+|[^-#>\s].*|- (?!\[).+|- \[(?:[^\][\\]|\\.)+\]\(https?:\/\/[A-Za-z0-9._~/?=&%:@,;+-]+\)(?:: .+)?)$/u;

function expectLlmsTxt(whole: string): void {
  expect(whole).not.toMatch(UNSEEN);
  // Code of the owner's file is in fences that nothing in it closes.
  const text = whole.replaceAll(/^(`{3,})[\w-]*\n[^]*?^\1$/gmu, '');
  expect(text.split('\n').filter((line) => !LINE.test(line))).toEqual([]);
  const file = parseLlmsTxt(text, 0);
  expect(file.h1s).toHaveLength(1);
  expect(file.summary.kind).toBe('blockquote');
  expect(file.links).toHaveLength(text.split('\n').filter((line) => line.startsWith('- [')).length);
  for (const { href } of file.links) expect(new URL(href).host).toBe('acme.example');
  // With the escapes, our links, slots and block marks taken away, no character is left that Markdown reacts to.
  const prose = text
    .replaceAll(/\\[!-/:-@[-`{-~]/gu, 'x')
    .replaceAll(/\[FACT NEEDED: [^\]]+\]/gu, '')
    .replaceAll(/\]\(https:\/\/[^)]+\)/gu, '')
    .replaceAll(/^(?:#{1,2} |> |- \[?)/gmu, '')
    .replaceAll(/^MCP server: `https:[^`]+`/gmu, '');
  expect(prose).not.toMatch(/[\\`*_[\]<>#|~&@]|:\/\/|www\./u);
  expectText(text);
}

/** Neither words for a model nor a slot of a stranger, and nothing longer than its bound. */
function expectText(text: string): void {
  expect(findInstructions(text)).toEqual([]);
  expect(listSlots(text).filter((slot) => !OUR_SLOTS.includes(slot))).toEqual([]);
}

const SCHEMAS: Readonly<Record<string, { parse: (value: unknown) => unknown }>> = {
  '.well-known/mcp.json': mcpJsonSchema,
  '.well-known/agent-card.json': agentCardSchema,
  '.well-known/ai-catalog.json': aiCatalogSchema,
  'mcp/server-card': serverCardSchema,
};

function expectJson({ path, content }: DeployableFile): void {
  expect(content).not.toMatch(UNSEEN);
  expect(content).not.toContain('<');
  const value: unknown = JSON.parse(content);
  expect(SCHEMAS[path]?.parse(value)).toEqual(value);
  for (const [key, text] of stringsOf(value, '')) {
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).not.toMatch(UNSEEN);
    expect(text).not.toMatch(/\n/u);
    if (/^(?:url|card|website|websiteUrl|openapi)$/u.test(key) && !text.startsWith('[FACT NEEDED: '))
      expect(text).toMatch(/^https?:\/\/[A-Za-z0-9.:[\]-]+\/[A-Za-z0-9._~/?=&%:@,;+-]*$/u);
    expectText(text);
  }
}

/** Every string of a document with the key it stands under. */
function stringsOf(value: unknown, key: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((item) => stringsOf(item, key));
  return isJsonRecord(value) ? Object.entries(value).flatMap(([name, item]) => stringsOf(item, name)) : [];
}

describe('X3: a site whose every word is hostile', () => {
  test.each(sites)('%s', async (_, say) => {
    const map = hostileSite(say);
    const audited = await auditedSite(map);
    const llms = await generateLlmsTxt(audited);
    const mcp = await generateMcpFiles(audited);
    expect(llms.map(({ path }) => path)).toEqual(['llms.txt']);
    expect(mcp.map(({ path }) => path)).toEqual(Object.keys(SCHEMAS));
    for (const { content } of llms) expectLlmsTxt(content);
    for (const file of mcp) expectJson(file);
    expect(await generateLlmsTxt(audited)).toEqual(llms);
  });

  test('passes our own rules once its generated files replace what it had', async () => {
    const map = hostileSite((slot) => attacks[slot.length % attacks.length] ?? '');
    const audited = await auditedSite(map);
    const files = [...(await generateLlmsTxt(audited)), ...(await generateMcpFiles(audited))];
    const again = await auditedSite(deployed(map, filledFiles(files)));
    const ids = [
      'agent.llms.no-injection',
      'agent.llms.h1-first',
      'agent.llms.same-site',
      'mcp.card.schema',
      'mcp.card.no-secrets',
      'mcp.discovery.ai-catalog-valid',
      'agent.a2a.card',
    ];
    const all = { ...statuses(again, 'agent.'), ...statuses(again, 'mcp.') };
    expect(Object.fromEntries(ids.map((id) => [id, all[id]]))).toEqual(
      Object.fromEntries(ids.map((id) => [id, 'pass'])),
    );
  });

  test('gets a skill in which none of its words stands outside the data of a task', async () => {
    const marked = (slot: string): string => `Zq7${slot.length % 10} ${attacks[slot.length % attacks.length] ?? ''}`;
    const audited = await auditedSite(hostileSite(marked));
    const fixes = await buildFixes(audited, tools);
    const skill = await generateSkill(audited, fixes);
    const documents = skill.filter(({ path }) => path.endsWith('.md'));
    expect(fixes.length).toBeGreaterThan(20);
    expect(skill.filter(({ path }) => path.endsWith('.json')).some(({ content }) => content.includes('Zq7'))).toBe(
      true,
    );
    expect(documents.some(({ content }) => content.includes('```sh\n'))).toBe(true);
    for (const { content } of documents) {
      expect(content).not.toMatch(/Zq7|evil\.example|previous instructions/iu);
      expect(content).not.toMatch(UNSEEN);
      expect(findInstructions(content).filter(({ severity }) => severity === 'hostile')).toEqual([]);
      // Every command is the one that the fix pack gave: none had to be replaced.
      const commands = [...content.matchAll(/^```sh\n([^]*?)\n```$/gmu)].map((match) => match[1]);
      expect(commands.filter((command) => !fixes.some(({ verify }) => verify.command === command))).toEqual([]);
    }
    for (const { content } of skill.filter((file) => file.path.endsWith('.json'))) {
      expect(content).not.toMatch(UNSEEN);
      expect(content).not.toContain('<');
      for (const [, text] of stringsOf(JSON.parse(content), '')) expect(text).not.toMatch(UNSEEN);
    }
  });

  test('ordinary words come through as they are', async () => {
    const audited = await auditedSite(hostileSite((slot) => `Plain ${slot}`));
    const [llms] = await generateLlmsTxt(audited);
    expect(llms?.content).toContain('# Plain llms h1\n\n> Plain llms summary\n\n## Plain llms section\n');
    expect(llms?.content).toContain('[Plain llms name](https://acme.example/prices): Plain llms note\n');
    expect(llms?.content).toContain('[Plain start docs](https://acme.example/docs/a): Plain docs a description\n');
    const card = (await generateMcpFiles(audited)).find(({ path }) => path === '.well-known/agent-card.json');
    expect(JSON.parse(card?.content ?? '')).toMatchObject({
      name: 'Plain agent name',
      skills: [{ name: 'Plain skill name' }],
    });
  });
});
