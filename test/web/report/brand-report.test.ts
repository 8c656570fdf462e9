import { describe, expect, test } from 'vitest';
import { demonstrationWarnings } from '../../../src/models/port.ts';
import { reportPage, reportView } from '../../../src/web/report/page.tsx';
import { readStored } from '../../../src/web/report/stored.ts';
import { textOf } from '../../support/pages/view-page.ts';
import { versusExample, visibilityExample } from '../../support/pages/view-results.ts';

const frame = {
  id: 'ab'.repeat(16),
  baseUrl: 'https://sightline.test',
  storedAtMs: 0,
  expiresAtMs: 1,
  publishing: { published: false, refused: undefined },
} as unknown as Parameters<typeof reportView>[0]; // A brand's report has no panel to publish.

async function render(stored: object): Promise<string> {
  const view = reportView(frame, readStored(JSON.stringify(stored)));
  if (!view) throw new Error('no view of this result');
  return (await reportPage(view)).toString();
}

describe('the report of a brand', () => {
  test('says once, before every figure, that a simulated engine says nothing about real brands', async () => {
    const result = await visibilityExample();
    const engine = { ...result.engine, kind: 'simulated', simulated: true };
    const warnings = [demonstrationWarnings.simulated, 'another warning'];
    const text = textOf(await render({ capability: 'visibility_check', ...result, engine, warnings }));
    expect(text).not.toContain(demonstrationWarnings.simulated);
    expect(text).toContain('another warning');
    expect(text.split('real brands are unknown to it')).toHaveLength(2);
    expect(text.indexOf('real brands are unknown')).toBeLessThan(text.indexOf('Mention rate'));
  });

  test('of a comparison names both brands in its title', async () => {
    const result = await versusExample();
    const html = await render({ capability: 'visibility_vs_competitor', ...result, warnings: [] });
    expect(html).toContain('<title>Example Desk and Sample Support: Visibility of two brands');
  });
});
