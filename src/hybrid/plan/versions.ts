/** `1.18`, `v1.18.20`, `1.18+`, `1.17.17-gke.1`. */
const KUBECTL = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,5})?(?:[+-][0-9A-Za-z.+-]{0,64})?$/;
/** The minor version of kubectl 1 alone, as its JSON has it: `18+`. One digit could be the major one. */
const KUBECTL_MINOR = /^(\d{2,3})\+?$/;
/** The first version in a line that a tool prints. */
const PRINTED = /(?<![\d.])(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?/;
/** The first kubectl whose `--dry-run` takes a word instead of `true`. */
export const FIRST_MINOR_WITH_CLIENT = 18;

export type Version = readonly [major: number, minor: number, patch: number];

/** The value that `--dry-run` takes with this kubectl; undefined for what is no version of kubectl 1. */
export function findDryRunValue(kubectl: string): 'true' | 'client' | undefined {
  const match = KUBECTL.exec(kubectl.trim());
  const minor = match?.[1] === '1' ? match[2] : KUBECTL_MINOR.exec(kubectl.trim())?.[1];
  if (minor === undefined) return undefined;
  return Number(minor) >= FIRST_MINOR_WITH_CLIENT ? 'client' : 'true';
}

/**
 * The first version in a text, with or without a patch (`v0.14.2`, `1.5.8-asm.7`, `18+` has none). Of several lines the
 * last with a version counts: tools print warnings before.
 */
export function parsePrintedVersion(text: string): Version | undefined {
  const match = text
    .split('\n')
    .map((line) => PRINTED.exec(line))
    .findLast((found) => found !== null);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Whether `version` is `least` or later. */
export function isAtLeast(version: Version, least: Version): boolean {
  const index = version.findIndex((part, at) => part !== least[at]);
  return index === -1 || (version[index] ?? 0) > (least[index] ?? 0);
}
