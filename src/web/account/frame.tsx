import type { Child } from 'hono/jsx';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { Time } from '../design/parts.tsx';
import { type Html, renderDocument, renderHiddenFields, type ShellProps } from '../design/shell.tsx';
import { accountWords, type Done } from './account-words.ts';

/** What every page of an account has. */
export type AccountFrame = {
  language: PageLanguage;
  /** The token of the session's forms. */
  csrf: string;
  /** The address of the first wallet; undefined for an account without one. */
  address: string | undefined;
  /** What names the owner of an account without a wallet: an e-mail address, or '' where there are passkeys alone. */
  holder?: string | undefined;
  /** The sections that this account has. */
  nav: readonly AccountLink[];
  /** Path and query of the page. */
  path: string;
  /** What was just done. */
  done?: Done | undefined;
};

export type AccountLink = { path: string; title: string };

type AccountPage = AccountFrame & {
  title: string;
  scripts?: readonly string[];
  /** Style sheets beside those of every page of an account. */
  styles?: readonly string[];
  /** The same page in other forms. */
  links?: ShellProps['links'];
  children: Child;
};

export const ACCOUNT_STYLES = ['/web/account.css'] as const;

const Holder = ({ language, holder }: Pick<AccountFrame, 'language' | 'holder'>) => {
  const words = accountWords[language];
  if (holder === undefined) return <>{words.operator}</>;
  return holder === '' ? <>{words.passkeyAccount}</> : <code>{holder}</code>;
};

/** A page of an account: who is signed in, the sections, and its own part. */
export const renderAccountFrame = (page: AccountPage): Html => {
  const { title, scripts = [], styles = [], links = [], children, ...frame } = page;
  const { language, address, holder = address, nav, path, done } = frame;
  const words = accountWords[language];
  const [here] = path.split('?', 1);
  return renderDocument({
    title,
    language,
    path,
    scripts,
    styles: [...ACCOUNT_STYLES, ...styles],
    links,
    ownHeading: true,
    children: (
      <div class="account">
        <nav class="sections" aria-label={words.navigation}>
          <ul>
            {[{ path: '/account', title: words.overview }, ...nav].map((link) => (
              <li>
                <a href={link.path} aria-current={getPlace(link.path, here)}>
                  {link.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="section">
          <h1>{title}</h1>
          <p class="small who">
            {words.signedInAs} <Holder language={language} holder={holder} />
          </p>
          {done === undefined ? null : (
            <p class="note" role="status">
              {words.done[done]}
            </p>
          )}
          {children}
        </div>
      </div>
    ),
  });
};

/** Where one is: the page of a section, or one below it. */
function getPlace(path: string, here = ''): 'page' | 'true' | undefined {
  if (path === here) return 'page';
  return path !== '/account' && here.startsWith(`${path}/`) ? 'true' : undefined;
}

/** A form of one button. */
export const OneButton = ({
  action,
  fields,
  label,
  name,
  look = 'quiet',
}: {
  action: string;
  fields: Readonly<Record<string, string>>;
  label: string;
  /** What the button is called where several have the same label. */
  name?: string | undefined;
  look?: 'quiet' | 'main' | 'danger';
}) => (
  <form method="post" action={action}>
    {renderHiddenFields(fields)}
    <button class={look === 'main' ? undefined : look} aria-label={name}>
      {label}
    </button>
  </form>
);

/** In the place of what could not be asked for: never shown as nothing. */
export const NotReadable = ({ language }: { language: PageLanguage }) => (
  <p class="warning" role="status">
    {accountWords[language].notReadable}
  </p>
);

/** An amount at the end of a line; `sign` says which way it went. */
export const Amount = ({
  microUsd,
  language,
  sign = '',
}: {
  microUsd: number;
  language: PageLanguage;
  sign?: '+' | '−' | '';
}) => (
  <>
    {sign}
    {formatDollars(microUsd, language)}
  </>
);

export const When = ({ ms }: { ms: number }) => <Time ms={ms} />;
