import * as z from 'zod';
import { refuse } from '../../../lib/refusal.ts';
import type { ChatMessage } from '../../../search/order.ts';

const MAX_MESSAGES = 100;
const MAX_PARTS = 50;
const MAX_CONTENT_CHARS = 50_000;
/** Characters of a conversation. */
const MAX_CHARS = 200_000;
/** What is searched for; of a longer message so much of its beginning. */
export const MAX_QUERY_CHARS = 4_000;

const content = z.string().max(MAX_CONTENT_CHARS);
const part = z.object({ type: z.literal('text', 'only text is read here'), text: content });
/** Other members, such as `tool_calls`, are left aside. */
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([content, z.array(part).max(MAX_PARTS)]).nullable(),
});

/** Messages of a search or a chat, as they are sent. */
export const messages = z.array(message).min(1).max(MAX_MESSAGES);

/** Messages as plain text. @throws Refusal 400 for a conversation that is too long */
export function chatOf(sent: z.infer<typeof messages>): readonly ChatMessage[] {
  const chat = sent.map(({ role, content: said }) => ({ role, content: textOf(said).toWellFormed() }));
  const chars = chat.reduce((sum, { content: text }) => sum + text.length, 0);
  if (chars > MAX_CHARS) throw refuse.invalid(`messages: at most ${MAX_CHARS} characters in all`);
  return chat;
}

/** What a conversation asks: its last message of the user. @throws Refusal 400 where there is none, or nothing in it */
export function questionOf(chat: readonly ChatMessage[]): string {
  const asked = chat.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
  if (asked === '') throw missingQuery();
  return asked.slice(0, MAX_QUERY_CHARS).toWellFormed();
}

export const missingQuery = () => refuse.invalid('missing_user_query');

function textOf(said: z.infer<typeof message>['content']): string {
  if (said === null) return '';
  return typeof said === 'string' ? said : said.map(({ text }) => text).join('\n');
}
