import { isIP } from 'node:net';
import { allowPublicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { findFailureWords, refuseUnreadSite } from '../core/unreachable.ts';
import { createLocalFetch } from './local-fetch.ts';

/** What a user typed as a site: the address to read, and the one to try where that one cannot be connected to. */
export type TypedTarget = { ok: true; url: string; other?: string } | { ok: false; failure: CommandFailure };

/**
 * Reads a typed address. Private ones pass where they are typed: the person at this machine may audit what runs on it
 * (rule F1). A bare host is https, and http where that cannot connect; on this machine and in its network, http comes
 * first.
 */
export function parseTypedTarget(text: string): TypedTarget {
  const typed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return parseFull(typed);
  const first = isLocalHost(typed) ? 'http' : 'https';
  const read = parseFull(`${first}://${typed}`);
  const other = read.ok ? parseFull(`${first === 'http' ? 'https' : 'http'}://${typed}`) : read;
  return read.ok && other.ok ? { ...read, other: other.url } : read;
}

function parseFull(full: string): TypedTarget {
  const target = parseTargetUrl(full, allowPublicAnd(URL.canParse(full) ? [full] : [], { alternatePorts: true }));
  if (target.ok) return { ok: true, url: target.url.href };
  const { means, next } = findFailureWords(target.reason);
  const failure = refuseUsage(`${formatSafeLine(full)}: ${means}`, next);
  return { ok: false, failure: { ...failure, reason: target.reason, detail: [formatSafeLine(target.detail)] } };
}

/** Whether a bare host is of this machine or its network: such servers rarely speak https. */
function isLocalHost(typed: string): boolean {
  const url = URL.parse(`http://${typed}`);
  if (url === null) return false;
  const { hostname } = url;
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0;
}

/** A wrong certificate is a connection: the site is to be read by https, and its owner to correct it. */
const CERTIFICATE = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY/;

export type ChosenAddress = { ok: true; url: string } | { ok: false; failure: CommandFailure };

/** The address of a typed site that can be connected to. Only a bare host is asked for it, with a request or two. */
export async function chooseAddress(
  { url, other }: Extract<TypedTarget, { ok: true }>,
  sayNote: SayNote,
  createFetch: (url: string) => GuardedFetch = createLocalFetch,
): Promise<ChosenAddress> {
  const first = other === undefined ? undefined : await findConnectionFault(url, createFetch);
  if (other === undefined || first === undefined) return { ok: true, url };
  const second = await findConnectionFault(other, createFetch);
  if (second !== undefined) {
    const tried = [`HEAD ${url}: ${first}`, `HEAD ${other}: ${second}`];
    return { ok: false, failure: refuseUnreadSite(new URL(url).host, 'connection_failed', tried) };
  }
  sayNote(`${formatSafeLine(url)} could not be connected to; using ${formatSafeLine(other)}.`);
  return { ok: true, url: other };
}

/** Why no connection can be made; undefined where one can. */
async function findConnectionFault(
  url: string,
  createFetch: (url: string) => GuardedFetch,
): Promise<string | undefined> {
  const answer = await createFetch(url)({ url, method: 'HEAD' });
  const isFault = !answer.ok && answer.reason === 'connection_failed' && !CERTIFICATE.test(answer.detail);
  return isFault ? answer.detail : undefined;
}

export type ChosenSites = { ok: true; urls: readonly string[] } | { ok: false; failure: CommandFailure };

/** The addresses of typed sites, each judged before any is connected to. */
export async function resolveTypedSites(texts: readonly string[], sayNote: SayNote): Promise<ChosenSites> {
  const targets = texts.map(parseTypedTarget);
  const urls: string[] = [];
  for (const target of targets) if (!target.ok) return target;
  for (const target of targets) {
    const chosen = target.ok ? await chooseAddress(target, sayNote) : target;
    if (!chosen.ok) return chosen;
    urls.push(chosen.url);
  }
  return { ok: true, urls };
}
