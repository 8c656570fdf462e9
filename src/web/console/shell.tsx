import type { Child } from 'hono/jsx';
import { ASSETS, renderDocument, type Html, type NavItem } from '../design/shell.tsx';
import { Time } from '../design/parts.tsx';
import { HiddenFields } from './forms.tsx';

export const CONSOLE_HOME = '/console/';
const STYLES = [`${ASSETS}/console.css`];

export type ConsoleShell = {
  title: string;
  nav: readonly NavItem[];
  /** Path of the entry of `nav` that the page belongs to. */
  path: string;
  operator: { name: string };
  signedInAtMs: number;
  csrf: string;
  /** What the action before came to, in our words. */
  said?: string | undefined;
  scripts?: readonly string[];
  /** Path of the page with its query, for the switch of its refreshing; none on pages without one. */
  here?: string | undefined;
  children: Child;
};

/** Seconds between two loads of a page that refreshes itself. */
const REFRESH_S = 30;
const REFRESH = 'refresh';

/** A page of the console: its navigation, who is signed in, and the way out. */
export const renderConsoleShell = ({ said, children, ...shell }: ConsoleShell): Html => {
  const { title, nav, path, operator, signedInAtMs, csrf, scripts = [], here } = shell;
  return renderDocument({
    title,
    nav,
    ...(nav.length === 0 ? {} : { menu: <ConsoleMenu items={nav} path={path} /> }),
    path,
    home: CONSOLE_HOME,
    styles: STYLES,
    scripts,
    ...(isRefreshing(here) ? { head: <meta http-equiv="refresh" content={String(REFRESH_S)} /> } : {}),
    footer: <SignedIn name={operator.name} sinceMs={signedInAtMs} csrf={csrf} />,
    children: (
      <>
        {said === undefined ? null : (
          <p class="note" role="status">
            {said}
          </p>
        )}
        {here === undefined ? null : <RefreshSwitch here={here} />}
        {children}
      </>
    ),
  });
};

/** Pages by what they are about, in the order of the menu; a page that is in no list is among the last. */
const GROUPS: readonly { title: string; paths: readonly string[] }[] = [
  {
    title: 'Money',
    paths: [
      '/console/',
      '/console/money',
      '/console/payments',
      '/console/cards',
      '/console/customers',
      '/console/published',
    ],
  },
  { title: 'Work', paths: ['/console/runs', '/console/dead-letters', '/console/channels'] },
  { title: 'Technical', paths: [] },
];

type MenuProps = { items: readonly NavItem[]; path: string };

/** The menu: groups beside each other, or on a telephone one line that opens, without a script. */
const ConsoleMenu = ({ items, path }: MenuProps) => (
  <>
    <nav class="menu" aria-label="Main">
      <MenuGroups items={items} path={path} />
    </nav>
    <details class="menu">
      <summary>Menu: {items.find(({ href }) => href === path)?.text ?? 'pages'}</summary>
      <nav aria-label="Main">
        <MenuGroups items={items} path={path} />
      </nav>
    </details>
  </>
);

const MenuGroups = ({ items, path }: MenuProps) => (
  <dl>
    {listGroups(items).map(({ title, pages }) => (
      <div>
        <dt>{title}</dt>
        <dd>
          <ul>
            {pages.map(({ href, text }) => (
              <li>
                <a href={href} aria-current={href === path ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </dd>
      </div>
    ))}
  </dl>
);

function listGroups(items: readonly NavItem[]): { title: string; pages: readonly NavItem[] }[] {
  const placed = new Set(GROUPS.flatMap(({ paths }) => paths));
  return GROUPS.map(({ title, paths }, at) => ({
    title,
    pages: items.filter(({ href }) => paths.includes(href) || (at === GROUPS.length - 1 && !placed.has(href))),
  })).filter(({ pages }) => pages.length > 0);
}

const isRefreshing = (here: string | undefined): boolean =>
  here !== undefined && new URLSearchParams(here.split('?')[1] ?? '').get(REFRESH) === String(REFRESH_S);

/** Off until it is asked for, and off again with a click: a page that reloads moves what one reads. */
const RefreshSwitch = ({ here }: { here: string }) => {
  const [path = '', query = ''] = here.split('?', 2);
  const isOn = isRefreshing(here);
  const fields = new URLSearchParams(query);
  if (isOn) fields.delete(REFRESH);
  else fields.set(REFRESH, String(REFRESH_S));
  const href = fields.size === 0 ? path : `${path}?${fields.toString()}`;
  return (
    <p class="small refresh">
      {isOn ? `This page loads again every ${REFRESH_S} seconds. ` : null}
      <a href={href}>{isOn ? 'Stop refreshing' : `Refresh every ${REFRESH_S} seconds`}</a>
    </p>
  );
};

const SignedIn = ({ name, sinceMs, csrf }: { name: string; sinceMs: number; csrf: string }) => (
  <div class="signed-in">
    <p>
      Signed in as <strong>{name}</strong> since <Time ms={sinceMs} />
    </p>
    <form method="post" action="/console/signout">
      <HiddenFields fields={{ csrf }} />
      <button class="quiet small">Sign out</button>
    </form>
  </div>
);

/** A page of the console without anyone signed in, or that leads to nothing: one message, or a form. */
export const renderConsoleMessage = (title: string, children: Child): Html =>
  renderDocument({ title, nav: [], home: CONSOLE_HOME, narrow: true, styles: STYLES, children });
