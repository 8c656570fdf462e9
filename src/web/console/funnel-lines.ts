import type { Revenue } from '../../console-api/operations.ts';

/** How far buyers came with one capability. Counts of what is not known are undefined. */
export type FunnelLine = {
  capability: string;
  asked: number | undefined;
  begun: number;
  delivered: number;
  onCredits: number | undefined;
  givenBack: number;
  failed: number;
  lost: number;
};

/** From the price to the delivery, a line a capability, those that are sold most first. */
export function listFunnel({ lines, unpaid, creditUses }: Revenue): FunnelLine[] {
  const sumOf = (found: readonly { capability: string; count: number }[]): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const { capability, count } of found) sums.set(capability, (sums.get(capability) ?? 0) + count);
    return sums;
  };
  const of = (kind: string): Map<string, number> => sumOf(lines.filter((line) => line.kind === kind));
  const [sales, released, failures, lost] = [of('sale'), of('released'), of('failure'), of('lost')];
  const asked = unpaid.read ? sumOf(unpaid.counts) : undefined;
  const credits = creditUses.read ? sumOf(creditUses.uses) : undefined;
  const all = [sales, released, failures, lost, asked, credits].flatMap((sums) => [...(sums?.keys() ?? [])]);
  return [...new Set(all)]
    .map((capability) => {
      const countOf = (sums: Map<string, number>): number => sums.get(capability) ?? 0;
      const [delivered, givenBack, failed] = [countOf(sales), countOf(released), countOf(failures)];
      return {
        capability,
        asked: asked && countOf(asked),
        begun: delivered + givenBack + failed,
        delivered,
        onCredits: credits && countOf(credits),
        givenBack,
        failed,
        lost: countOf(lost),
      };
    })
    .toSorted((a, b) => b.delivered - a.delivered || b.begun - a.begun || (b.asked ?? 0) - (a.asked ?? 0));
}
