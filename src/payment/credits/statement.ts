import { type CreditLine, isDebit } from './credit-line.ts';

/** Movements of one kind, or calls of one capability. Negative where they took from the balance. */
type SummedLines = { kind: CreditLine['kind']; capability: string; count: number; microUsdc: number };

export type CreditStatement = {
  rows: readonly SummedLines[];
  /** Undefined: a top-up of before there were lines does not say what was left after it. */
  openingMicroUsdc: number | undefined;
  closingMicroUsdc: number | undefined;
};

const signAmount = (line: CreditLine): number => (isDebit(line) ? -line.amountMicroUsdc : line.amountMicroUsdc);

/** The movements of a time, newest first, as sums: what came first, then calls by what they cost. */
export function sumCreditLines(lines: readonly CreditLine[]): CreditStatement {
  const sums = new Map<string, SummedLines>();
  for (const line of lines) {
    const capability = line.kind === 'call' ? line.capability : '';
    const key = `${line.kind} ${capability}`;
    const known = sums.get(key) ?? { kind: line.kind, capability, count: 0, microUsdc: 0 };
    sums.set(key, { ...known, count: known.count + 1, microUsdc: known.microUsdc + signAmount(line) });
  }
  const [newest, oldest] = [lines[0], lines.at(-1)];
  const after = oldest?.balanceMicroUsdc ?? undefined;
  return {
    rows: [...sums.values()].toSorted((left, right) => right.microUsdc - left.microUsdc),
    openingMicroUsdc: oldest === undefined || after === undefined ? undefined : after - signAmount(oldest),
    closingMicroUsdc: newest?.balanceMicroUsdc ?? undefined,
  };
}
