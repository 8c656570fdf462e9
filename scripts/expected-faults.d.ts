export function createFaultFilter(): { isShown: (line: string) => boolean; hidden: string[] };
