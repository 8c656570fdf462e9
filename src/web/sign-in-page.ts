import { html } from 'hono/html';
import { renderHiddenFields, type Html, renderPage } from './design/shell.tsx';

/** The fixed parts of the message that a wallet signs (EIP-4361). */
export type SignInTerms = { domain: string; uri: string; version: string; chainId: number; statement: string };

export type SignInPage = {
  csrf: string;
  /** A path of ours. */
  returnTo: string;
  terms: SignInTerms;
  operatorSignIn: boolean;
  /** On the local stack: its demo buyer can sign in. */
  demo?: { token: string; secretPlace: string } | undefined;
  /** Why the person is here, in our words. */
  note?: string;
};

/** The sign-in page: a wallet in the browser, a message signed elsewhere, and an operator's secret where there is one. */
export const signInPage = ({ csrf, returnTo, terms, operatorSignIn, demo, note }: SignInPage): Html =>
  renderPage({
    title: 'Sign in',
    script: '/signin/wallet.js',
    main: html`${note === undefined ? '' : html`<p class="note">${note}</p>`}
      ${demo === undefined ? '' : renderDemoForm(demo.token, csrf, returnTo)}
      <section aria-labelledby="wallet">
        <h2 id="wallet">With an Ethereum account</h2>
        <p>
          You need no password and no registration: you sign a text with the wallet that pays for your calls. It costs
          nothing and sends no transaction.
        </p>
        <button
          type="button"
          id="wallet-button"
          disabled
          data-domain="${terms.domain}"
          data-uri="${terms.uri}"
          data-version="${terms.version}"
          data-chain-id="${terms.chainId}"
          data-statement="${terms.statement}"
          data-csrf="${csrf}"
          data-return-to="${returnTo}"
        >
          Sign in with the browser's wallet
        </button>
        <p id="wallet-status" role="status">No wallet was found in this browser.</p>
      </section>
      <section aria-labelledby="by-hand">
        <h2 id="by-hand">With a wallet elsewhere</h2>
        <p>Enter its address, sign the text that is shown next, and paste the signature.</p>
        <form method="post" action="/signin/siwe/nonce">
          ${renderHiddenFields({ csrf, return_to: returnTo })}
          <label for="address">Address</label>
          <input
            id="address"
            name="address"
            required
            maxlength="42"
            autocomplete="off"
            spellcheck="false"
            placeholder="0x…"
          />
          <button>Show the text to sign</button>
        </form>
      </section>
      ${operatorSignIn ? renderOperatorForm(csrf, returnTo, demo?.secretPlace) : ''}`,
  });

/** The demo buyer is there on the local stack only. */
const renderDemoForm = (token: string, csrf: string, returnTo: string): Html =>
  html`<section class="card" aria-labelledby="demo">
    <h2 id="demo">On this local stack</h2>
    <p>
      Sign in as the demo buyer, who pays for what you buy in these pages. Its key and its money exist on this machine
      only, so you need no wallet.
    </p>
    <button
      type="button"
      id="demo-button"
      disabled
      data-token="${token}"
      data-csrf="${csrf}"
      data-return-to="${returnTo}"
    >
      Sign in as the demo buyer
    </button>
    <noscript><p>This takes JavaScript.</p></noscript>
    <p id="demo-status" role="status"></p>
  </section>`;

const renderOperatorForm = (csrf: string, returnTo: string, secretPlace: string | undefined): Html =>
  html`<section aria-labelledby="operator">
    <h2 id="operator">As an operator of this service</h2>
    ${secretPlace === undefined ? '' : html`<p>Here the secret is ${secretPlace}.</p>`}
    <form method="post" action="/signin/operator">
      ${renderHiddenFields({ csrf, return_to: returnTo })}
      <label for="secret">Operator secret</label>
      <input id="secret" name="secret" type="password" required maxlength="1024" autocomplete="current-password" />
      <button>Sign in as operator</button>
    </form>
  </section>`;

/** The second step by hand: the text as it has to be signed, and where its signature goes. */
export const signByHandPage = ({
  csrf,
  returnTo,
  message,
}: {
  csrf: string;
  returnTo: string;
  message: string;
}): Html =>
  renderPage({
    title: 'Sign this text',
    main: html`<p>Sign exactly this text with your wallet (<code>personal_sign</code>) within five minutes.</p>
      <form method="post" action="/signin/siwe">
        ${renderHiddenFields({ csrf, return_to: returnTo })}
        <label for="message">Text</label>
        <textarea id="message" name="message" rows="11" readonly spellcheck="false">${message}</textarea>
        <label for="signature">Signature</label>
        <textarea
          id="signature"
          name="signature"
          rows="4"
          required
          maxlength="4096"
          spellcheck="false"
          placeholder="0x…"
        ></textarea>
        <button>Sign in</button>
      </form>`,
  });
