import type { Child } from 'hono/jsx';
import { html } from 'hono/html';
import { brand } from '../brand.ts';
import { DEFAULT_LANGUAGE, type PageLanguage, LANGUAGE_NAMES, LANGUAGES } from '../language/language.ts';
import { shellWords } from './shell-words.ts';

/** What a page is made of: text put into it is escaped. */
export type Html = ReturnType<typeof html>;

export type NavItem = { href: string; text: string };

export type ShellProps = {
  /** The page's own title; the name of the service follows it. */
  title: string;
  /** The language of the frame, and of the page as far as it is translated. */
  language?: PageLanguage;
  /** For search results; only pages that may be found have one. */
  description?: string;
  /** Absolute address of the page where it has one address only. */
  canonical?: string;
  /** Whether search engines may show the page. Nothing may, unless it says so (rule X5). */
  index?: boolean;
  /** Paths of scripts of ours; each is a module that the page works without. */
  scripts?: readonly string[];
  /** Paths of style sheets besides the site's own. */
  styles?: readonly string[];
  /** `<link>` elements of the page: other forms of the same thing. */
  links?: readonly { rel: string; href: string; type?: string; title?: string }[];
  /** What else is in the head: descriptions of the page for machines. */
  head?: Child;
  nav?: readonly NavItem[];
  /** In place of the navigation that is made of `nav`. */
  menu?: Child;
  /** Where the name of the service leads: `/` when absent. */
  home?: string;
  /** Path of the page, for the navigation to say where one is. */
  path?: string;
  /** Forms and single messages: a narrow column. */
  narrow?: boolean;
  /** The heading of the page is in `children`, and no `<h1>` is made of the title. */
  ownHeading?: boolean;
  footer?: Child;
  children?: Child;
};

/** Where static files of the Workers lie: both serve the same style sheet under their own origin. */
export const ASSETS = '/web';

/** Where the form of the language switch is sent. */
export const LANGUAGE_PATH = '/language';

const listNav = (language: PageLanguage): readonly NavItem[] => {
  const { nav } = shellWords[language];
  return [
    { href: '/audit', text: nav.audit },
    { href: '/visibility', text: nav.measure },
    { href: '/prices', text: nav.prices },
    { href: '/docs/', text: nav.docs },
    { href: '/account', text: nav.account },
  ];
};

/** A whole page: one style sheet, scripts of ours only, nothing from elsewhere. */
export const renderDocument = (props: ShellProps): Html => html`<!doctype html>${<Shell {...props} />}`;

const Shell = (props: ShellProps) => {
  const { title, home = '/', path, narrow = false, ownHeading = false, menu, footer, children } = props;
  const { language = DEFAULT_LANGUAGE, nav = listNav(language) } = props;
  const words = shellWords[language];
  return (
    <html lang={language}>
      <Head {...props} />
      <body>
        <a class="skip" href="#main">
          {words.skip}
        </a>
        <header class="top">
          <div>
            <a class="brand" href={home}>
              <img src={`${ASSETS}/icon.svg`} alt="" width="28" height="28" />
              {brand.name}
            </a>
            {menu ?? null}
            {menu !== undefined || nav.length === 0 ? null : (
              <Nav items={nav} path={path} label={words.mainNavigation} />
            )}
          </div>
        </header>
        <main id="main" class={narrow ? 'narrow' : undefined}>
          {ownHeading ? null : <h1>{title}</h1>}
          {children}
        </main>
        <footer class="foot">
          <div>{footer ?? <Foot isOwn={home === '/'} language={language} path={path} />}</div>
        </footer>
      </body>
    </html>
  );
};

const Head = ({
  title,
  description,
  canonical,
  index = false,
  scripts = [],
  styles = [],
  links = [],
  head,
}: ShellProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    {index ? null : <meta name="robots" content="noindex" />}
    <title>{title === brand.name ? title : `${title} · ${brand.name}`}</title>
    {description === undefined ? null : <meta name="description" content={description} />}
    {canonical === undefined ? null : <link rel="canonical" href={canonical} />}
    {links.map((link) => (
      <link {...link} />
    ))}
    <link rel="icon" href={`${ASSETS}/icon.svg`} type="image/svg+xml" />
    <link rel="stylesheet" href={`${ASSETS}/site.css`} />
    {styles.map((href) => (
      <link rel="stylesheet" href={href} />
    ))}
    {scripts.map((src) => (
      <script type="module" src={src}></script>
    ))}
    {head}
  </head>
);

/** The foot of the service's own pages; the console lies elsewhere and has none of them. */
const Foot = ({ isOwn, language, path }: { isOwn: boolean; language: PageLanguage; path: string | undefined }) => (
  <>
    <p>
      {shellWords[language].tagline}. {shellWords[language].licence}
    </p>
    {isOwn ? (
      <>
        <ul class="links">
          {listFoot(language).map(({ href, text }) => (
            <li>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
        <LanguageSwitch language={language} path={path} />
      </>
    ) : null}
  </>
);

const listFoot = (language: PageLanguage): readonly NavItem[] => {
  const { foot } = shellWords[language];
  return [
    { href: '/about', text: foot.about },
    { href: '/accuracy', text: foot.accuracy },
    { href: '/contact', text: foot.contact },
    { href: '/privacy', text: foot.privacy },
    { href: '/terms', text: foot.terms },
    { href: '/llms.txt', text: 'llms.txt' },
    { href: '/openapi.json', text: 'OpenAPI' },
  ];
};

/** Works without scripts: a form, whose answer leads back to the page. */
const LanguageSwitch = ({ language, path = '/' }: { language: PageLanguage; path?: string | undefined }) => (
  <form class="languages" method="post" action={LANGUAGE_PATH} aria-label={shellWords[language].language}>
    <input type="hidden" name="to" value={path} />
    {LANGUAGES.map((each) => (
      <button class="quiet small" name="language" value={each} lang={each} aria-pressed={String(each === language)}>
        {LANGUAGE_NAMES[each]}
      </button>
    ))}
  </form>
);

const Nav = ({ items, path, label }: { items: readonly NavItem[]; path?: string | undefined; label: string }) => (
  <nav aria-label={label}>
    <ul>
      {items.map(({ href, text }) => (
        <li>
          <a href={href} aria-current={getCurrent(href, path)}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Where one is: the page itself, or the part of the service that the page belongs to. */
function getCurrent(href: string, path = ''): 'page' | 'true' | undefined {
  const [here = ''] = path.split('?', 1);
  if (here === href) return 'page';
  return !href.endsWith('/') && here.startsWith(`${href}/`) ? 'true' : undefined;
}

export type PageProps = {
  title: string;
  main: Html;
  /** Path of a script of ours, for a page that needs one. */
  script?: string;
  language?: PageLanguage;
};

/** A page of forms or of one message: a narrow column. */
export const renderPage = ({ title, main, script, language = DEFAULT_LANGUAGE }: PageProps): Html =>
  renderDocument({
    title,
    language,
    narrow: true,
    children: main,
    ...(script === undefined ? {} : { scripts: [script] }),
  });

/** Fields that every form of ours carries. */
export const renderHiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
