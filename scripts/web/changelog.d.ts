type Section = { release: string; heading: string; id: string; changed: string; markdown: string };

export function cutChangelog(text: string, days: readonly string[]): Section[];
export function listLineDays(file: string, count: number): string[];
export function buildChangelog(text: string, days: readonly string[]): { changed: string; sections: Section[] };
