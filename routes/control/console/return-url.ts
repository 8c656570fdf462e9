import { CONSOLE_HOME } from '../../../src/web/console/shell.tsx';
import { isSameText, computeSha256Hex } from '../../../src/lib/digest.ts';
import { consolePages } from './console-pages.ts';

export const SIGN_IN = '/console/signin';

const MAX_RETURN_CHARS = 2_048;
const MAX_SAID_CHARS = 300;
const SAID = 'said';
const SEAL = 'seal';

/** Where the browser goes on: to the console page that was asked for, else the overview. Never to another site. */
export function resolveConsoleReturn(given: string | undefined, origin: string): string {
  if (given === undefined || given.length > MAX_RETURN_CHARS || !URL.canParse(given, origin)) return CONSOLE_HOME;
  const url = new URL(given, origin);
  const isOurs = url.origin === new URL(origin).origin && consolePages.some(({ path }) => isAt(path, url.pathname));
  return isOurs ? `${url.pathname}${url.search}` : CONSOLE_HOME;
}

/** Whether a path is of this template, which may have parts like `:id`. */
function isAt(template: string, pathname: string): boolean {
  const [wanted, given] = [template.split('/'), pathname.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}

export const signInPath = (returnTo: string): string =>
  `${SIGN_IN}?${new URLSearchParams({ return_to: returnTo }).toString()}`;

/** The path of a page which shows that something was done. Sealed by the session: a link of a stranger's can show nothing. */
export async function buildNoticePath(to: string, said: string, session: string): Promise<string> {
  const text = said.slice(0, MAX_SAID_CHARS);
  const added = new URLSearchParams({ [SAID]: text, [SEAL]: await computeNoticeSeal(text, session) });
  return `${to}${to.includes('?') ? '&' : '?'}${added.toString()}`;
}

/** What a page is to show as done, and its address without that. */
export async function readNotice(given: URL, session: string): Promise<{ url: URL; said: string | undefined }> {
  const url = new URL(given);
  const text = url.searchParams.get(SAID);
  const seal = url.searchParams.get(SEAL) ?? '';
  url.searchParams.delete(SAID);
  url.searchParams.delete(SEAL);
  const isOurs = text !== null && isSameText(seal, await computeNoticeSeal(text, session));
  return { url, said: isOurs ? text : undefined };
}

const computeNoticeSeal = (text: string, session: string): Promise<string> =>
  computeSha256Hex(`said\n${session}\n${text}`);
