import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { type KeyToken, readKeyFile, requestTokenByKey } from './key-token.ts';
import { printStoredToken } from './command.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';

const options = {
  key: { type: 'string' },
  resource: { type: 'string' },
  scope: { type: 'string' },
  base: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/**
 * `sightline token --key <file>`: prints an access token for the service account of a key file, alone on its line, for
 * programs that do not honour `token_uri` themselves. Without a key file: the token that `sightline login` keeps.
 */
export async function runTokenCommand(args: readonly string[]): Promise<number> {
  const wanted = parseArguments(args, options, { positionals: false });
  if (typeof wanted === 'string') return printUsageError(wanted);
  const { key, resource, scope, json, base } = wanted.values;
  if (key === undefined) {
    const needsKey = resource ?? scope ?? (json ? '' : undefined);
    return needsKey === undefined
      ? printStoredToken(base)
      : printUsageError('--resource, --scope and --json go with --key.');
  }
  if (base !== undefined) return printUsageError('--base goes without --key: the key file names its service.');
  const file = await readKeyFile(key);
  if (!file.ok) return printFailure(file.detail, EXIT.usage);
  return print(await requestTokenByKey({ keyFile: file.text, resource, scope }, fetch, Date.now()), json);
}

function print(token: KeyToken, json: boolean): number {
  if (token.ok) {
    process.stdout.write(`${json ? formatSafeJson(token.answer) : token.accessToken}\n`);
    return EXIT.done;
  }
  const text = `${token.reason}: ${formatSafeLine(token.detail)}`;
  if (token.reason === 'service_unreachable') return printFailure(text, EXIT.unreachable);
  return printFailure(
    text,
    token.reason === 'token_refused' || token.reason === 'redirected' ? EXIT.below : EXIT.usage,
  );
}
