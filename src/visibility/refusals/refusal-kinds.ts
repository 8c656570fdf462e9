/** Why a text is no answer to its prompt, although the engine gave it as one. */
export const refusalKinds = ['refusal', 'stock_phrase', 'wrong_language', 'off_topic'] as const;
export type RefusalKind = (typeof refusalKinds)[number];
