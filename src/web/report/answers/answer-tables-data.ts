/** What of the answers is a file of its own. */
export const answerTables = ['prompts', 'answers', 'mentions', 'citations'] as const;
export type AnswerTable = (typeof answerTables)[number];

export const isAnswerTable = (name: string): name is AnswerTable => answerTables.some((table) => table === name);
