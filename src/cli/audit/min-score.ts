import { type ScoreName, scoreNames } from '../../audit/core/check.ts';

export type MinScores = Partial<Record<ScoreName, number>>;

/**
 * Parses `80` (all scores) or `aeo=80,mcp=50`.
 * @returns undefined when the text is neither, or a number is not an integer from 0 to 100.
 */
export function parseMinScores(text: string): MinScores | undefined {
  if (/^\d+$/.test(text)) {
    const all = Number(text);
    return all <= 100 ? Object.fromEntries(scoreNames.map((name) => [name, all])) : undefined;
  }
  const result: MinScores = {};
  for (const part of text.split(',')) {
    const match = /^(aeo|geo|agent|mcp)=(\d{1,3})$/.exec(part.trim());
    const value = Number(match?.[2]);
    if (!match || value > 100) return undefined;
    result[match[1] as ScoreName] = value; // The pattern admits these four names only.
  }
  return result;
}

/** Scores below their minimum, as `aeo 71 < 80`. A score that was not asked for is not judged. */
export function belowMinimum(
  scores: Partial<Record<ScoreName, { score: number }>>,
  minimum: MinScores,
): readonly string[] {
  return scoreNames.flatMap((name) => {
    const got = scores[name]?.score;
    const wanted = minimum[name];
    return got !== undefined && wanted !== undefined && got < wanted ? [`${name} ${got} < ${wanted}`] : [];
  });
}
