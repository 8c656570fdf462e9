import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import { isHtmlText } from '../../reach/facts/existence.ts';
import { isHtmlAnswer, parseMediaType } from '../../reach/facts/html-answer.ts';

/** The start page as asked for by a coding agent (`asked`) and by a browser (`html`), and what each got. */
export type MarkdownVariant = {
  asked: Exchange;
  html: Exchange;
  askedIs: 'markdown' | 'markdown_type_only' | 'html' | 'refused' | 'other';
  htmlIs: 'html' | 'markdown' | 'other';
};

/** Names Markdown first and wants it least: a server that looks for the words instead of the weights is caught by it. */
export const MARKDOWN_LAST_ACCEPT = 'text/markdown;q=0.1, text/html';

/** A refusal of our request says nothing of what a site serves to agents. */
const REFUSALS = new Set([401, 403, 429]);

/** Artifact `markdown`: content negotiation of the start page; failed when one of the two could not be read. */
export const readMarkdownVariant = (snapshot: Snapshot): Artifact<MarkdownVariant> =>
  findMarkdownVariant(getExchangeLookup(snapshot), snapshot.url);

/** The same among the exchanges so far; the gatherer calls it to decide what to ask next. */
export function findMarkdownVariant(find: ExchangeLookup, startUrl: string): Artifact<MarkdownVariant> {
  const html = find('page');
  const asked = find(AGENT_ROLES.markdown);
  for (const exchange of [html, asked]) {
    if (!exchange) return { state: 'failed', reason: 'not_fetched', url: startUrl };
    const { answer, url } = exchange;
    if (!answer.ok) return { state: 'failed', reason: answer.reason, url };
    if (REFUSALS.has(answer.status) || answer.status >= 500)
      return { state: 'failed', reason: `http_${answer.status}`, url: answer.url };
  }
  if (!html?.answer.ok || !asked) return { state: 'failed', reason: 'not_fetched', url: startUrl };
  const htmlIs = isMarkdown(html) ? 'markdown' : isHtmlAnswer(html.answer) ? 'html' : 'other';
  return { state: 'ready', value: { asked, html, askedIs: classifyVariant(asked), htmlIs } };
}

/** Whether one address gives Markdown to clients that ask for it and HTML to browsers. */
export const hasMarkdownNegotiation = ({ askedIs, htmlIs }: MarkdownVariant): boolean =>
  askedIs === 'markdown' && htmlIs === 'html';

/** What a client that likes HTML better got: the kind of answer, or that it was not asked (`not_asked`) or not readable. */
export type PreferenceReading =
  | { state: 'read'; exchange: Exchange; is: MarkdownVariant['askedIs'] }
  | { state: 'unreadable'; exchange: Exchange; why: string }
  | { state: 'not_asked' };

/** Artifact `markdownPreference`: the answer to `MARKDOWN_LAST_ACCEPT`. Never fails as a whole. */
export function readMarkdownPreference(snapshot: Snapshot): Artifact<PreferenceReading> {
  const exchange = getExchangeLookup(snapshot)('markdown-last');
  if (!exchange) return { state: 'ready', value: { state: 'not_asked' } };
  const { answer } = exchange;
  if (!answer.ok) return { state: 'ready', value: { state: 'unreadable', exchange, why: answer.reason } };
  if (REFUSALS.has(answer.status) || answer.status >= 500)
    return { state: 'ready', value: { state: 'unreadable', exchange, why: `http_${answer.status}` } };
  return { state: 'ready', value: { state: 'read', exchange, is: classifyVariant(exchange) } };
}

function classifyVariant(exchange: Exchange): MarkdownVariant['askedIs'] {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299) return 'refused';
  if (isMarkdown(exchange)) {
    const body = answer.body.trimStart();
    return body === '' || isHtmlText(body) ? 'markdown_type_only' : 'markdown';
  }
  return isHtmlAnswer(answer) ? 'html' : 'other';
}

function isMarkdown({ answer }: Exchange): boolean {
  const type = answer.ok ? parseMediaType(answer.headers['content-type'] ?? '') : '';
  return type === 'text/markdown' || type === 'text/x-markdown';
}
