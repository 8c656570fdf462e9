import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { auditSite } from '../../../../src/audit/core/report.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import { SITE, type SiteMap, html, siteFetch } from '../../../support/audit/site-fetch.ts';

const folder = join(import.meta.dirname, '../../../../../shared/corpora/html');
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.html')) : [];

describe.skipIf(files.length === 0)(
  'real pages (skipped: the folder of saved pages is not beside the repository)',
  () => {
    test.each(files)('%s is audited twice to the same bytes', async (file) => {
      const map: SiteMap = { '/': html(readFileSync(join(folder, file), 'utf8')) };
      const audit = async (): Promise<string> => {
        const report = await auditSite(`${SITE}/`, { fetch: siteFetch(map), clockMs: CLOCK_MS });
        if (!report.ok) throw new Error(report.detail);
        return JSON.stringify(report, (key, value: unknown) => (key === 'ms' ? undefined : value));
      };
      expect(await audit()).toBe(await audit());
    });

    test('nearly all are read as pages with text, a title and links', () => {
      const pages = files.map((file) =>
        parsePage(readFileSync(join(folder, file), 'utf8'), { url: SITE, bodyBytes: 1 }),
      );
      const share = (holds: (page: (typeof pages)[number]) => boolean): number =>
        pages.filter(holds).length / pages.length;
      expect(share(({ words }) => words >= 100)).toBeGreaterThan(0.85);
      expect(share(({ titles }) => titles.length > 0)).toBeGreaterThan(0.8);
      expect(share(({ paragraphs }) => paragraphs.length > 0)).toBeGreaterThan(0.9);
      expect(share(({ tooDeep }) => tooDeep)).toBe(0);
    });
  },
);
