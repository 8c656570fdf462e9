/** What the log says of a fault of ours: its name only, because a message may hold text of sites (rule X4). */
export const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
