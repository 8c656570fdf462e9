import { reportHtml } from '../../report/html.ts';
import { reportJunit } from '../../report/junit.ts';
import { reportMarkdown } from '../../report/markdown.ts';
import type { Reportable } from '../../report/reportable.ts';
import { reportSarif } from '../../report/sarif.ts';
import { colourResult, canColour } from '../core/colour.ts';
import { renderResult } from './print.ts';
import { onScreen, formatSafeJson } from '../core/safe-text.ts';
import { VERSION } from '../core/version.ts';
import { type Format, formats } from './format-names.ts';

/** A result about sites in one of the formats, ending in a line end. */
export function render(report: Reportable & Record<string, unknown>, format: Format): string {
  switch (format) {
    case 'json':
      return `${formatSafeJson(report)}\n`;
    case 'md':
      return onScreen(reportMarkdown(report), process.stdout);
    case 'html':
      return onScreen(reportHtml(report), process.stdout);
    case 'sarif':
      return onScreen(reportSarif(report, VERSION), process.stdout);
    case 'junit':
      return onScreen(reportJunit(report), process.stdout);
    case 'text':
      return canColour(process.stdout, process.env) ? colourResult(renderResult(report)) : renderResult(report);
  }
}

/** The format of `--format` or `--json`; undefined for a name that is none. */
export function selectFormat(values: { format?: string | undefined; json?: boolean | undefined }): Format | undefined {
  if (values.format === undefined) return values.json === true ? 'json' : 'text';
  return formats.find((name) => name === values.format);
}
