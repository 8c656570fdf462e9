import { reportHtml } from '../generate/render/html.ts';
import { reportJunit } from '../generate/render/junit.ts';
import { reportMarkdown } from '../generate/render/markdown.ts';
import type { Reportable } from '../generate/render/reportable.ts';
import { reportSarif } from '../generate/render/sarif.ts';
import { coloured, wantsColour } from './colour.ts';
import { renderResult } from './print.ts';
import { VERSION } from './version.ts';

export const formats = ['text', 'json', 'md', 'html', 'sarif', 'junit'] as const;
export type Format = (typeof formats)[number];

/** A result about sites in one of the formats, ending in a line end. */
export function render(report: Reportable & Record<string, unknown>, format: Format): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'md':
      return reportMarkdown(report);
    case 'html':
      return reportHtml(report);
    case 'sarif':
      return reportSarif(report, VERSION);
    case 'junit':
      return reportJunit(report);
    case 'text':
      return wantsColour(process.stdout, process.env) ? coloured(renderResult(report)) : renderResult(report);
  }
}

/** The format of `--format` or `--json`; undefined for a name that is none. */
export function formatOf(values: { format?: string | undefined; json?: boolean | undefined }): Format | undefined {
  if (values.format === undefined) return values.json === true ? 'json' : 'text';
  return formats.find((name) => name === values.format);
}
