import { type Html, renderDocument, renderHiddenFields } from './design/shell.tsx';
import { emailLinkWords } from './email-link-words.ts';
import type { PageLanguage } from './language/language.ts';

export type MailSentPage = {
  language: PageLanguage;
  /** As the person typed it, in our spelling. */
  email: string;
  /** Where a stack shows its mails that sends none. */
  mailsPage: string | undefined;
  backTo: string;
};

/** After a link was asked for: the same for everyone and for every address. */
export function renderMailSentPage({ language, email, mailsPage, backTo }: MailSentPage): Html {
  const words = emailLinkWords[language];
  return renderDocument({
    title: words.sentTitle,
    language,
    narrow: true,
    children: (
      <>
        <p class="lead">{words.sent(email)}</p>
        <p>{words.sentNext}</p>
        {mailsPage === undefined ? null : (
          <p class="note">
            {words.local} <a href={mailsPage}>{words.localLink}</a>
          </p>
        )}
        <p class="small">{words.sentLimits}</p>
        <p>
          <a href={backTo}>{words.again}</a>
        </p>
      </>
    ),
  });
}

export type LinkPage = {
  language: PageLanguage;
  csrf: string;
  token: string;
  seen: { is: 'good'; email: string; isForAccount: boolean } | { is: 'elsewhere' | 'gone' };
};

/** What the link of a mail shows: a button, since programs that read mail follow links; or why there is none. */
export function renderLinkPage({ language, csrf, token, seen }: LinkPage): Html {
  const words = emailLinkWords[language];
  if (seen.is !== 'good')
    return renderDocument({
      title: seen.is === 'gone' ? words.goneTitle : words.elsewhereTitle,
      language,
      narrow: true,
      children: (
        <>
          {seen.is === 'gone' ? null : <p>{words.elsewhere}</p>}
          <p>{seen.is === 'gone' ? words.gone : words.elsewhereNext}</p>
          <p class="buttons">
            <a class="button quiet" href="/signin">
              {words.title}
            </a>
          </p>
        </>
      ),
    });
  return renderDocument({
    title: seen.isForAccount ? words.titleAdd : words.title,
    language,
    narrow: true,
    children: (
      <form method="post" action="/signin/email/confirm">
        {renderHiddenFields({ csrf, token })}
        <p>{seen.isForAccount ? words.textAdd(seen.email) : words.text(seen.email)}</p>
        <button>{seen.isForAccount ? words.buttonAdd : words.button}</button>
      </form>
    ),
  });
}
