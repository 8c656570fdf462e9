import { renderHiddenFields, type Html, renderPage } from './design/shell.tsx';
import { formatUsdAmount } from '../payment/terms/constants.ts';
import { html } from 'hono/html';
import { formatPriceUsd } from './buying/panel.tsx';
import { formatPlainLine } from '../lib/safe-text.ts';

export type AccountView = {
  csrf: string;
  /** `operator`, or the address. */
  signedInAs: string;
  /** Prepaid credits in micro-USDC; undefined when they cannot be read now. */
  balanceMicroUsdc: number | undefined;
  /** The command that buys credits from here. */
  buyCommand: string;
  clients: readonly {
    grantId: string;
    clientName: string;
    clientId: string;
    scopes: readonly string[];
    capMicroUsdc?: number;
    grantedAtS: number;
  }[];
};

const MAX_NAME_CHARS = 80;
const MAX_ID_CHARS = 200;

/** The account page: credits, who has access, and the ends of both. */
export const renderAccountPage = ({ csrf, signedInAs, balanceMicroUsdc, buyCommand, clients }: AccountView): Html =>
  renderPage({
    title: 'Your account',
    main: html`<p>Signed in as <span class="url">${signedInAs}</span></p>
      <form method="post" action="/signout">
        ${renderHiddenFields({ csrf })}<button class="quiet">Sign out</button>
      </form>
      <h2>Credits</h2>
      <p>
        ${balanceMicroUsdc === undefined ? 'Your balance cannot be read now: load the page again in a minute.' : html`<strong>${formatPriceUsd(formatUsdAmount(balanceMicroUsdc))} USD</strong>`}
      </p>
      <p>
        Credits are prepaid: assistants and other clients without a wallet spend them over MCP. What you buy in these
        pages is paid directly and takes none. They belong to the address that pays; to add 5 USD:
        <code>${buyCommand}</code>. <a href="/docs/guides/credits">How credits work</a>
      </p>
      <h2>Apps with access</h2>
      ${clients.length === 0 ? html`<p>None. An app is listed here once you have allowed it to act for you.</p>` : clients.map((client) => renderClientCard(csrf, client))}`,
  });

const renderClientCard = (csrf: string, client: AccountView['clients'][number]): Html => {
  const { grantId, clientName, clientId, scopes, capMicroUsdc, grantedAtS } = client;
  const name = formatPlainLine(clientName, MAX_NAME_CHARS) || 'An app without a name';
  return html`<section class="card">
    <h3><bdi>${name}</bdi></h3>
    <p class="small url">${formatPlainLine(clientId, MAX_ID_CHARS)}</p>
    <p>
      ${scopes.map((scope) => html`<code>${scope}</code> `)}since
      <time>${new Date(grantedAtS * 1000).toISOString().slice(0, 10)}</time>${
        capMicroUsdc === undefined
          ? ''
          : html`, at most ${formatPriceUsd(formatUsdAmount(capMicroUsdc))} USD of credits a day`
      }
    </p>
    <form method="post" action="/account/revoke">
      ${renderHiddenFields({ csrf, grant_id: grantId })}
      <button class="quiet" aria-label="Take back the access of ${name}">Take access back</button>
    </form>
  </section>`;
};
