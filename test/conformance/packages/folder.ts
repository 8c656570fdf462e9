/** Where the judges are installed: for what reads their files. It ends with a slash. */
export const JUDGE_PACKAGES = new URL('../node_modules/', import.meta.url);
