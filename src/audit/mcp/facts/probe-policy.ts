import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { SHARED_SUFFIXES } from '../../reach/facts/shared-suffixes-data.ts';

/**
 * Whether the audit may send an endpoint anything but GET and HEAD (rule F4): only on the audited origin, or on
 * hosts below its registrable domain. Addresses, single labels and neighbours below a provider's shared suffix are
 * strangers to each other, so there only the very same origin is probed.
 */
export function canProbe(audited: URL, endpoint: URL): boolean {
  if (endpoint.protocol !== 'https:' && endpoint.protocol !== 'http:') return false;
  if (audited.origin === endpoint.origin) return true;
  const domain = findOwnerDomain(audited.hostname);
  return domain !== undefined && domain === findOwnerDomain(endpoint.hostname);
}

/** The name one owner holds; undefined when the host names no owner. */
function findOwnerDomain(hostname: string): string | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (!host.includes('.') || host.startsWith('[') || /^[\d.]+$/.test(host)) return undefined;
  const labels = host.split('.');
  for (let count = Math.min(labels.length, 5); count >= 2; count -= 1) {
    if (!SHARED_SUFFIXES.has(labels.slice(-count).join('.'))) continue;
    return labels.length > count ? labels.slice(-(count + 1)).join('.') : undefined;
  }
  return getRegistrableDomain(host);
}
