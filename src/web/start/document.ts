/** A piece of a line: words, words that lead somewhere, or code. */
export type Inline = string | { text: string; href: string } | { code: string };

/** The blocks of a text of ours, in HTML and in Markdown alike. */
export type TextBlock =
  | { kind: 'text'; parts: readonly Inline[] }
  | { kind: 'list'; items: readonly (readonly Inline[])[] }
  | { kind: 'steps'; items: readonly (readonly Inline[])[] }
  | { kind: 'terms'; items: readonly { term: string; parts: readonly Inline[] }[] }
  | { kind: 'code'; code: string; language: string; label: string }
  | { kind: 'offers'; rows: readonly CapabilityOffer[] };

/** A capability as the catalogue shows it. */
export type CapabilityOffer = {
  name: string;
  summary: string;
  /** In USDC, as people write it: `0.06`. */
  price: string;
  /** Fields of the body, in the order of the schema. */
  fields: readonly { name: string; required: boolean }[];
  /** A call that can be copied; without payment it answers 402 with the terms. */
  curl: string;
};

export type TextSection = { id: string; heading: string; level: 2 | 3; blocks: readonly TextBlock[] };

/** A page of ours without anything of a request: what it says, for every form of it. */
export type PageText = {
  path: string;
  title: string;
  /** For search results, 50 to 160 characters. */
  description: string;
  /** The day on which the words were changed last, as `2026-11-22`. */
  changed: string;
  lead: readonly Inline[];
  sections: readonly TextSection[];
};

export const buildText = (...parts: Inline[]): TextBlock => ({ kind: 'text', parts });
export const buildList = (...items: (readonly Inline[])[]): TextBlock => ({ kind: 'list', items });
export const buildLink = (words: string, href: string): Inline => ({ text: words, href });
export const buildCode = (words: string): Inline => ({ code: words });
