import { CLOUDFLARE_API } from '../../deploy/api.ts';
import { isLoopback } from '../buy/service.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';

/**
 * The API to deploy with. Another one gets the login and every secret, so that the environment alone cannot choose it:
 * --api-base must say the same, and must be on this machine.
 */
export function readApiBase(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | CommandFailure {
  const fromEnvironment = env['CLOUDFLARE_API_BASE_URL'];
  if (given === undefined && (fromEnvironment === undefined || fromEnvironment === '')) return CLOUDFLARE_API;
  if (given === undefined)
    return refuseUsage(
      'CLOUDFLARE_API_BASE_URL is set: the login and every secret would go to that address.',
      'Unset it. For a substitute on this machine, give the same address as --api-base.',
    );
  if (fromEnvironment !== undefined && fromEnvironment !== '' && fromEnvironment !== given)
    return refuseUsage('--api-base and CLOUDFLARE_API_BASE_URL name two addresses.', 'Unset the variable.');
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !isLoopback(url.hostname) || url.username !== '' || url.search !== '')
    return refuseUsage('--api-base takes an address on this machine, such as http://127.0.0.1:8793/client/v4.');
  return given.replace(/\/$/, '');
}

/** Reads `--resolve HOST=URL`: where a host answers, or every host (`*`), for a stand-in on this machine. */
export function readResolve(
  words: readonly string[],
  isStandIn: boolean,
): ReadonlyMap<string, string> | CommandFailure {
  if (words.length > 0 && !isStandIn)
    return refuseUsage('--resolve is for a substitute on this machine: give --api-base too.');
  const hosts = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    const [host, target] = [word.slice(0, at), word.slice(at + 1)];
    if (at < 1 || !URL.canParse(target) || !isLoopback(new URL(target).hostname))
      return refuseUsage('--resolve takes HOST=URL with a URL on this machine.');
    hosts.set(host, target.replace(/\/$/, ''));
  }
  return hosts;
}
