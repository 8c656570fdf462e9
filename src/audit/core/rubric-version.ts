/** Semantic version of the table of checks: scores are comparable only within one version and hash. */
export const RUBRIC_VERSION = '3.0.0';
