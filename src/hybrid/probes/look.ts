import { versionIn, type Version } from '../plan/versions.ts';
import type { Precondition } from '../verify/precondition.ts';

/** What a look at the facts found. */
export type Found = { state: Precondition['state']; seen: string };

/** The facts do not say, or not so that it can be read. */
export const unknown = (seen = 'not in the facts'): Found => ({ state: 'unknown', seen });

export const holdsIf = (holds: boolean, seen: string): Found => ({ state: holds ? 'holds' : 'fails', seen });

export const boolean = (value: boolean | null | undefined): Found =>
  value === undefined || value === null ? unknown() : holdsIf(value, String(value));

/** An empty place is no backup that anyone could name. */
export const backup = (value: boolean | string | null | undefined): Found =>
  typeof value === 'string' ? (value.trim() === '' ? unknown() : holdsIf(true, value)) : boolean(value);

/** Whether a printed version is of this minor one, whatever the patch. */
export const minorVersion = (text: string | null | undefined, [major, minor]: readonly [number, number]): Found =>
  withVersion(text, (version) => version[0] === major && version[1] === minor);

export const exactVersion = (text: string | null | undefined, wanted: Version): Found =>
  withVersion(text, (version) => version.every((part, index) => part === wanted[index]));

/** Unknown for what has no version in it, such as an error message of the tool. */
export function withVersion(text: string | null | undefined, holds: (version: Version) => boolean): Found {
  if (text === undefined || text === null || text.trim() === '') return unknown();
  const version = versionIn(text);
  return version === undefined ? unknown(text) : holdsIf(holds(version), text);
}

type ToolVersion = {
  major?: string | null | undefined;
  minor?: string | null | undefined;
  gitVersion?: string | null | undefined;
};

/** `1.18+` of a tool's version object. */
export function withSuffix(version: ToolVersion | null | undefined): string | undefined {
  if (!version) return undefined;
  if (version.major && version.minor) return `${version.major}.${version.minor}`;
  return version.gitVersion || undefined;
}
