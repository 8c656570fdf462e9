import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoEngines } from '../../../local/demo-engines.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { exampleBodies } from '../../../src/capabilities/bodies.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { examplePanelBody } from '../../../src/capabilities/panel-bodies.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { soldTools } from '../../../src/capabilities/sold-tools.ts';
import { resultSummary } from '../../../src/results/summary-shape.ts';
import { type InstalledClient, installPackedClient } from './packed-client.ts';

/** Of a summary, in bytes. */
const MAX_SUMMARY_BYTES = 8 * 1024;
const LONG_MS = 300_000;

let stack: Stack;
let installed: InstalledClient;

beforeAll(async () => {
  installed = installPackedClient();
  stack = await startStack({ bindings: demoEngines });
});
afterAll(async () => {
  await stack.stop();
  installed.remove();
});

const options = () => ({
  key: stack.file.buyer.privateKey,
  baseUrl: stack.api.url,
  budget: { perCall: 7, perDay: 100 },
});

/** The example of a row, with the demo sites for its addresses. */
function bodyOf(capability: keyof typeof exampleBodies): Record<string, unknown> {
  // Of the poor site there is nothing that a generator could be made from: it is refused, and costs nothing.
  const own = capability.startsWith('generate_') ? stack.sites.good : stack.sites.poor;
  const sites = { url: `${own}/`, competitor: `${stack.sites.good}/` };
  const example = exampleBodies[capability];
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, name in sites ? sites[name as keyof typeof sites] : value]),
  );
}

test(
  'every row of the catalogue, every panel and every tool is bought, each once, and its summary is what the schema says',
  async () => {
    const before = await stack.chain.balance(stack.buyer.address);
    const calls = [
      ...catalog.map(({ name }) => ({ capability: name, body: bodyOf(name) })),
      ...panels.map(({ name }) => ({ capability: name, body: examplePanelBody })),
      ...soldTools.map(({ name }) => ({ capability: name, body: { url: `${stack.sites.good}/` } })),
    ];
    const bought = (await installed.run('buy-each.mjs', { ...options(), calls })) as Record<string, unknown>[];
    const faults = bought.flatMap((one, index) => {
      const name = calls[index]?.capability;
      const { report_id: id, payment, publish_token: token, ...rest } = one;
      const judged = resultSummary.strict().safeParse(one);
      const isWhole = judged.success && one['capability'] === name && typeof id === 'string' && payment !== undefined;
      const isSmall = Buffer.byteLength(JSON.stringify(one)) <= MAX_SUMMARY_BYTES;
      return isWhole && isSmall ? [] : [{ name, rest, error: judged.error?.issues, token }];
    });
    expect(faults).toEqual([]);
    const prices = [...catalog, ...panels, ...soldTools].reduce((sum, { priceMicroUsdc }) => sum + priceMicroUsdc, 0);
    expect(before - (await stack.chain.balance(stack.buyer.address))).toBe(BigInt(prices));
  },
  LONG_MS,
);

test('a bought audit is read by piece: sections, a fix, other views, members', async () => {
  const url = `${stack.sites.poor}/`;
  const read = (await installed.run('read-pieces.mjs', { ...options(), url })) as {
    report: { report_id: string; do_first: { id: string }[]; sections: { name: string; count: number }[] };
    copy: unknown;
    [member: string]: unknown;
  };
  const { report } = read;
  expect(resultSummary.safeParse(report).error).toBeUndefined();
  expect(read.copy).toEqual(report);
  const countOf = (name: string) => report.sections.find((one) => one.name === name)?.count;
  expect(read).toMatchObject({
    checks: countOf('checks'),
    checkIds: countOf('checks'),
    failedStatuses: ['fail'],
    first: { id: report.do_first[0]?.id, title: expect.any(String) },
    noFix: true,
    wrongSection: { code: 'unknown_section', status: 404 },
    again: { report_id: report.report_id, view: 'summary' },
    fullScores: ['aeo', 'geo', 'agent', 'mcp'],
    picked: { report_id: report.report_id, headline: expect.any(String), do_first: expect.any(Array) },
    pickedFix: report.do_first[0]?.id,
    published: { published: true, report_id: report.report_id },
    notOurs: 'not_published_by_you',
  });
  expect(read['fixes']).toHaveLength(countOf('fixes') ?? -1);
  expect(Object.keys(read['picked'] as object).toSorted()).toEqual(['do_first', 'headline', 'report_id']);
  expect(read['progress']).toBeGreaterThan(0);
});
