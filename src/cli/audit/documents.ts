import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportMarkdown } from '../../report/markdown.ts';
import type { Reportable } from '../../report/reportable.ts';
import type { TrafficSection } from '../../traffic/report/sections.ts';
import { formatTrafficSectionMarkdown } from '../../traffic/report/traffic-lines.ts';
import type { ShownAnswers } from '../../web/report/answers/shown-answer.ts';
import { readStored } from '../../web/report/stored.ts';
import { formatStoredMarkdown } from '../../web/report/texts.ts';

type AnyResult = Reportable & Record<string, unknown>;

/** A result as Markdown: that of the service where it is a whole result, else what can be said of any about sites. */
export function formatMarkdownDocument(result: AnyResult, answers?: ShownAnswers, section?: TrafficSection): string {
  if (String(result['capability']).startsWith('visibility')) {
    const text = formatStoredMarkdown(readStored(JSON.stringify(result)), { answers });
    if (text !== undefined) return text;
  }
  const report = reportMarkdown(result);
  return section === undefined ? report : `${report}\n${formatTrafficSectionMarkdown(section)}\n`;
}

/** The report of the web as one file: styles inside, no script, nothing that is loaded. */
export async function formatHtmlDocument(
  result: AnyResult,
  answers?: ShownAnswers,
  section?: TrafficSection,
): Promise<string> {
  const { renderStandaloneReport } = await import('../../web/report/standalone.tsx'); // As large as the pages of the service.
  const stored = readStored(JSON.stringify({ warnings: [], ...result }));
  return `${renderStandaloneReport(stored, readReportStyles(), { answers, section })}\n`;
}

/** Beside the bundle of this program; in a checkout, where the build puts it for the service. */
const STYLE_FILES = [
  join(import.meta.dirname, '..', 'report.css'),
  join(import.meta.dirname, '..', '..', '..', 'dist', 'report.css'),
];

/** The styles of reports. @throws when the build has left them out */
export function readReportStyles(): string {
  for (const file of STYLE_FILES) {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  throw new Error(`The styles of reports are missing: ${STYLE_FILES.join(', ')}`);
}
