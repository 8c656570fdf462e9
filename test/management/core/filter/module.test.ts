import { build, type BuildOptions } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type * as filterModule from '../../../../src/management/core/filter/index.ts';
import settings from '../../../../scripts/build/filter-module.json' with { type: 'json' };
import { exports as packageExports } from '../../../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../../..');

test('the module that the package exports is one file that imports nothing, and parses and matches', async () => {
  const options = { ...settings, absWorkingDir: root, write: false, metafile: true } as BuildOptions & { write: false };
  const { outputFiles, metafile } = await build(options);
  const [output] = Object.values(metafile?.outputs ?? {});
  expect(output?.imports).toEqual([]);
  expect(packageExports['./filter'].default).toBe(`./${settings.outfile}`);

  const code = outputFiles[0]?.text ?? '';
  const { createFilterMatcher: matcherOf, parseFilter } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )) as typeof filterModule;
  const parsed = parseFilter('severity >= WARNING AND jsonPayload.path =~ "^/api/"');
  expect(parsed.ok).toBe(true);
  const isMatch = parsed.ok ? matcherOf(parsed.filter) : () => false;
  expect(isMatch({ severity: 'ERROR', jsonPayload: { path: '/api/audits' } })).toBe(true);
  expect(isMatch({ severity: 'INFO', jsonPayload: { path: '/api/audits' } })).toBe(false);
  expect(parseFilter('severity >')).toMatchObject({ ok: false, at: 10 });
});
