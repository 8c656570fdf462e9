import { capabilityTitles } from '../../capabilities/titles-data.ts';

const PACK = /^credits_(\d{1,6})$/;
const titles: Readonly<Record<string, string>> = capabilityTitles;

/** What people call what was sold, as on the page of prices; its id where it is no longer sold. */
export function formatSoldName(id: string): string {
  const dollars = PACK.exec(id)?.[1];
  if (dollars !== undefined) return `Credits of ${dollars} USD`;
  return Object.hasOwn(titles, id) ? (titles[id] ?? id) : id;
}
