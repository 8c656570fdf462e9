import { renderHiddenFields, type Html, renderPage } from './design/shell.tsx';
import { html } from 'hono/html';
import { formatPlainLine } from '../lib/safe-text.ts';

export type ScopeLine = { scope: string; text: string };

/** What the consent page shows. The client's texts are as it gave them. */
export type ConsentView = {
  csrf: string;
  handle: string;
  client: {
    clientName: string;
    redirectUri: string;
    redirectHost: string;
    redirectIsLoopback: boolean;
    /** The domain that publishes the client's metadata; absent when no one vouches for the name. */
    domain?: string;
  };
  scopes: readonly ScopeLine[];
  withheld: readonly ScopeLine[];
  /** `operator`, or the address. */
  signedInAs: string;
  /** Shown when the client asks to spend credits: US dollars a day. */
  capUsd?: { preset: number; max: number };
};

const MAX_NAME_CHARS = 80;
const MAX_URL_CHARS = 300;

/**
 * The consent page: who asks, where the answer goes, what is given. A logo of the client is never shown: it would tell
 * its server who reads this page, and lends a name that no one checked a face (rule A13).
 */
export function renderConsentPage(view: ConsentView): Html {
  const { client, scopes, withheld, csrf, handle, signedInAs, capUsd } = view;
  const name = formatPlainLine(client.clientName, MAX_NAME_CHARS) || 'An app without a name';
  return renderPage({
    title: 'Give access?',
    main: html`<p class="client"><bdi>${name}</bdi> asks for access to your account.</p>
      ${renderVouching(client.domain)}
      <dl>
        <dt>Your answer goes to</dt>
        <dd>
          <strong class="host">${client.redirectHost}</strong>
          <span class="small url">${formatPlainLine(client.redirectUri, MAX_URL_CHARS)}</span>
        </dd>
        <dt>You are signed in as</dt>
        <dd class="url">${signedInAs}</dd>
      </dl>
      ${client.redirectIsLoopback ? loopbackWarning : ''}
      <form method="post" action="/authorize">
        ${renderHiddenFields({ csrf, handle })}
        <fieldset>
          <legend>It could then</legend>
          ${scopes.map((line, index) => renderScopeRow(line, index))}
        </fieldset>
        ${capUsd === undefined ? '' : capField(capUsd)} ${withheld.length === 0 ? '' : renderWithheldList(withheld)}
        <p class="buttons">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny" class="quiet" formnovalidate>Deny</button>
        </p>
      </form>
      <p class="small">You can take access back at any time on <a href="/account">your account page</a>.</p>`,
  });
}

const renderVouching = (domain: string | undefined): Html =>
  domain === undefined
    ? html`<p class="note">
        The app gave this name itself, and no one has checked it. Allow it only if you have just started this from the
        app.
      </p>`
    : html`<p class="published">Published by <strong class="host">${domain}</strong></p>`;

const loopbackWarning: Html = html`<p class="warning" role="alert">
  The answer goes to a program on this computer. Any program that runs here could receive it, whatever name it claims.
  Deny unless you started this yourself just now.
</p>`;

const renderScopeRow = ({ scope, text }: ScopeLine, index: number): Html =>
  html`<p class="choice">
    <input type="checkbox" id="scope-${index}" name="scope" value="${scope}" checked />
    <label for="scope-${index}">${text} <code>${scope}</code></label>
  </p>`;

const capField = ({ preset, max }: { preset: number; max: number }): Html =>
  html`<p>
    <label for="cap">Credits it may spend in 24 hours, in US dollars</label>
    <input
      id="cap"
      name="cap_usd"
      type="number"
      inputmode="decimal"
      min="0"
      max="${max}"
      step="0.01"
      value="${preset}"
      required
    />
  </p>`;

const renderWithheldList = (withheld: readonly ScopeLine[]): Html =>
  html`<p class="small">
    It also asked for what it cannot get here:
    ${withheld.map(
      ({ scope }, index) => html`${index === 0 ? '' : ', '}<code>${formatPlainLine(scope, MAX_NAME_CHARS)}</code>`,
    )}.
  </p>`;
