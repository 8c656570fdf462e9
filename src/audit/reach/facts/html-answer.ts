import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { isHtmlText } from './existence.ts';

/** The media type of a Content-Type value, lower case, without parameters; '' when absent. */
export const parseMediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Whether an answer is an HTML page by its media type, or by its bytes when it names none. */
export function isHtmlAnswer(answer: SnapshotAnswer): boolean {
  const type = parseMediaType(answer.headers['content-type'] ?? '');
  if (type === '') return isHtmlText(answer.body.trimStart());
  return type === 'text/html' || type === 'application/xhtml+xml';
}
