import { TableHead } from '../design/parts.tsx';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import type { PageLanguage } from '../language/language.ts';
import { PASSKEY_SCRIPT, PasskeyButton } from '../passkey-button.tsx';
import type { SignInTerms } from '../sign-in-page.tsx';
import { signInWords } from '../sign-in-words.ts';
import { type AccountFrame, OneButton, renderAccountFrame, When } from './frame.tsx';
import { waysWords } from './ways-words.ts';

/** A way as the page shows it: never its keys. */
export type ShownWay = {
  kind: 'wallet' | 'email' | 'passkey';
  id: string;
  /** The address, or the person's word for a passkey. */
  name: string;
  addedAtMs: number;
  usedAtMs?: number | undefined;
  isSynced?: boolean | undefined;
  /** It opened the session that looks. */
  isCurrent?: boolean | undefined;
};

export type WaysPage = {
  frame: AccountFrame;
  ways: readonly ShownWay[];
  /** The sign-in is young enough. */
  isFresh: boolean;
  signInPath: string;
  hasEmail: boolean;
  hasPasskeys: boolean;
  terms: SignInTerms;
  demo?: { token: string } | undefined;
};

const PATH = '/account/ways';

/** How many there are: the overview's card. */
export const WaysCount = ({ ways, language }: { ways: readonly ShownWay[]; language: PageLanguage }) => (
  <p>
    {waysWords[language].shown(ways.length)}{' '}
    {[...new Set(ways.map(({ kind }) => waysWords[language].kinds[kind]))].join(', ')}
  </p>
);

/** The ways of an account, and the forms that add and remove them. */
export const renderWaysPage = (page: WaysPage): Html => {
  const { frame, ways, isFresh, signInPath, hasPasskeys } = page;
  const { language } = frame;
  const words = waysWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    scripts: ['/signin/wallet.js', ...(hasPasskeys ? [PASSKEY_SCRIPT] : [])],
    children: (
      <>
        <p>{words.lead}</p>
        <table class="stacking">
          <TableHead columns={[words.way, words.added, words.used, words.remove]} />
          <tbody>
            {ways.map((way) => (
              <WayRow page={page} way={way} />
            ))}
          </tbody>
        </table>
        {ways.length === 1 ? (
          <p class="small">{words.last}</p>
        ) : (
          <p class="small">
            {words.removing} <a href="/account/access">{words.apps}</a>
          </p>
        )}
        {ways.some(({ kind }) => kind === 'wallet') && ways.length > 1 ? (
          <p class="small">{words.walletStays}</p>
        ) : null}
        <p class={isFresh ? 'small' : 'note'}>{isFresh ? words.fresh : words.stale}</p>
        {isFresh ? (
          <AddForms {...page} />
        ) : (
          <p class="buttons">
            <a class="button" href={signInPath}>
              {words.signInAgain}
            </a>
          </p>
        )}
      </>
    ),
  });
};

/** Only passkeys say when they were used. */
const LastUse = ({ way, never }: { way: ShownWay; never: string }) => {
  if (way.kind !== 'passkey') return <>–</>;
  return way.usedAtMs === undefined ? <>{never}</> : <When ms={way.usedAtMs} />;
};

const WayRow = ({ page: { frame, ways, isFresh }, way }: { page: WaysPage; way: ShownWay }) => {
  const { language, csrf } = frame;
  const words = waysWords[language];
  const name = way.name === '' ? words.unnamed : way.name;
  const isUsable = way.isSynced === undefined ? '' : ` (${way.isSynced ? words.synced : words.thisDevice})`;
  return (
    <tr>
      <td class="url" data-column={words.way}>
        {words.kinds[way.kind]}: {way.kind === 'passkey' ? name : <code>{name}</code>}
        {isUsable}
        {way.isCurrent === true ? <div class="small">{words.current}</div> : null}
      </td>
      <td data-column={words.added}>
        <When ms={way.addedAtMs} />
      </td>
      <td data-column={words.used}>
        <LastUse way={way} never={words.never} />
      </td>
      <td data-column={words.remove}>
        {isFresh && ways.length > 1 ? (
          <OneButton
            action={`${PATH}/remove`}
            fields={{ csrf, kind: way.kind, id: way.id }}
            label={words.remove}
            name={words.removeOf(`${words.kinds[way.kind]} ${name}`)}
          />
        ) : null}
      </td>
    </tr>
  );
};

const AddForms = (page: WaysPage) => {
  const { frame, hasEmail, hasPasskeys } = page;
  const { language, csrf } = frame;
  const words = waysWords[language];
  return (
    <section aria-labelledby="add-title" id="add">
      <h2 id="add-title">{words.add}</h2>
      {hasPasskeys ? (
        <section aria-labelledby="passkey">
          <h3 id="passkey">{words.addPasskey}</h3>
          <p>{words.addPasskeyText}</p>
          <label for="passkey-label">{words.label}</label>
          <input id="passkey-label" maxlength={40} autocomplete="off" />
          <PasskeyButton
            language={language}
            csrf={csrf}
            does="make"
            path={`${PATH}/passkey`}
            returnTo={`${PATH}?done=way_added`}
            text={words.addPasskey}
          />
        </section>
      ) : null}
      {hasEmail ? (
        <section aria-labelledby="email-title">
          <h3 id="email-title">{words.addEmail}</h3>
          <p>{words.addEmailText}</p>
          <form method="post" action={`${PATH}/email`}>
            {renderHiddenFields({ csrf })}
            <label for="email">{words.email}</label>
            <input
              id="email"
              name="email"
              type="email"
              required
              maxlength={254}
              autocomplete="email"
              spellcheck={false}
            />
            <button>{words.emailButton}</button>
          </form>
        </section>
      ) : null}
      <AddWallet {...page} />
    </section>
  );
};

const AddWallet = ({ frame: { language, csrf }, terms, demo }: WaysPage) => {
  const words = waysWords[language];
  const { script, demoSigns } = signInWords[language];
  const shared = { 'data-csrf': csrf, 'data-return-to': `${PATH}?done=way_added`, 'data-to': `${PATH}/wallet` };
  return (
    <section aria-labelledby="wallet">
      <h3 id="wallet">{words.addWallet}</h3>
      <p>{words.addWalletText}</p>
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
          data-words={JSON.stringify(script)}
          {...shared}
        >
          {words.walletButton}
        </button>
      </div>
      <p id="wallet-status" role="status"></p>
      {demo === undefined ? null : (
        <>
          <button
            type="button"
            id="demo-button"
            class="quiet"
            disabled
            data-token={demo.token}
            data-words={JSON.stringify({ ...script, demo: demoSigns })}
            {...shared}
          >
            {words.demoButton}
          </button>
          <p id="demo-status" role="status"></p>
        </>
      )}
    </section>
  );
};
