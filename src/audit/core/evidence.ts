import type { Exchange } from './snapshot.ts';

/** Characters of a site's own text in one piece of evidence. */
export const MAX_EXCERPT_CHARS = 300;

type Extra = Pick<CheckEvidence, 'header' | 'selector' | 'line' | 'excerpt'>;

/** Evidence from one exchange: the URL that answered, status and body hash, and what `extra` points at, cut to its bound. */
export const buildEvidence = (exchange: Exchange, extra: Extra = {}): CheckEvidence =>
  buildEvidenceAt(exchange.answer.ok ? exchange.answer.url : exchange.url, exchange, extra);

/** The same with the URL that was asked for: a document is known by its own place, wherever a redirect led. */
export const buildRequestEvidence = (exchange: Exchange, extra: Extra = {}): CheckEvidence =>
  buildEvidenceAt(exchange.url, exchange, extra);

function buildEvidenceAt(url: string, { answer }: Exchange, extra: Extra): CheckEvidence {
  const cut = extra.excerpt === undefined ? {} : { excerpt: extra.excerpt.slice(0, MAX_EXCERPT_CHARS) };
  if (!answer.ok) return { url, ...extra, ...cut };
  return { url, status: answer.status, sha256: answer.sha256, ...extra, ...cut };
}

/** Evidence of one header of an answer, as `name: value`. */
export function buildHeaderEvidence(exchange: Exchange, name: string): CheckEvidence {
  const value = exchange.answer.ok ? exchange.answer.headers[name] : undefined;
  return buildRequestEvidence(exchange, { header: `${name}: ${value ?? '(absent)'}`.slice(0, MAX_EXCERPT_CHARS) });
}

/** The start of an answer's body, for evidence. */
export const extractBodyStart = ({ answer }: Exchange): string =>
  answer.ok ? answer.body.slice(0, MAX_EXCERPT_CHARS) : '';

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
