import type { Exchange } from './snapshot.ts';

/** Characters of a site's own text in one piece of evidence. */
export const MAX_EXCERPT_CHARS = 300;

type Extra = Pick<CheckEvidence, 'header' | 'selector' | 'line' | 'excerpt'>;

/** CheckEvidence from one exchange: its URL, status and body hash, and what `extra` points at, cut to its bound. */
export function buildEvidence({ url, answer }: Exchange, extra: Extra = {}): CheckEvidence {
  const cut = extra.excerpt === undefined ? {} : { excerpt: extra.excerpt.slice(0, MAX_EXCERPT_CHARS) };
  if (!answer.ok) return { url, ...extra, ...cut };
  return { url: answer.url, status: answer.status, sha256: answer.sha256, ...extra, ...cut };
}

/** What was seen and where. `excerpt` is at most 300 characters of the site's own (hostile) text. */
export type CheckEvidence = {
  url: string;
  status?: number;
  header?: string;
  selector?: string;
  line?: number;
  excerpt?: string;
  sha256?: string;
};
