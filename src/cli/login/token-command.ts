import { parseCommand } from '../commands/parse.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { type KeyToken, readKeyFile, requestTokenByKey } from './key-token.ts';
import { printStoredToken } from './command.ts';
import { formatSafeJson } from '../core/terminal.ts';

/**
 * `sightline token --key <file>`: prints an access token for the service account of a key file, alone on its line, for
 * programs that do not honour `token_uri` themselves. Without a key file: the token that `sightline login` keeps.
 */
export async function runTokenCommand(args: readonly string[]): Promise<CommandEnd> {
  const wanted = parseCommand('token', args);
  if (isFailure(wanted)) return wanted;
  const { key, resource, scope, json = false, base, monitors = false, hosts = false } = wanted.values;
  if (key === undefined) {
    const needsKey = resource ?? scope ?? (json ? '' : undefined);
    return needsKey === undefined
      ? printStoredToken(base, { monitors, hosts })
      : refuseUsage('--resource, --scope and --json go with --key.');
  }
  if (monitors || hosts) return refuseUsage('--monitors and --hosts go without --key, which takes --resource.');
  if (base !== undefined) return refuseUsage('--base goes without --key: the key file names its service.');
  const file = await readKeyFile(key);
  if (!file.ok) return refuseCommand('key_file_unusable', file.detail, EXIT.usage);
  return print(await requestTokenByKey({ keyFile: file.text, resource, scope }, fetch, Date.now()), json);
}

function print(token: KeyToken, json: boolean): CommandEnd {
  if (!token.ok) return refuseToken(token);
  process.stdout.write(`${json ? formatSafeJson(token.answer) : token.accessToken}\n`);
  return EXIT.done;
}

function refuseToken({ reason, detail }: KeyToken & { ok: false }): CommandFailure {
  const isRefused = reason === 'token_refused' || reason === 'redirected';
  const exit = reason === 'service_unreachable' ? EXIT.unreachable : isRefused ? EXIT.below : EXIT.usage;
  return refuseCommand(reason, `${reason}: ${detail}`, exit);
}
