import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { clockArgs, listPeerAims } from '../../bench/truth/peers.ts';
import { readLighthouseOutcomes, readLighthouseRecording } from '../../bench/truth/peers/agent-lighthouse.ts';
import { countTool, joinPages, judgeFact, type ToolSaid } from '../../bench/truth/peers/counts.ts';
import { peerRuleTables } from '../../bench/truth/peers/rules.ts';
import { PLANTED_CLOCK_MS, readPlantedSites } from '../../bench/truth/planted.ts';
import { type RunningPlanted, servePlanted } from '../../bench/truth/serve-planted.ts';
import { checks } from '../../src/audit/core/catalogue.ts';

const rules = { same: { A: ['one'] }, doubtful: { B: ['one', 'two'] } };
const said = (verdicts: Record<string, 'fine' | 'half' | 'defect'>[]) =>
  joinPages(verdicts.map((page) => new Map(Object.entries(page))));

describe('facts of a peer', () => {
  it.each([
    ['defect', [{ A: 'fine' }, { A: 'half' }], 'fault'],
    ['defect', [{ A: 'fine', B: 'defect' }], 'fault'],
    ['defect', [{ A: 'fine' }], 'fine'],
    ['good', [{ A: 'defect' }, { A: 'half' }], 'fine'],
    ['good', [{ A: 'defect' }, { A: 'defect' }], 'fault'],
    ['good', [{ B: 'defect' }], 'nothing'],
    ['defect', [{ C: 'defect' }], 'nothing'],
  ] as const)('of a %s with %j: %s', (kind, pages, expected) => {
    expect(judgeFact({ kind, checks: ['one'] }, rules, said([...pages]))).toBe(expected);
  });

  const tool = (name: string, words: readonly ('fault' | 'fine' | 'nothing')[]): ToolSaid => ({
    name,
    version: '1',
    noResult: [],
    facts: words.map((word, index) => ({ id: `${index}`, kind: index < 2 ? 'defect' : 'good', said: word })),
  });

  it('counts a fact that is not judged as not found, and never as wrong', () => {
    const ours = tool('sightline', ['fault', 'fault', 'fault', 'fine']);
    const figures = countTool(tool('peer', ['fault', 'nothing', 'nothing', 'fine']), ours);
    expect(figures).toMatchObject({ facts: 2, found: 1, contradicted: 0, precision: 1, recall: 0.5 });
    expect(figures.same.ours).toEqual({ defects: 1, good: 1, found: 1, contradicted: 0, precision: 1, recall: 1 });
  });

  it('misses the aim when a peer is above in both', () => {
    const ours = tool('sightline', ['fault', 'fine', 'fault', 'fine']);
    const measured = (words: Parameters<typeof tool>[1]): readonly number[] =>
      listPeerAims([countTool(ours, ours), countTool(tool('peer', words), ours)]).map((aim) => aim.measured);
    expect(measured(['fault', 'fault', 'fine', 'fine'])).toEqual([1, 1]);
    expect(measured(['fault', 'nothing', 'nothing', 'fine'])).toEqual([0, 0]);
  });
});

describe('rules of the peers', () => {
  it('name checks that exist, and concern planted facts', () => {
    const known = new Set(checks.map(({ id }) => id));
    const planted = new Set(
      readPlantedSites().flatMap(({ truth }) => [...truth.defects, ...truth.good].flatMap((fact) => fact.checks)),
    );
    for (const { same, doubtful } of peerRuleTables.values()) {
      const ids = [...Object.values(same), ...Object.values(doubtful)].flat();
      expect(ids.filter((id) => !known.has(id))).toEqual([]);
      expect(ids.some((id) => planted.has(id))).toBe(true);
    }
  });

  it('of agent-lighthouse have an outcome in the recording of each site', () => {
    const { sites } = readLighthouseRecording();
    const table = peerRuleTables.get('agent-lighthouse');
    const names = Object.keys({ ...table?.same, ...table?.doubtful });
    for (const { folder } of readPlantedSites()) {
      expect(names.filter((name) => sites[folder]?.[name] === undefined)).toEqual([]);
      expect(readLighthouseOutcomes(sites[folder] ?? {}).size).toBeGreaterThan(100);
    }
  });
});

describe('planted sites on loopback', () => {
  let running: RunningPlanted | undefined;
  afterEach(() => running?.close());

  const serve = async (folder: string): Promise<string> => {
    const site = readPlantedSites().find((one) => one.folder === folder);
    if (!site) throw new Error(`no planted site ${folder}`);
    running = await servePlanted(site);
    return running.origin;
  };

  it('name the running origin in bodies and headers, with escaped slashes too', async () => {
    const origin = await serve('shop');
    const page = await (await fetch(`${origin}/products/frying-pan`)).text();
    expect(page).not.toContain('https://www.cremeandcopper-kitchen.com');
    expect(page).not.toContain(String.raw`https:\/\/www.cremeandcopper-kitchen.com`);
    expect(page).toContain(origin.replaceAll('/', String.raw`\/`));
    const list = await (await fetch(`${origin}/llms.txt`)).text();
    expect(list).toContain(`${origin}/products/saucepan`);
  });

  it('answer by user agent, by Accept and by method, and leave plain http as it was planted', async () => {
    const shop = await serve('shop');
    expect((await fetch(shop, { headers: { 'user-agent': 'PerplexityBot' } })).status).toBe(403);
    await running?.close();
    const docs = await serve('docs');
    const answer = await fetch(docs, { headers: { accept: 'text/markdown' } });
    expect(answer.headers.get('content-type')).toContain('text/markdown');
    expect(answer.headers.get('link')).toContain(`<${docs}/>`);
    expect(await (await fetch(docs, { method: 'HEAD' })).text()).toBe('');
    const card = await (await fetch(`${docs}/mcp/server-card`)).text();
    expect(card).toContain('http://developers.parcelwharf.com/mcp');
  });

  it('redirect a path without its last slash, and no other', async () => {
    const inn = await serve('inn');
    const answer = await fetch(`${inn}/zimmer?a=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `${inn}/zimmer/?a=1`]);
    expect((await fetch(`${inn}/keller`, { redirect: 'manual' })).status).toBe(404);
  });

  it('are audited by peers on the day for which they were written', () => {
    const script = 'console.log(new Date().toISOString(), new Date(0).getTime(), new Date() instanceof Date)';
    const printed = execFileSync(process.execPath, [...clockArgs, '-e', script], { encoding: 'utf8' });
    expect(printed.slice(0, 10)).toBe(new Date(PLANTED_CLOCK_MS).toISOString().slice(0, 10));
    expect(printed.trim().endsWith('0 true')).toBe(true);
  });
});
