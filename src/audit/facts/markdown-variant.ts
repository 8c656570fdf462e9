import type { Artifact } from '../artifacts.ts';
import { type Exchange, type Snapshot, lookup } from '../snapshot.ts';
import { AGENT_ROLES } from './agent-places.ts';
import { looksLikeHtml } from './existence.ts';
import { isHtmlAnswer, mediaType } from './html-answer.ts';
import { readStart } from './site-files.ts';

/** The start page as asked for by a coding agent (`asked`) and by a browser (`html`), and what each got. */
export type MarkdownVariant = {
  asked: Exchange;
  html: Exchange;
  askedIs: 'markdown' | 'markdown_type_only' | 'html' | 'refused' | 'other';
  htmlIs: 'html' | 'markdown' | 'other';
};

/** A refusal of our request says nothing of what a site serves to agents. */
const REFUSALS = new Set([401, 403, 429]);

/** Artifact `markdown`: content negotiation of the start page; failed when one of the two could not be read. */
export function readMarkdownVariant(snapshot: Snapshot): Artifact<MarkdownVariant> {
  const start = readStart(snapshot);
  if (start.state === 'failed') return start;
  const asked = lookup(snapshot)(AGENT_ROLES.markdown);
  if (!asked) return { state: 'failed', reason: 'not_fetched', url: snapshot.url };
  if (!asked.answer.ok) return { state: 'failed', reason: asked.answer.reason, url: asked.url };
  const { exchange: html, answer } = start.value;
  for (const { status, url } of [answer, asked.answer]) {
    if (REFUSALS.has(status) || status >= 500) return { state: 'failed', reason: `http_${status}`, url };
  }
  const htmlIs = isMarkdown(html) ? 'markdown' : isHtmlAnswer(answer) ? 'html' : 'other';
  return { state: 'ready', value: { asked, html, askedIs: kindOf(asked), htmlIs } };
}

function kindOf(exchange: Exchange): MarkdownVariant['askedIs'] {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299) return 'refused';
  if (isMarkdown(exchange)) {
    const body = answer.body.trimStart();
    return body === '' || looksLikeHtml(body) ? 'markdown_type_only' : 'markdown';
  }
  return isHtmlAnswer(answer) ? 'html' : 'other';
}

function isMarkdown({ answer }: Exchange): boolean {
  const type = answer.ok ? mediaType(answer.headers['content-type'] ?? '') : '';
  return type === 'text/markdown' || type === 'text/x-markdown';
}
