import { html } from 'hono/html';
import { document, type Html } from './design/shell.tsx';

export type { Html } from './design/shell.tsx';

export type Page = {
  title: string;
  main: Html;
  /** Path of a script of ours, for a page that needs one. */
  script?: string;
};

/** A page of forms or of one message: a narrow column. */
export const page = ({ title, main, script }: Page): Html =>
  document({ title, narrow: true, children: main, ...(script === undefined ? {} : { scripts: [script] }) });

/** Fields that every form of ours carries. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;

type ErrorPage = { title: string; detail: string; requestId: string };

/** A refusal for people. `detail` may quote nobody but us. */
export const errorPage = ({ title, detail, requestId }: ErrorPage): Html =>
  page({
    title,
    main: html`<p role="alert">${detail}</p>
      <p class="small">Request ${requestId}</p>`,
  });
