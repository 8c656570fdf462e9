import type { CommandFailure } from '../core/failure.ts';
import type { ShownAnswers } from '../../web/report/answers/shown-answer.ts';
import type { TrafficSection } from '../../traffic/report/sections.ts';
import type { Reportable } from '../../report/reportable.ts';

type SiteResult = Reportable & Record<string, unknown>;

/** Where a result is shown. */
export type ShownAt = {
  /** A terminal: what steers one is made harmless. */
  isTerminal: boolean;
  hasColours: boolean;
  /** Everything, instead of what a person needs first. */
  isVerbose: boolean;
  /** The answers behind a measurement, for documents that show them. */
  answers?: ShownAnswers | undefined;
  /** A part below the result, made of logs of the reader's own. */
  section?: TrafficSection | undefined;
};

/** A format of a result. `render` gives a document that ends in a line end, or bytes, or says what it lacks here. */
type FormatRow = {
  name: string;
  description: string;
  render: (result: SiteResult, at: ShownAt) => Promise<string | Uint8Array | CommandFailure>;
};

/**
 * Every format, in the order of help; without `--format` it is `text`. What a renderer needs is loaded when it is used:
 * each start of the command line loads this table, for the table of commands.
 */
export const formats = [
  {
    name: 'text',
    description: 'for people',
    render: async (result, { hasColours, isVerbose, section }) => {
      const [{ renderResult }, { colourResult }] = await Promise.all([import('./print.ts'), loadTerminal()]);
      const lines = section && (await import('../../traffic/report/traffic-lines.ts')).formatSectionLines(section);
      const text = `${renderResult(result, { isVerbose })}${lines === undefined ? '' : `\n${lines.join('\n')}\n`}`;
      return hasColours ? colourResult(text) : text;
    },
  },
  {
    name: 'json',
    description: 'the whole result',
    render: async (result) => `${(await loadTerminal()).formatSafeJson(result)}\n`,
  },
  {
    name: 'md',
    description: 'Markdown',
    render: async (result, at) =>
      show((await import('./documents.ts')).formatMarkdownDocument(result, at.answers, at.section), at),
  },
  {
    name: 'html',
    description: 'the report as a page',
    render: async (result, at) =>
      show(await (await import('./documents.ts')).formatHtmlDocument(result, at.answers, at.section), at),
  },
  {
    name: 'sarif',
    description: 'for code scanning',
    render: async (result, at) => {
      const [{ reportSarif }, { service }] = await Promise.all([
        import('../../report/sarif.ts'),
        import('../../capabilities/service.ts'),
      ]);
      return show(reportSarif(result, service.version), at);
    },
  },
  {
    name: 'junit',
    description: 'for test reports',
    render: async (result, at) => show((await import('../../report/junit.ts')).reportJunit(result), at),
  },
  {
    name: 'pdf',
    description: 'the report on a few pages; needs Chromium',
    render: async (result, { answers, section }) => {
      const [{ formatHtmlDocument }, { printLocalPdf }] = await Promise.all([
        import('./documents.ts'),
        import('./pdf.ts'),
      ]);
      return printLocalPdf(await formatHtmlDocument(result, answers, section));
    },
  },
] as const satisfies readonly FormatRow[];

export type Format = (typeof formats)[number];

const loadTerminal = () => import('../core/terminal.ts');

const show = async (document: string, { isTerminal }: ShownAt): Promise<string> =>
  (await loadTerminal()).onScreen(document, { isTTY: isTerminal });

/** The format of `--format` or `--json`; the parser has judged its name. */
export function selectFormat({ format, json }: { format?: string | undefined; json?: boolean | undefined }): Format {
  const name = format ?? (json === true ? 'json' : 'text');
  return formats.find((row) => row.name === name) ?? formats[0];
}
