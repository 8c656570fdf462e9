import { type HostClass, classifyHost, classifyResolved, withoutTrailingDot } from './address.ts';

/** Why a policy will not have a URL fetched; `detail` is a sentence for a report. */
export type PolicyRefusal = { ok: false; reason: 'invalid_url' | 'port_refused' | 'private_target'; detail: string };

/**
 * Which addresses a fetch may reach. Both methods return undefined for "allowed".
 * One policy serves one audit: it holds the origins that the user of THIS audit typed.
 */
export type AddressPolicy = {
  /** Judges the host and port of a parsed http(s) URL, before DNS. `from` is the URL that redirected to it. */
  checkUrl: (url: URL, from?: URL) => PolicyRefusal | undefined;
  /** Judges one address that the name of `url` resolved to. Asks after `checkUrl` allowed that URL. */
  checkAddress: (url: URL, address: string) => PolicyRefusal | undefined;
};

export type PublicPorts = {
  /** Allow 8080 and 8443 beside 80 and 443. */
  alternatePorts?: boolean;
};

const WEB_PORTS = [80, 443];
const ALTERNATE_PORTS = [8080, 8443];

/** Public addresses only: what runs on Workers. No setting opens anything else. */
export function allowPublicOnly(ports: PublicPorts = {}): AddressPolicy {
  return allowPublicAnd([], ports);
}

/**
 * Public addresses, plus exactly those of `typed` (URLs or origins that the user wrote) whose host itself is private,
 * on any port. A redirect from a public URL never reaches them, and a private name that resolves to a metadata address
 * is refused: such an address is read only if it was typed literally. A PUBLIC name that resolves inside stays refused,
 * typed or not: anyone who owns the name could point it anywhere.
 */
export function allowPublicAnd(typed: readonly string[], ports: PublicPorts = {}): AddressPolicy {
  const origins = new Set(typed.map((text) => getOrigin(new URL(text))));
  return {
    checkUrl(url, from) {
      const host = classifyHost(url.hostname);
      if (host.kind === 'public') return checkPort(url, ports);
      if (host.kind !== 'malformed' && origins.has(getOrigin(url)) && !isPublic(from)) return undefined;
      return refuseHost(url, host);
    },
    checkAddress(url, address) {
      const host = classifyHost(url.hostname);
      const found = classifyResolved(address);
      if (found.kind === 'public') return undefined;
      if (host.kind === 'public' || found.kind === 'malformed') return refuseAddress(url, address, found);
      return found.kind === 'metadata' && host.kind !== 'metadata' ? refuseAddress(url, address, found) : undefined;
    },
  };
}

/**
 * For the local stack: public addresses, plus loopback on every port but `ownPorts` (the stack's own services, which
 * an audited page must not reach through us). A redirect from a public URL never reaches loopback.
 */
export function allowLoopbackExcept(ownPorts: readonly number[], ports: PublicPorts = {}): AddressPolicy {
  return {
    checkUrl(url, from) {
      const host = classifyHost(url.hostname);
      if (host.kind === 'public') return checkPort(url, ports);
      if (host.kind !== 'loopback' || isPublic(from)) return refuseHost(url, host);
      if (!ownPorts.includes(getPort(url))) return undefined;
      return {
        ok: false,
        reason: 'private_target',
        detail: `port ${getPort(url)} of this machine belongs to this service`,
      };
    },
    checkAddress(url, address) {
      const found = classifyResolved(address);
      return found.kind === classifyHost(url.hostname).kind ? undefined : refuseAddress(url, address, found);
    },
  };
}

/** The port a URL names or its scheme implies. */
function getPort(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function getOrigin(url: URL): string {
  return `${url.protocol}//${withoutTrailingDot(url.hostname)}:${getPort(url)}`;
}

function isPublic(url: URL | undefined): boolean {
  return url !== undefined && classifyHost(url.hostname).kind === 'public';
}

function checkPort(url: URL, ports: PublicPorts): PolicyRefusal | undefined {
  const allowed = ports.alternatePorts ? [...WEB_PORTS, ...ALTERNATE_PORTS] : WEB_PORTS;
  if (allowed.includes(getPort(url))) return undefined;
  return { ok: false, reason: 'port_refused', detail: `port ${getPort(url)} is not one of ${allowed.join(', ')}` };
}

function refuseHost(url: URL, host: HostClass): PolicyRefusal {
  const detail = host.kind === 'public' ? 'the host is not allowed' : host.detail;
  const reason = host.kind === 'malformed' ? 'invalid_url' : 'private_target';
  return { ok: false, reason, detail: `${url.hostname}: ${detail}` };
}

function refuseAddress(url: URL, address: string, found: HostClass): PolicyRefusal {
  const detail = found.kind === 'public' ? 'a public address was not expected here' : found.detail;
  return { ok: false, reason: 'private_target', detail: `${url.hostname} resolves to ${address}: ${detail}` };
}
