import type { Exchange } from './snapshot.ts';

/** Characters of a site's own text in one piece of evidence. */
export const MAX_EXCERPT_CHARS = 300;

type Extra = Pick<Evidence, 'header' | 'selector' | 'line' | 'excerpt'>;

/** Evidence from one exchange: its URL, status and body hash, and what `extra` points at, cut to its bound. */
export function seen({ url, answer }: Exchange, extra: Extra = {}): Evidence {
  const cut = extra.excerpt === undefined ? {} : { excerpt: extra.excerpt.slice(0, MAX_EXCERPT_CHARS) };
  if (!answer.ok) return { url, ...extra, ...cut };
  return { url: answer.url, status: answer.status, sha256: answer.sha256, ...extra, ...cut };
}

/** What was seen and where. `excerpt` is at most 300 characters of the site's own (hostile) text. */
export type Evidence = {
  url: string;
  status?: number;
  header?: string;
  selector?: string;
  line?: number;
  excerpt?: string;
  sha256?: string;
};
