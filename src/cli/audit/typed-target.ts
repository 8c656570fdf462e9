import { isIP } from 'node:net';
import { allowPublicAnd } from '../../net/address-policy.ts';
import { parseTargetUrl } from '../../net/canonical-url.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { type CommandFailure, refuseUsage } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { unreachableRows } from '../core/unreachable-data.ts';
import { createLocalFetch } from './local-run.ts';

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
  const { means, next } = unreachableRows[target.reason];
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

/** The address of a typed site that can be connected to. Only a bare host is asked for it, with one request. */
export async function chooseAddress(
  typed: Extract<TypedTarget, { ok: true }>,
  sayNote: SayNote,
  createFetch: (url: string) => GuardedFetch = createLocalFetch,
): Promise<string> {
  const { url, other } = typed;
  if (other === undefined || !(await isUnconnectable(url, createFetch))) return url;
  if (await isUnconnectable(other, createFetch)) return url;
  sayNote(`${formatSafeLine(url)} could not be connected to; using ${formatSafeLine(other)}.`);
  return other;
}

async function isUnconnectable(url: string, createFetch: (url: string) => GuardedFetch): Promise<boolean> {
  const answer = await createFetch(url)({ url, method: 'HEAD' });
  return !answer.ok && answer.reason === 'connection_failed' && !CERTIFICATE.test(answer.detail);
}

export type ChosenSites = { ok: true; urls: readonly string[] } | { ok: false; failure: CommandFailure };

/** The addresses of typed sites, each judged before any is connected to. */
export async function resolveTypedSites(texts: readonly string[], sayNote: SayNote): Promise<ChosenSites> {
  const targets = texts.map(parseTypedTarget);
  const urls: string[] = [];
  for (const target of targets) if (!target.ok) return target;
  for (const target of targets) if (target.ok) urls.push(await chooseAddress(target, sayNote));
  return { ok: true, urls };
}
