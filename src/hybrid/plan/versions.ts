/** `1.18`, `v1.18.20`, `1.18+`, `1.17.17-gke.1`. */
const KUBECTL = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,5})?(?:[+-][0-9A-Za-z.+-]{0,64})?$/;
/** The first version in a line that a tool prints. */
const PRINTED = /(?<![\d.])(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?/;
/** The first kubectl whose `--dry-run` takes a word instead of `true`. */
const FIRST_MINOR_WITH_CLIENT = 18;

export type Version = readonly [major: number, minor: number, patch: number];

/** The value that `--dry-run` takes with this kubectl; undefined for what is no version of kubectl 1. */
export function dryRunOf(kubectl: string): 'true' | 'client' | undefined {
  const match = KUBECTL.exec(kubectl.trim());
  if (!match || Number(match[1]) !== 1) return undefined;
  return Number(match[2]) >= FIRST_MINOR_WITH_CLIENT ? 'client' : 'true';
}

/** The first version in a text, with or without a patch (`v0.14.2`, `1.5.8-asm.7`, `18+` has none). */
export function versionIn(text: string): Version | undefined {
  const match = PRINTED.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Whether `version` is `least` or later. */
export function isAtLeast(version: Version, least: Version): boolean {
  const index = version.findIndex((part, at) => part !== least[at]);
  return index === -1 || (version[index] ?? 0) > (least[index] ?? 0);
}
