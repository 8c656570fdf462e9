import type { Reportable } from '../../report/reportable.ts';

type SiteResult = Reportable & Record<string, unknown>;

/** A format of a result about sites. `render` gives a text that ends in a line end, as standard output may show it. */
type FormatRow = { name: string; description: string; render: (result: SiteResult) => Promise<string> };

/**
 * Every format, in the order of the usage text; without `--format` it is `text`. What a renderer needs is loaded when it
 * is used: each start of the command line loads this table, for the usage text.
 */
export const formats = [
  {
    name: 'text',
    description: 'for people, with colours on a terminal',
    render: async (result) => {
      const [{ renderResult }, { canColour, colourResult }] = await Promise.all([import('./print.ts'), loadTerminal()]);
      const text = renderResult(result);
      return canColour(process.stdout, process.env) ? colourResult(text) : text;
    },
  },
  {
    name: 'json',
    description: 'the whole result; --json is short for it',
    render: async (result) => `${(await loadTerminal()).formatSafeJson(result)}\n`,
  },
  {
    name: 'md',
    description: 'Markdown',
    render: async (result) => show((await import('../../report/markdown.ts')).reportMarkdown(result)),
  },
  {
    name: 'html',
    description: 'a page',
    render: async (result) => show((await import('../../report/html.ts')).reportHtml(result)),
  },
  {
    name: 'sarif',
    description: 'for code scanning',
    render: async (result) => {
      const [{ reportSarif }, { service }] = await Promise.all([
        import('../../report/sarif.ts'),
        import('../../capabilities/service.ts'),
      ]);
      return show(reportSarif(result, service.version));
    },
  },
  {
    name: 'junit',
    description: 'for reports of tests',
    render: async (result) => show((await import('../../report/junit.ts')).reportJunit(result)),
  },
] as const satisfies readonly FormatRow[];

export type Format = (typeof formats)[number];

const loadTerminal = () => import('../core/terminal.ts');

const show = async (document: string): Promise<string> => (await loadTerminal()).onScreen(document, process.stdout);

/** The format of `--format` or `--json`, or what is wrong with its name. */
export function selectFormat({
  format,
  json,
}: {
  format?: string | undefined;
  json?: boolean | undefined;
}): Format | string {
  const name = format ?? (json === true ? 'json' : 'text');
  return (
    formats.find((row) => row.name === name) ?? `--format takes one of ${formats.map((row) => row.name).join(', ')}.`
  );
}
