/**
 * Why a text that came is no answer: the assistant declines, says a stock phrase, writes another language than it was
 * asked in, or about something else.
 */
export const refusalKinds = ['refusal', 'stock_phrase', 'wrong_language', 'off_topic'] as const;
export type RefusalKind = (typeof refusalKinds)[number];
