import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { formats } from '../../../src/cli/audit/formats.ts';
import { onScreen } from '../../../src/cli/core/terminal.ts';
import { reportHtml } from '../../../src/report/html.ts';
import type { Reportable } from '../../../src/report/reportable.ts';
import { escapeForPage, readStored } from '../../../src/web/report/stored.ts';

const HOSTILE = 'a\u001b[31m\u009b2J\u0085\u202e\u2066 Übung \u{e0041}';
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const CONTROLS = /(?![\t\n\r])\p{Cc}/u;
const report = { url: `https://example.com/?${HOSTILE}`, warnings: [HOSTILE], note: HOSTILE } as unknown as Reportable &
  Record<string, unknown>;

afterEach(() => vi.restoreAllMocks());

describe('B11.4: foreign text', () => {
  test('JSON holds no character that steers a terminal, and the same value', async () => {
    const json = formats.find(({ name }) => name === 'json');
    const text = await json?.render(report, { isTerminal: true, hasColours: false, isVerbose: false });
    if (typeof text !== 'string') throw new Error('JSON is text');
    expect(text.replaceAll('\n', '')).not.toMatch(STEERING);
    expect(JSON.parse(text)).toEqual(report);
  });

  test('any other document shows them as escapes on a terminal, and is left as it is for a file or a pipe', () => {
    expect(onScreen(`${HOSTILE}\n\t`, { isTTY: true })).toBe(
      String.raw`a\u001b[31m\u009b2J\u0085\u202e\u2066 Übung \udb40\udc41` + '\n\t',
    );
    for (const isTTY of [false, undefined]) expect(onScreen(HOSTILE, { isTTY })).toBe(HOSTILE);
  });

  test('a report as HTML writes controls out, in diffs as well, and isolates the direction of text', () => {
    const fix = { id: 'x', title: 't', action: 'edit', file: 'f', effort: 'low', instructions: 'i', gains: {} };
    const more = { facts_needed: [], verify: { command: 'c', expect: 'e' }, diff: HOSTILE };
    const text = reportHtml({ ...report, fixes: [{ ...fix, ...more }] } as unknown as Reportable);
    expect(text).not.toMatch(CONTROLS);
    expect(text).toContain(String.raw`a\u001b[31m\u009b2J`);
    expect(text).toContain('unicode-bidi:isolate');
  });

  test('the page of a stored report is made of text whose controls are written out', () => {
    const stored = escapeForPage(
      readStored(JSON.stringify({ capability: 'full_audit', warnings: [HOSTILE], deep: [{ x: HOSTILE }] })),
    );
    expect(JSON.stringify(stored)).not.toContain(String.raw`"a\u001b`);
    expect(stored.warnings[0]).toContain(String.raw`a\u001b[31m\u009b2J`);
    const css = readFileSync(new URL('../../../src/web/styles/base.css', import.meta.url), 'utf8');
    expect(css).toMatch(/:where\([^)]*\bcode\b[^)]*\bspan\b[^)]*\) \{\s*unicode-bidi: isolate;/);
  });
});
