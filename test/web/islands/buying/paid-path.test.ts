import { expect, test } from 'vitest';
import { catalog } from '../../../../src/capabilities/catalog.ts';
import { creditPacks, packPath } from '../../../../src/capabilities/credit-packs.ts';
import { formatPanelPath, panels } from '../../../../src/capabilities/panels.ts';
import { formatPaidPath } from '../../../../src/web/islands/buying/paid-path.ts';

test('a page buys each row, each panel and each pack where the service sells it', () => {
  for (const { name } of catalog) expect(formatPaidPath(name)).toBe(`/api/agent/${name}`);
  for (const panel of panels) expect(formatPaidPath(panel.name)).toBe(formatPanelPath(panel));
  for (const pack of creditPacks) expect(formatPaidPath(pack.name)).toBe(packPath(pack));
});
