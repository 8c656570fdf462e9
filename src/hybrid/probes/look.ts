import { parsePrintedVersion, type Version } from '../plan/versions.ts';
import type { Precondition } from '../verify/precondition.ts';

/** What a look at the facts found. */
export type ConditionResult = { state: Precondition['state']; seen: string };

/** The facts do not say, or not so that it can be read. */
export const buildUnknownResult = (seen = 'not in the facts'): ConditionResult => ({ state: 'unknown', seen });

export const judgeCondition = (holds: boolean, seen: string): ConditionResult => ({
  state: holds ? 'holds' : 'fails',
  seen,
});

export const judgeBoolean = (value: boolean | null | undefined): ConditionResult =>
  value === undefined || value === null ? buildUnknownResult() : judgeCondition(value, String(value));

/** An empty place is no backup that anyone could name. */
export const judgeBackup = (value: boolean | string | null | undefined): ConditionResult =>
  typeof value === 'string'
    ? value.trim() === ''
      ? buildUnknownResult()
      : judgeCondition(true, value)
    : judgeBoolean(value);

/** Whether a printed version is of this minor one, whatever the patch. */
export const judgeMinorVersion = (
  text: string | null | undefined,
  [major, minor]: readonly [number, number],
): ConditionResult => withVersion(text, (version) => version[0] === major && version[1] === minor);

export const judgeExactVersion = (text: string | null | undefined, wanted: Version): ConditionResult =>
  withVersion(text, (version) => version.every((part, index) => part === wanted[index]));

/** Unknown for what has no version in it, such as an error message of the tool. */
export function withVersion(text: string | null | undefined, holds: (version: Version) => boolean): ConditionResult {
  if (text === undefined || text === null || text.trim() === '') return buildUnknownResult();
  const version = parsePrintedVersion(text);
  return version === undefined ? buildUnknownResult(text) : judgeCondition(holds(version), text);
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
