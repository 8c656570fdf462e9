import { type Html, renderDocument, renderHiddenFields } from '../design/shell.tsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { type DeleteError, deleteWords } from './delete-words.ts';
import { ACCOUNT_STYLES, type AccountFrame, NotReadable, renderAccountFrame } from './frame.tsx';

export type DeletePage = {
  frame: AccountFrame;
  /** All that belongs to the account, calls under way included; undefined: it cannot be read. */
  leftMicroUsdc: number | undefined;
  /** Monitors that end with it; undefined: they cannot be counted. */
  monitors?: number | undefined;
  /** The sign-in is young enough. */
  isFresh: boolean;
  /** Where one signs in again and comes back from. */
  signInPath: string;
  error?: DeleteError | undefined;
};

/** What ends with an account and what does not, and the form that ends it. */
export const renderDeletePage = (page: DeletePage): Html => {
  const { frame, leftMicroUsdc, monitors = 0, isFresh, signInPath, error } = page;
  const { language } = frame;
  const words = deleteWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        {error === undefined ? null : (
          <p class="warning" role="alert" id="error">
            {words.errors[error]}
          </p>
        )}
        <Texts
          title={words.goneTitle}
          texts={monitors === 0 ? words.gone : [...words.gone, words.monitors(monitors)]}
        />
        <Texts title={words.staysTitle} texts={words.stays} />
        <h2>{words.creditsTitle}</h2>
        {leftMicroUsdc === undefined ? (
          <NotReadable language={language} />
        ) : (
          <p>
            {leftMicroUsdc > 0 ? (
              <strong>{words.creditsLeft(formatDollars(leftMicroUsdc, language))}</strong>
            ) : (
              words.noCredits
            )}
          </p>
        )}
        <h2>{words.beforeTitle}</h2>
        <p>
          {words.before} <a href="/account/published">{words.publishedLink}</a>
        </p>
        <h2>{words.confirmTitle}</h2>
        {isFresh ? (
          <DeleteForm {...page} />
        ) : (
          <>
            <p>{words.stale}</p>
            <p class="buttons">
              <a class="button" href={signInPath}>
                {words.signInAgain}
              </a>
            </p>
          </>
        )}
      </>
    ),
  });
};

const Texts = ({ title, texts }: { title: string; texts: readonly string[] }) => (
  <>
    <h2>{title}</h2>
    <ul>
      {texts.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  </>
);

const DeleteForm = ({ frame: { language, csrf }, leftMicroUsdc = 0, error }: DeletePage) => {
  const words = deleteWords[language];
  return (
    <form method="post" action="/account/delete">
      {renderHiddenFields({ csrf })}
      {leftMicroUsdc > 0 ? (
        <p class="choice">
          <input type="checkbox" id="forfeit" name="forfeit" value="yes" />
          <label for="forfeit">{words.forfeit(formatDollars(leftMicroUsdc, language))}</label>
        </p>
      ) : null}
      <label for="confirm">{words.confirm(words.word)}</label>
      <input
        id="confirm"
        name="confirm"
        required
        maxlength={40}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby={error === undefined ? undefined : 'error'}
      />
      <button class="danger">{words.button}</button>
    </form>
  );
};

/** The last page of an account. */
export const renderDeletedPage = (language: PageLanguage, isReached: boolean): Html => {
  const words = deleteWords[language];
  return renderDocument({
    title: words.deletedTitle,
    language,
    narrow: true,
    styles: ACCOUNT_STYLES,
    children: (
      <>
        <p role="status">{words.deleted}</p>
        {isReached ? null : <p class="note">{words.deletedUnreached}</p>}
        <p class="buttons">
          <a class="button" href="/audit">
            {words.audit}
          </a>
          <a class="button quiet" href="/">
            {words.home}
          </a>
        </p>
      </>
    ),
  });
};
