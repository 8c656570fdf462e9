import { ACCOUNT_STYLES } from './account/frame.tsx';
import { type Html, renderDocument, renderHiddenFields } from './design/shell.tsx';
import type { PageLanguage } from './language/language.ts';
import { PASSKEY_SCRIPT, PasskeyButton } from './passkey-button.tsx';
import { type SignInReason, signInWords } from './sign-in-words.ts';

/** The fixed parts of the message that a wallet signs (EIP-4361). */
export type SignInTerms = { domain: string; uri: string; version: string; chainId: number; statement: string };

export type SignInPage = {
  language: PageLanguage;
  csrf: string;
  /** A path of ours. */
  returnTo: string;
  terms: SignInTerms;
  /** On the local stack: its demo buyer can sign in. */
  demo?: { token: string } | undefined;
  /** Whether mail can be sent, and whether browsers make passkeys for this address. */
  hasEmail?: boolean;
  hasPasskeys?: boolean;
  /** Why the person is here. */
  reason?: SignInReason | undefined;
  /** Path and query of the page. */
  path: string;
};

/** The sign-in page: a passkey, a link by e-mail, a wallet of the browser, or a message that is signed elsewhere; and what an account is for. */
export const renderSignInPage = (page: SignInPage): Html => {
  const { language, demo, hasEmail = false, hasPasskeys = false, reason, path } = page;
  const words = signInWords[language];
  return renderDocument({
    title: words.title,
    language,
    narrow: true,
    path,
    scripts: ['/signin/wallet.js', ...(hasPasskeys ? [PASSKEY_SCRIPT] : [])],
    styles: ACCOUNT_STYLES,
    children: (
      <>
        {reason === undefined ? null : <p class="lead">{words.reasons[reason]}</p>}
        {demo === undefined ? null : <DemoWay {...page} token={demo.token} />}
        {hasPasskeys ? <PasskeyWay {...page} /> : null}
        {hasEmail ? <EmailWay {...page} /> : null}
        <WalletWay {...page} />
        <HandWay {...page} />
        <section aria-labelledby="what">
          <h2 id="what">{words.whatTitle}</h2>
          <ul>
            {words.what.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
          <p>{words.noneNeeded}</p>
          <p class="buttons">
            <a class="button quiet" href="/audit">
              {words.audit}
            </a>
            <a class="button quiet" href="/prices">
              {words.prices}
            </a>
          </p>
        </section>
      </>
    ),
  });
};

/** The demo buyer is there on the local stack only. */
const DemoWay = ({ language, csrf, returnTo, token }: SignInPage & { token: string }) => {
  const words = signInWords[language];
  return (
    <section class="card" aria-labelledby="demo">
      <h2 id="demo">{words.demoTitle}</h2>
      <p>{words.demoText}</p>
      <button
        type="button"
        id="demo-button"
        disabled
        data-token={token}
        data-csrf={csrf}
        data-return-to={returnTo}
        data-words={JSON.stringify({ ...words.script, demo: words.demoSigns })}
      >
        {words.demoButton}
      </button>
      <noscript>
        <p>{words.scripts}</p>
      </noscript>
      <p id="demo-status" role="status"></p>
    </section>
  );
};

const PasskeyWay = ({ language, csrf, returnTo }: SignInPage) => {
  const words = signInWords[language];
  const shared = { language, csrf, returnTo };
  return (
    <section aria-labelledby="passkey">
      <h2 id="passkey">{words.passkeyTitle}</h2>
      <p>{words.passkeyText}</p>
      <PasskeyButton {...shared} does="use" path="/signin/passkey" text={words.passkeyButton} />
      <PasskeyButton {...shared} does="make" path="/signin/passkey/new" text={words.passkeyNew} isQuiet />
      <noscript>
        <p>{words.passkeyScripts}</p>
      </noscript>
    </section>
  );
};

const EmailWay = ({ language, csrf, returnTo }: SignInPage) => {
  const words = signInWords[language];
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">{words.emailTitle}</h2>
      <form method="post" action="/signin/email">
        {renderHiddenFields({ csrf, return_to: returnTo })}
        <label for="email">{words.email}</label>
        <input id="email" name="email" type="email" required maxlength={254} autocomplete="email" spellcheck={false} />
        <button>{words.emailButton}</button>
      </form>
      <p class="small">{words.emailText}</p>
    </section>
  );
};

const WalletWay = ({ language, csrf, returnTo, terms }: SignInPage) => {
  const words = signInWords[language];
  return (
    <section aria-labelledby="wallet">
      <h2 id="wallet">{words.walletTitle}</h2>
      <p>{words.walletText}</p>
      <div class="wallets" id="wallets">
        <button
          type="button"
          id="wallet-button"
          disabled
          data-domain={terms.domain}
          data-uri={terms.uri}
          data-version={terms.version}
          data-chain-id={terms.chainId}
          data-statement={terms.statement}
          data-csrf={csrf}
          data-return-to={returnTo}
          data-words={JSON.stringify(words.script)}
        >
          {words.walletButton}
        </button>
      </div>
      <p id="wallet-status" role="status">
        {words.script.none}
      </p>
    </section>
  );
};

const HandWay = ({ language, csrf, returnTo }: SignInPage) => {
  const words = signInWords[language];
  return (
    <details class="way">
      <summary>{words.handTitle}</summary>
      <p>{words.handText}</p>
      <form method="post" action="/signin/siwe/nonce">
        {renderHiddenFields({ csrf, return_to: returnTo })}
        <label for="address">{words.address}</label>
        <input
          id="address"
          name="address"
          required
          maxlength={42}
          autocomplete="off"
          spellcheck={false}
          placeholder="0x…"
        />
        <button>{words.handButton}</button>
      </form>
    </details>
  );
};

/** The second step by hand: the text as it has to be signed, and where its signature goes. */
export const renderSignByHandPage = ({
  language,
  csrf,
  returnTo,
  message,
}: {
  language: PageLanguage;
  csrf: string;
  returnTo: string;
  message: string;
}): Html => {
  const words = signInWords[language];
  return renderDocument({
    title: words.signTitle,
    language,
    narrow: true,
    path: '/signin',
    styles: ACCOUNT_STYLES,
    children: (
      <>
        <p>{words.signText('personal_sign')}</p>
        <form method="post" action="/signin/siwe">
          {renderHiddenFields({ csrf, return_to: returnTo })}
          <label for="message">{words.text}</label>
          <textarea id="message" name="message" rows={11} readonly spellcheck={false}>
            {message}
          </textarea>
          <label for="signature">{words.signature}</label>
          <textarea
            id="signature"
            name="signature"
            rows={4}
            required
            maxlength={4096}
            spellcheck={false}
            placeholder="0x…"
          ></textarea>
          <button>{words.signButton}</button>
        </form>
        <p class="small">
          {words.signNext} <a href={`/signin?return_to=${encodeURIComponent(returnTo)}`}>{words.title}</a>
        </p>
      </>
    ),
  });
};
