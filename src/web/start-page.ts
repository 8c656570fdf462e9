import { html } from 'hono/html';
import type { StartText } from './start-text.ts';

/** Of the start page: no scripts, no frames, nothing loaded but our style sheet. */
export const START_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The start page for people: plain HTML without scripts, the same content as its Markdown. */
export async function startPage(baseUrl: string, description: string, page: StartText): Promise<string> {
  const { title, lead, connect, prices, links } = page;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <link rel="canonical" href="${baseUrl}/" />
        <link rel="alternate" type="text/markdown" href="${baseUrl}/index.md" title="This page as Markdown" />
        <link rel="describedby" type="text/markdown" href="${baseUrl}/llms.txt" />
        <link rel="ai-catalog" type="application/ai-catalog+json" href="${baseUrl}/.well-known/ai-catalog.json" />
        <link rel="stylesheet" href="/web/site.css" />
      </head>
      <body>
        <header>
          <nav aria-label="Main">
            <ul>
              <li><a href="#connect">Connect</a></li>
              <li><a href="#prices">Prices</a></li>
              <li><a href="#documents">Documents</a></li>
            </ul>
          </nav>
        </header>
        <main>
          <article>
            <h1>${title}</h1>
            <p>${lead}</p>
            <section id="connect">${connect.map(connectPart)}</section>
            <section id="prices">
              <h2>Prices</h2>
              <table>
                <caption>
                  USD per call, paid in USDC
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Capability</th>
                    <th scope="col">What it returns</th>
                    <th scope="col">USD</th>
                  </tr>
                </thead>
                <tbody>
                  ${prices.map(priceRow)}
                </tbody>
              </table>
            </section>
            <section id="documents">
              <h2>Documents</h2>
              <ul>
                ${links.map(linkItem)}
              </ul>
            </section>
          </article>
        </main>
        <footer>
          <p>
            Free software under the MIT licence. <a href="/account">Your account and credits</a>. Prices are for one
            call; nothing is charged without delivery.
          </p>
        </footer>
      </body>
    </html>`;
  return (await document).toString();
}

const connectPart = ({ heading, text, code, language }: StartText['connect'][number]) =>
  html`<h2>${heading}</h2>
    <p>${text}</p>
    <pre><code class="language-${language}">${code}</code></pre>`;

const priceRow = ({ name, summary, priceUsd }: StartText['prices'][number]) =>
  html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td>${summary}</td>
    <td>$${priceUsd}</td>
  </tr>`;

const linkItem = ({ text, path, note }: StartText['links'][number]) =>
  html`<li><a href="${path}">${text}</a>: ${note}</li>`;
