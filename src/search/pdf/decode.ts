import { from85, fromHex } from './ascii.ts';
import type { PdfBytes } from './bytes.ts';
import type { Chain, Step } from './filters.ts';
import { type Budget, inflated } from './inflate.ts';
import { lzwDecoded } from './lzw.ts';
import { unpredicted } from './predictor.ts';
import { runLengthsDecoded } from './run-lengths.ts';

/**
 * What the filters of a stream make of its data. All that they make on the way is taken from the budget.
 * @param known what the data inflates to, if that was found out already
 * @returns undefined where it comes to more than the budget
 */
export async function decoded(
  data: Uint8Array<ArrayBuffer>,
  chain: Chain,
  budget: Budget,
  known: Uint8Array<ArrayBuffer> | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let made = data;
  for (const [index, step] of chain.entries()) {
    made = index === 0 && step.does === 'inflate' && known ? known : await stepped(made, step, budget);
    if (budget.left < 0) return undefined;
  }
  return made;
}

async function stepped(data: Uint8Array<ArrayBuffer>, step: Step, budget: Budget): Promise<Uint8Array<ArrayBuffer>> {
  switch (step.does) {
    case 'inflate':
      return (await inflated(data, data.length, budget)) ?? new Uint8Array(); // A reader takes nothing else.
    case 'lzw':
      return within(lzwDecoded(data, step.early, Math.max(0, budget.left)), budget);
    case 'run-lengths':
      return within(runLengthsDecoded(data, Math.max(0, budget.left)), budget);
    case 'hex':
      return counted(fromHex(data), budget);
    case 'base-85':
      return counted(from85(data), budget);
    case 'predict':
      return counted(unpredicted(data, step.predictor), budget);
    case 'picture':
      throw new TypeError('pictures are not decoded');
  }
}

function within(made: PdfBytes, budget: Budget): Uint8Array<ArrayBuffer> {
  const bytes = counted(made.made(), budget);
  if (made.isCut) budget.left = -1;
  return bytes;
}

function counted(bytes: Uint8Array<ArrayBuffer> | undefined, budget: Budget): Uint8Array<ArrayBuffer> {
  budget.left = bytes === undefined ? -1 : budget.left - bytes.length;
  return bytes ?? new Uint8Array();
}
