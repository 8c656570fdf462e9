import { html } from 'hono/html';
import { type Html, page } from './layout.tsx';

export type ErrorPage = { title: string; detail: string; requestId: string };

/** A refusal for people. `detail` may quote nobody but us. */
export const errorPage = ({ title, detail, requestId }: ErrorPage): Html =>
  page({
    title,
    main: html`<p role="alert">${detail}</p>
      <p class="small">Request ${requestId}</p>`,
  });
