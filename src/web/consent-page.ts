import { renderHiddenFields, type Html, renderPage } from './design/shell.tsx';
import { html } from 'hono/html';
import { formatPlainLine } from '../lib/safe-text.ts';
import { consentWords, type ConsentWords } from './consent-words.ts';
import type { PageLanguage } from './language/language.ts';
import { getScopeText } from './scope-words.ts';

export type ScopeLine = { scope: string; text: string };

/** What the consent page shows. The client's texts are as it gave them. */
export type ConsentView = {
  language: PageLanguage;
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
  const { language, client, scopes, withheld, csrf, handle, signedInAs, capUsd } = view;
  const words = consentWords[language];
  const name = formatPlainLine(client.clientName, MAX_NAME_CHARS) || words.nameless;
  return renderPage({
    title: words.title,
    language,
    main: html`<p class="client"><bdi>${name}</bdi> ${words.asks}</p>
      ${renderVouching(client.domain, words)}
      <dl>
        <dt>${words.goesTo}</dt>
        <dd>
          <strong class="host">${client.redirectHost}</strong>
          <span class="small url">${formatPlainLine(client.redirectUri, MAX_URL_CHARS)}</span>
        </dd>
        <dt>${words.signedInAs}</dt>
        <dd class="url">${signedInAs}</dd>
      </dl>
      ${client.redirectIsLoopback ? html`<p class="warning" role="alert">${words.loopback}</p>` : ''}
      <form method="post" action="/authorize">
        ${renderHiddenFields({ csrf, handle })}
        <fieldset>
          <legend>${words.could}</legend>
          ${scopes.map((line, index) => renderScopeRow(line, index, language))}
        </fieldset>
        ${capUsd === undefined ? '' : capField(capUsd, words)}
        ${withheld.length === 0 ? '' : renderWithheldList(withheld, words)}
        <p class="buttons">
          <button name="decision" value="allow">${words.allow}</button>
          <button name="decision" value="deny" class="quiet" formnovalidate>${words.deny}</button>
        </p>
      </form>
      <p class="small">${words.later} <a href="/account/access">${words.accountPage}</a>.</p>`,
  });
}

const renderVouching = (domain: string | undefined, words: ConsentWords): Html =>
  domain === undefined
    ? html`<p class="note">${words.unvouched}</p>`
    : html`<p class="published">${words.publishedBy} <strong class="host">${domain}</strong></p>`;

const renderScopeRow = ({ scope, text }: ScopeLine, index: number, language: PageLanguage): Html =>
  html`<p class="choice">
    <input type="checkbox" id="scope-${index}" name="scope" value="${scope}" checked />
    <label for="scope-${index}">${getScopeText(scope, text, language)} <code>${scope}</code></label>
  </p>`;

const capField = ({ preset, max }: { preset: number; max: number }, words: ConsentWords): Html =>
  html`<p>
    <label for="cap">${words.cap}</label>
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

const renderWithheldList = (withheld: readonly ScopeLine[], words: ConsentWords): Html =>
  html`<p class="small">
    ${words.withheld}
    ${withheld.map(
      ({ scope }, index) => html`${index === 0 ? '' : ', '}<code>${formatPlainLine(scope, MAX_NAME_CHARS)}</code>`,
    )}.
  </p>`;
