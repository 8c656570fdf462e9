import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import type { FourScores } from '../../../src/capabilities/published/history.ts';
import { renderBadgeSvg } from '../../../src/web/badge/badge.tsx';
import { badgeColours } from '../../../src/web/badge/colours-data.ts';
import { publishedEntry } from '../../support/pages/published.ts';
import { xssStrings } from '../../support/audit/xss-strings.ts';

const { scores } = publishedEntry(5);

type Node = { name: string; attributes: string[] } | { text: string };

/** The document as an XML parser sees it: elements with the names of their attributes, and texts. */
function nodesOf(svg: string): readonly Node[] {
  const nodes: Node[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => nodes.push({ name, attributes: Object.keys(attributes) }),
      ontext: (text) => nodes.push({ text }),
      oncomment: (text) => nodes.push({ name: 'comment', attributes: [text] }),
      onprocessinginstruction: (name) => nodes.push({ name, attributes: [] }),
    },
    { xmlMode: true },
  );
  parser.end(svg);
  return nodes;
}

const elementsOf = (svg: string): string => JSON.stringify(nodesOf(svg).filter((node) => 'name' in node));

/** Scores in which one slot holds a hostile text: what is kept cannot, so the types are told to look away. */
const hostile = (name: ScoreName, slot: 'score' | 'grade', text: string): FourScores => ({
  ...scores,
  [name]: { ...scores[name], [slot]: text as never },
});

describe('the badge', () => {
  test('is one drawing with a name for screen readers, and nothing that could load or run', async () => {
    const svg = await renderBadgeSvg({ scores }, 'light');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"[^>]*>/);
    expect(svg).toContain('<title>AI visibility: AEO 75 of 100, grade B;');
    expect(svg).not.toMatch(/<(?:style|script|image|use|a|foreignObject)\b|\bhref=|\bstyle=|\bon\w+=/);
    for (const text of svg.match(/<text [^>]*>/g) ?? []) expect(text).toMatch(/textLength="\d+"/);
  });

  test('has no cell for a score that does not apply, unless it is asked for by name', async () => {
    const without: FourScores = { ...scores, mcp: { score: 0, grade: 'F', applies: false } };
    const svg = await renderBadgeSvg({ scores: without }, 'light');
    expect(svg).toMatch(/viewBox="0 0 290 24"/);
    expect(svg).not.toContain('MCP');
    const only = await renderBadgeSvg({ scores: without, only: 'mcp' }, 'light');
    expect(only).toContain('MCP n/a');
    expect(only).toContain('MCP does not apply');
    expect(only).not.toMatch(/grade|>MCP 0</);
  });

  test('X6: is well-formed XML: attributes keep their case, and every element is closed', async () => {
    const svg = await renderBadgeSvg({ scores, only: 'aeo' }, 'dark');
    expect(svg).toMatch(/viewBox="0 0 158 24"/);
    expect((svg.match(/<[a-z]/g) ?? []).length).toBe((svg.match(/<\/[a-z]|\/>/g) ?? []).length);
  });

  test('X6: keeps its tree with more than 1,000 hostile texts in every slot', async () => {
    const expected = elementsOf(await renderBadgeSvg({ scores }, 'light'));
    expect(xssStrings.length).toBeGreaterThan(1_000);
    for (const text of xssStrings) {
      for (const name of scoreNames) {
        for (const slot of ['score', 'grade'] as const) {
          const svg = await renderBadgeSvg({ scores: hostile(name, slot, text) }, 'light');
          if (elementsOf(svg) !== expected) expect.fail(`${name} ${slot} ${JSON.stringify(text)}: ${svg}`);
        }
      }
    }
  });

  test('X5: that nothing is published is the same for everybody', async () => {
    expect(await renderBadgeSvg(undefined, 'light')).toBe(await renderBadgeSvg(undefined, 'light'));
    expect(nodesOf(await renderBadgeSvg(undefined, 'light')).filter((node) => 'text' in node)).toEqual([
      { text: 'AI visibility: not published' },
      { text: 'AI visibility' },
      { text: 'not published' },
    ]);
  });
});

const channel = (value: number): number => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a: string, b: string): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
};

test.each(['light', 'dark'] as const)('text of the %s badge has a contrast of 4.5:1 and more', (theme) => {
  const { label, onLabel, on, ...grounds } = badgeColours[theme];
  expect(contrast(label, onLabel)).toBeGreaterThanOrEqual(4.5);
  for (const ground of Object.values(grounds)) expect(contrast(ground, on)).toBeGreaterThanOrEqual(4.5);
});
