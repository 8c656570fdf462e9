/** The least share of words that two questions have in common to be shown side by side. */
export const MIN_WORD_OVERLAP = 0.5;

/** A prompt of our own that a query of a source comes near to. */
export type NearPrompt = {
  prompt: string;
  /** `same`: equal but for case, punctuation and spaces. */
  match: 'same' | 'similar';
  /** Words in both, of the words in either, 0 to 1. */
  overlap: number;
};

type SplitPrompt = { prompt: string; folded: string; words: ReadonlySet<string> };

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text, in one spelling of case and width; languages without spaces are split by the runtime's dictionary. */
function splitWords(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  return [...segmenter.segment(folded)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** Finds for a query the prompt with the most words in common. Words only are compared: nothing guesses what is meant. */
export function createPromptFinder(prompts: readonly string[]): (query: string) => NearPrompt | null {
  const split: readonly SplitPrompt[] = prompts.map((prompt) => {
    const words = splitWords(prompt);
    return { prompt, folded: words.join(' '), words: new Set(words) };
  });
  return (query) => {
    const words = splitWords(query);
    const folded = words.join(' ');
    const same = split.find((one) => one.folded === folded && folded !== '');
    if (same !== undefined) return { prompt: same.prompt, match: 'same', overlap: 1 };
    const wanted = new Set(words);
    let best: NearPrompt | null = null;
    for (const one of split) {
      const overlap = computeOverlap(wanted, one.words);
      if (overlap >= MIN_WORD_OVERLAP && overlap > (best?.overlap ?? 0))
        best = { prompt: one.prompt, match: 'similar', overlap };
    }
    return best;
  };
}

function computeOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  const either = one.size + other.size - both;
  return either === 0 ? 0 : both / either;
}
