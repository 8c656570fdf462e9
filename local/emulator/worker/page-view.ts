import { html } from 'hono/html';
import { PRODUCT } from '../../../src/lib/product.ts';

export const STYLE_PATH = '/emulator/style.css';
/** Rows that a table shows; its count is of all. */
export const SHOWN = 50;

/** `count`: of all rows; undefined where they go on. `rows`: undefined where they could not be read. */
export type Table = {
  title: string;
  count: number | undefined;
  columns: readonly string[];
  rows: readonly string[][] | undefined;
};

type Shown = { tenant: string; tenants: readonly string[]; tables: readonly Table[] };

/** The page, without scripts. */
export const renderPage = ({ tenant, tenants, tables }: Shown) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${PRODUCT} emulator: ${tenant}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <h1>${PRODUCT} emulator</h1>
        <nav aria-label="Tenants">
          ${tenants.map((id) =>
            id === tenant ? html`<strong>${id}</strong> ` : html`<a href="/emulator?tenant=${id}">${id}</a> `,
          )}
        </nav>
        <p>What this tenant has now; tables show at most ${SHOWN} rows.</p>
        ${tables.map(renderTable)}
      </body>
    </html> `;

export const renderTable = ({ title, count, columns, rows }: Table) =>
  html`<section>
    <h2>${title} ${rows === undefined ? '' : html`<small>${count ?? `${rows.length} or more`}</small>`}</h2>
    ${
      rows === undefined || rows.length === 0
        ? html`<p>${rows === undefined ? 'They could not be read.' : 'None.'}</p>`
        : html`<div class="wide" tabindex="0" role="region" aria-label="${title}">
            <table>
              <thead>
                <tr>
                  ${columns.map((column) => html`<th scope="col">${column}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  (row) =>
                    html`<tr>
                      ${row.map((cell) => html`<td>${cell}</td>`)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section> `;
