/** Installs the packages that only judge where they are missing. @returns false when that failed; npm has said why */
export function needJudges(folder?: string, mark?: string, run?: (folder: string) => boolean): boolean;
