import type { SellerReading } from './reading/sighting.ts';

/** Why nothing of a seller could be read, one request; undefined where any answer came. */
export function findUnreadReason({ sightings }: Pick<SellerReading, 'sightings'>): string | undefined {
  const all = Object.values(sightings);
  const [first] = all;
  if (first === undefined || all.some(({ answer }) => answer.ok)) return undefined;
  return `${first.method} ${first.url}: ${first.answer.ok ? '' : first.answer.detail}`.slice(0, 300);
}
