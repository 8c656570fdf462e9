import { expect, test } from 'vitest';
import type { Preview } from '../../../src/audit/core/preview.ts';
import { checkTitles, translateResult } from '../../../src/web/language/check-titles.ts';

test('a preview is named by its results, and its first steps by what to do', () => {
  const id = 'aeo.meta.viewport';
  const [holds, task] = checkTitles.de[id] ?? [];
  const preview = {
    checks: [
      { id, open: true, status: 'fail', title: 'Add' },
      { id, open: true, status: 'pass', title: 'Is set' },
      { id, open: false, title: 'Is set' },
      { id: 'a-check-of-old', open: false, title: 'As it was' },
    ],
    first_steps: [{ check_id: id, title: 'Add' }],
  } as unknown as Preview;
  const shown = translateResult(preview, 'de');
  expect(shown.checks.map(({ title }) => title)).toEqual([task, holds, holds, 'As it was']);
  expect(shown.first_steps.map(({ title }) => title)).toEqual([task]);
  expect(translateResult(preview, 'en')).toBe(preview);
});
