/** A log name in parts: its container (`projects/p`), its id (`a/b`), and its one form (`projects/p/logs/a%2Fb`). */
export type LogName = { container: string; id: string; name: string };

/** The vendor's: a log id has fewer than 512 characters. */
const MAX_LOG_ID_CHARS = 511;
const LOG_NAME = /^((?:projects|folders|organizations|billingAccounts)\/[^/%\s]+)\/logs\/(.+)$/s;
const LOG_ID = /^[A-Za-z0-9/_.-]+$/;
/** An id that is encoded once arrives encoded twice from clients that encode paths themselves. */
const MAX_DECODINGS = 2;

/**
 * The parts of a log name. `a/b`, `a%2Fb` and `a%252Fb` are one id. Undefined for what is no log name, or has an id with
 * other characters than letters, digits, and `/_-.` (the vendor's).
 */
export function parseLogName(text: string): LogName | undefined {
  const [, container, sent] = LOG_NAME.exec(text) ?? [];
  const id = sent === undefined ? undefined : decodeLogId(sent);
  if (container === undefined || id === undefined || id.length > MAX_LOG_ID_CHARS || !LOG_ID.test(id)) return undefined;
  return { container, id, name: `${container}/logs/${id.replaceAll('/', '%2F')}` };
}

function decodeLogId(sent: string): string | undefined {
  let id = sent;
  try {
    for (let round = 0; round < MAX_DECODINGS && id.includes('%'); round += 1) id = decodeURIComponent(id);
  } catch {
    return undefined; // `%` without two digits after it.
  }
  return id;
}

/** The container that a name is in: `projects/p`. */
export const getNameContainer = (name: string): string => name.split('/', 2).join('/');

/**
 * Whether what an organization or folder includes reaches a container. All containers of a tenant are one tree here: an
 * organization is above every folder, project and billing account, a folder above every project and every other folder.
 */
export function isBelow(container: string, owner: string): boolean {
  if (container === owner || container.startsWith('organizations/')) return false;
  return owner.startsWith('organizations/') || /^(?:projects|folders)\//.test(container);
}
