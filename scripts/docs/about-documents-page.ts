import { type AboutRow, listAboutRows } from '../../src/about/about-data.ts';
import { escapeProse, formatCellCode, formatGeneratedPage, formatTable } from './markdown.ts';

/** `docs/reference/about-documents.md`: what a deployment publishes of itself. */
export const aboutDocumentsPage = (): string =>
  formatGeneratedPage('Documents of a deployment about itself', '`src/about/about-data.ts`', [
    'Every deployment answers these addresses, free and without an account. They say what the service is, how it is now and how it changes.',
    formatTable(
      ['Address', 'What it holds', 'Made by', 'From', 'For'],
      listAboutRows().map((row) => [
        formatAddress(row),
        escapeProse(`${row.title}: ${row.summary}`),
        formatSpecification(row),
        escapeProse(row.source),
        row.readers.join(', '),
      ]),
    ),
    'What it sells and signs is elsewhere: [`/.well-known/x402` and `/.well-known/mpp`](../operate/directories.md) list what can be bought, and [`/.well-known/jwks.json`, `/delivery.json` and its page `/delivery`](../guides/verify-a-report.md) let anyone check what was delivered.',
    'Pages are HTML, or Markdown where `Accept` prefers it; with `.md` they are always Markdown. `llms.txt` and the sitemap list them. An address that needs a setting or a build answers 404 without it: `security.txt` needs `CONTACT_EMAIL`, the change log and its feed `npm run build:web`, `llms-full.txt` `npm run docs:site`.',
    'The state of the service is one look, at most a minute old. Nothing is measured over time, so it claims no availability.',
  ]);

const formatAddress = ({ path, kind }: AboutRow): string =>
  kind === 'page' ? `${formatCellCode(path)}, ${formatCellCode(`${path}.md`)}` : formatCellCode(path);

const formatSpecification = ({ specification }: AboutRow): string =>
  specification === undefined ? 'no specification' : `[${escapeProse(specification.name)}](${specification.url})`;
