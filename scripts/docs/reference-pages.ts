import { checks } from '../../src/audit/core/catalogue.ts';
import { aboutDocumentsPage } from './about-documents-page.ts';
import { capabilitiesPage } from './capabilities-page.ts';
import { checkPage, checksIndexPage } from './check-pages.ts';
import { crawlerRangesPage } from './crawler-ranges-page.ts';
import { deprecationsPage } from './deprecations-page.ts';
import { httpApiPage } from './http-api-page.ts';
import { limitsPage } from './limits-page.ts';
import { mcpToolsPage } from './mcp-tools-page.ts';
import { problemsPage } from './problems-page.ts';
import { promptSetsPage } from './prompt-sets-page.ts';
import { reportFormatPage } from './report-format-page.ts';
import { scoresPage } from './scores-page.ts';
import { settingsPage } from './settings-page.ts';

/** Every page of `docs/reference` that comes from tables, by its path in that folder. */
export async function buildReferencePages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>([
    ['about-documents.md', aboutDocumentsPage()],
    ['capabilities.md', capabilitiesPage()],
    ['checks/index.md', checksIndexPage()],
    ['crawler-ranges.md', crawlerRangesPage()],
    ['deprecations.md', deprecationsPage()],
    ['http-api.md', httpApiPage()],
    ['limits.md', limitsPage()],
    ['mcp-tools.md', mcpToolsPage()],
    ['problems.md', problemsPage()],
    ['prompt-sets.md', await promptSetsPage()],
    ['report-format.md', reportFormatPage()],
    ['scores.md', scoresPage()],
    ['settings.md', settingsPage()],
  ]);
  for (const check of checks) pages.set(`checks/${check.id}.md`, await checkPage(check));
  return pages;
}
