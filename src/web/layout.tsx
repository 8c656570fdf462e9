import { html } from 'hono/html';
import { renderDocument, type Html } from './design/shell.tsx';

export type { Html } from './design/shell.tsx';

export type PageProps = {
  title: string;
  main: Html;
  /** Path of a script of ours, for a page that needs one. */
  script?: string;
};

/** A page of forms or of one message: a narrow column. */
export const renderPage = ({ title, main, script }: PageProps): Html =>
  renderDocument({ title, narrow: true, children: main, ...(script === undefined ? {} : { scripts: [script] }) });

/** Fields that every form of ours carries. */
export const renderHiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;

type ErrorPage = { title: string; detail: string; requestId: string };

/** A refusal for people. `detail` may quote no one but us. */
export const renderErrorPage = ({ title, detail, requestId }: ErrorPage): Html =>
  renderPage({
    title,
    main: html`<p role="alert">${detail}</p>
      <p class="small">Request ${requestId}</p>`,
  });
