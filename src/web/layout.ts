import { html } from 'hono/html';

/** What a page is made of: text put into it is escaped. */
export type Html = ReturnType<typeof html>;

export type Page = {
  title: string;
  main: Html;
  /** Path of a script of ours, for the one page that needs one. */
  script?: string;
};

/** A whole page: plain HTML, one style sheet, nothing from elsewhere. */
export const page = ({ title, main, script }: Page): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Sightline</title>
        <link rel="stylesheet" href="/web/style.css" />
        ${script === undefined ? '' : html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <header><p class="brand">Sightline</p></header>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html>`;

/** Fields that every form of ours carries. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
