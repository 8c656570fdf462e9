import { expect, test } from 'vitest';
import { renderTable } from '../../../local/emulator/worker/page-view.ts';

const render = async (count: number | undefined, rows: readonly string[][] | undefined): Promise<string> =>
  String(await renderTable({ title: 'Users', columns: ['id'], count, rows }));

test('a table that could not be read says so, and none that there is nothing', async () => {
  expect(await render(0, [])).toContain('None.');
  expect(await render(1, [['u1']])).toContain('<td>u1</td>');
  const unread = await render(undefined, undefined);
  expect(unread).toContain('could not be read');
  expect(unread).not.toMatch(/None|<small>/);
});

test('of a table that was not counted to its end, its rows are the least', async () => {
  expect(await render(undefined, [['u1'], ['u2']])).toContain('<small>2 or more</small>');
});
