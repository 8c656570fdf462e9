import * as z from 'zod';
import { ChainUndecided } from './chain.ts';

/** Most that a node lists at once. */
export const SIGNATURES_A_PAGE = 1_000;
/** A page that is too large is asked for again by half, down to this: pages of that many lines are always small enough. */
const LEAST_SIGNATURES_A_PAGE = 60;

/** Which transactions of an address are wanted: those between two times, in Unix seconds. */
export type SignatureSpan = {
  sinceS: number;
  untilS?: number | undefined;
  /** Only older ones than this signature, and only newer ones than that: what is between was not read yet. */
  before?: string | undefined;
  after?: string | undefined;
  /** Most answers of the node that are read, of SIGNATURES_A_PAGE each. */
  pages: number;
  /** Only final transactions are wanted, by a node that knows this slot as final; without it, confirmed ones as well. */
  finalSlot?: number | undefined;
  /** Before each call to the node. */
  onPage?: (() => void) | undefined;
};

export type ListedSignatures = {
  signatures: readonly string[];
  /** No other transaction is in the span, as the node has it. */
  isWhole: boolean;
  /** The oldest that was listed of those after the span: a later list may begin below it. */
  above?: string | undefined;
};

/** An answer is over its limit. */
export class AnswerTooLarge extends ChainUndecided {
  override name = 'AnswerTooLarge';
}

export const signaturesResult = z.array(z.object({ signature: z.string(), blockTime: z.number().nullish() }));
type Page = z.infer<typeof signaturesResult>;
type ReadPage = (options: object) => Promise<Page>;

/**
 * Turns the pages of a list back to the beginning of the span. A transaction without a time may be in it. Each page begins with
 * the last line of the one before: a node that lists nothing may not know where to go on, and one that lists few may have more.
 */
export async function listSignatures(span: SignatureSpan, readPage: ReadPage): Promise<ListedSignatures> {
  const { sinceS, untilS = Number.POSITIVE_INFINITY, pages, finalSlot } = span;
  const commitment =
    finalSlot === undefined ? { commitment: 'confirmed' } : { commitment: 'finalized', minContextSlot: finalSlot };
  const readFitting = createFittingReader(readPage, span.onPage);
  const signatures: string[] = [];
  let above: string | undefined;
  const end = (isWhole: boolean): ListedSignatures => ({
    signatures,
    isWhole,
    ...(above === undefined ? {} : { above }),
  });
  let { before } = span;
  let repeated: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const listed = await readFitting({ ...commitment, ...(before === undefined ? {} : { before }) });
    if (repeated !== undefined && listed[0]?.signature !== repeated) return end(false);
    for (const { signature, blockTime } of listed.slice(repeated === undefined ? 0 : 1)) {
      if (signature === span.after || (blockTime ?? sinceS) < sinceS) return end(true);
      if ((blockTime ?? sinceS) <= untilS) signatures.push(signature);
      else if (signatures.length === 0) above = signature;
    }
    // No line to begin the next page with: there is none, unless the node does not know the first cursor.
    if (listed.length <= 1) return end(listed.length === 1 || span.before === undefined);
    before = listed.at(-2)?.signature;
    repeated = listed.at(-1)?.signature;
  }
  return end(false);
}

/** Reads pages of fewer lines from where one was too large. */
function createFittingReader(readPage: ReadPage, onPage: SignatureSpan['onPage']): ReadPage {
  let limit = SIGNATURES_A_PAGE;
  return async (options) => {
    for (;;) {
      try {
        onPage?.();
        return await readPage({ limit, ...options });
      } catch (error) {
        if (!(error instanceof AnswerTooLarge) || limit <= LEAST_SIGNATURES_A_PAGE) throw error;
        limit = Math.max(Math.floor(limit / 2), LEAST_SIGNATURES_A_PAGE);
      }
    }
  };
}
