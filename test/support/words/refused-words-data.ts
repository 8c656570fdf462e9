/** A word that no text for readers has, and what an editor writes instead. */
export type RefusedWord = {
  /** Without flags; it is searched in any case. */
  word: RegExp;
  instead: string;
};

/** Words of a private dialect, and words that a reader stumbles over. */
export const refusedWords: readonly RefusedWord[] = [
  { word: /\b(?:told|untold)\b/i, instead: 'said, reported, shown, notified' },
  { word: /\btells\b/i, instead: 'says, shows, reports' },
  { word: /\bstands?\b(?! for\b| out\b| alone\b| next\b)/i, instead: 'is, are' },
  { word: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  { word: /\bsomebody\b/i, instead: 'someone' },
  { word: /\bnobody\b/i, instead: 'no one' },
  { word: /\banybody\b/i, instead: 'anyone' },
  { word: /\b(?:whoever|whosoever)\b/i, instead: 'anyone who, those who' },
  { word: /\berrands?\b/i, instead: 'task' },
  { word: /\blooked at\b/i, instead: 'read, checked' },
  { word: /\bcould not look\b/i, instead: 'could not check' },
  { word: /\b(?:is|are|was|were|be|been|not) kept\b|\bkept (?:for|until|here|in|by)\b|\bkept \d/i, instead: 'stored' },
  { word: /\banew\b/i, instead: 'again' },
  { word: /\bcalled off\b/i, instead: 'cancelled' },
  { word: /\bof ours\b/i, instead: 'our' },
  { word: /\bbesides\b/i, instead: 'as well, too' },
  { word: /\bin part\b/i, instead: 'partly' },
  { word: /\bby (?:itself|themselves) in vain\b|\bin vain\b/i, instead: 'without success' },
  { word: /\bupon\b/i, instead: 'on' },
  { word: /\b(?:thereof|therein|thereby|hereby|herein|wherein|whereof)\b/i, instead: 'a plain clause' },
  { word: /\bhow things stand\b/i, instead: 'the current state' },
  { word: /\b(?:sane|insane)\b/i, instead: 'reasonable' },
  { word: /\buncharged\b/i, instead: 'not charged' },
  { word: /\brests on\b|\bresting on\b/i, instead: 'is based on' },
  { word: /\bare asked for money\b/i, instead: 'must pay' },
];

/** Passages that keep a refused word, because they quote what is not ours. */
export const allowedPassages: readonly { passage: string; why: string }[] = [];

/** Modules of src whose texts are data that no reader is shown as a sentence of ours. */
export const unreadModules: Readonly<Record<string, string>> = {
  'src/audit/text/facts/quotation-words-data.ts': 'Words that are looked for in texts of sites.',
  'src/visibility/names/words/common-words-data.ts': 'A list of English words.',
  'src/visibility/names/words/ordinary-use-data.ts': 'A list of English words.',
  'src/visibility/rivals/words-data.ts': 'A list of English words.',
  'src/models/adapters/simulated/words-data.ts': 'Sentences as models write them.',
  'src/management/log-store/resource-types-data.ts': "Descriptions of the vendor's document.",
};
