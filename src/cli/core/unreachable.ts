import { type CommandFailure, refuseCommand } from './failure.ts';
import { formatSafeLine } from './terminal.ts';
import { unreachableRows } from './unreachable-data.ts';
import { EXIT } from './usage.ts';

/**
 * Why there is no result of a site: which address, what was tried, and what to check.
 * @param detail of the work: `connection_failed: no answer came (ECONNREFUSED)`
 */
export function describeUnreachable(reason: string, detail: string, urls: readonly string[]): CommandFailure {
  const [failure = '', ...said] = detail.split(': ');
  const row = Object.hasOwn(unreachableRows, failure)
    ? unreachableRows[failure as keyof typeof unreachableRows]
    : undefined;
  const where = urls.map((url) => formatSafeLine(url)).join(' and ');
  if (row === undefined) return refuseCommand(reason, `${where}: ${detail}`, EXIT.unreachable);
  return {
    reason: failure === '' ? reason : failure,
    message: `${where} could not be read. ${row.means}`,
    detail: [formatSafeLine(`Tried: GET ${where}: ${said.join(': ')}`)],
    next: row.next,
    exit: EXIT.unreachable,
  };
}
