/** What an address below `/docs/` asks for. Each thing has one spelling: only that one is answered, and so remembered. */
export type DocsAddress =
  | { kind: 'page'; stem: string }
  | { kind: 'file'; path: string }
  | { kind: 'moved'; to: string }
  | { kind: 'nothing' };

const NOTHING: DocsAddress = { kind: 'nothing' };
/** Longer than any address of ours. */
const MAX_LENGTH = 300;
/** What the names of built files are made of; the index of the search begins with `@`. */
const NAME = /^[\w@-][\w@.-]*$/;
/** Files of the site that are no pages. */
const FILE = /\.(?:css|js|json|md|png|svg|txt)$/;

/**
 * Reads the path of a request as it was sent. Another spelling of the same path (`%2F`, doubled slashes, `.html`,
 * `index`) is `moved`, where it has the form of an address; everything else leads nowhere.
 */
export function parseDocsAddress(sent: string): DocsAddress {
  const decoded = sent.length > MAX_LENGTH ? undefined : decodePath(sent);
  if (decoded === undefined) return NOTHING;
  const path = decoded
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/');
  const names = path.split('/').slice(2);
  const isFolder = names.at(-1) === '';
  const isOurs = path.startsWith('/docs/') && (isFolder ? names.slice(0, -1) : names).every((name) => NAME.test(name));
  if (!isOurs) return NOTHING;
  if (path !== sent) return { kind: 'moved', to: path };
  if (FILE.test(path)) return { kind: 'file', path };
  return { kind: 'page', stem: isFolder ? `${path}index` : path };
}

function decodePath(sent: string): string | undefined {
  try {
    return decodeURIComponent(sent);
  } catch {
    return undefined; // Broken percent-encoding.
  }
}
