import type { Answer } from '../../core/snapshot.ts';
import { looksLikeHtml } from './existence.ts';

/** The media type of a Content-Type value, lower case, without parameters; '' when absent. */
export const mediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Tells whether an answer is an HTML page by its media type, or by its bytes when it names none. */
export function isHtmlAnswer(answer: Answer): boolean {
  const type = mediaType(answer.headers['content-type'] ?? '');
  if (type === '') return looksLikeHtml(answer.body.trimStart());
  return type === 'text/html' || type === 'application/xhtml+xml';
}
