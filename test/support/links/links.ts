import { deadAddresses } from './dead-links-data.ts';

/** Marks that end a sentence and no address. */
const ENDS = /[:;,.)\]>'"]$/;
/** Addresses that only mean this machine, or no one. */
const OWN_MACHINE = /^(?:127\.0\.0\.1|\[::1\]|localhost)$|\.(?:example|test|invalid|localhost)$/;

/** What is wrong with an address that leads outside, by its form and the list of dead ones; undefined for a good one. */
export function findAddressFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return 'is no address';
  if (url.protocol === 'mailto:') return undefined;
  const isHere = OWN_MACHINE.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) return 'is not https';
  if (!isHere && !url.hostname.includes('.')) return 'has no domain';
  if (url.username !== '' || url.password !== '') return 'has a user name';
  if (ENDS.test(address)) return 'ends with a mark of the sentence';
  const dead = deadAddresses.find(({ begins }) => address === begins || address.startsWith(`${begins}/`));
  return dead === undefined ? undefined : `is dead: ${dead.why}`;
}
