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
  children: Child;
};

/** A page of the console: its navigation, who is signed in, and the way out. */
export const renderConsoleShell = ({ said, children, ...shell }: ConsoleShell): Html => {
  const { title, nav, path, operator, signedInAtMs, csrf, scripts = [] } = shell;
  return renderDocument({
    title,
    nav,
    path,
    home: CONSOLE_HOME,
    styles: STYLES,
    scripts,
    footer: <SignedIn name={operator.name} sinceMs={signedInAtMs} csrf={csrf} />,
    children: (
      <>
        {said === undefined ? null : (
          <p class="note" role="status">
            {said}
          </p>
        )}
        {children}
      </>
    ),
  });
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
