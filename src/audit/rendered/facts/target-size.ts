import type { RenderedTarget } from './rendered-look.ts';

/** WCAG 2.2, success criterion 2.5.8: the least size of a target, and the circle that an undersized one needs free. */
export const LEAST_TARGET_PX = 24;
/** Layout gives fractions of a pixel. */
const TOLERANCE_PX = 0.5;

type Judged = { judged: number; tooSmall: readonly RenderedTarget[] };

const isSmall = ({ width, height }: RenderedTarget): boolean =>
  Math.min(width, height) < LEAST_TARGET_PX - TOLERANCE_PX;

/**
 * The targets that are too small and have no room around them. Links in sentences, controls that the browser draws and
 * targets with a picture (which is not loaded) are not judged.
 */
export function judgeTargetSizes(targets: readonly RenderedTarget[]): Judged {
  const mine = targets.filter(({ inline, native, media }) => !inline && !native && !media);
  const small = mine.filter(isSmall);
  const tooSmall = small.filter((one) =>
    targets.some((other) => other !== one && !isInside(one, other) && isTooNear(one, other)),
  );
  return { judged: mine.length, tooSmall };
}

const findCentre = ({ x, y, width, height }: RenderedTarget) => ({ x: x + width / 2, y: y + height / 2 });

/** A control within a larger one, such as a button in a row that can be clicked. */
const isInside = (one: RenderedTarget, other: RenderedTarget): boolean =>
  one.x >= other.x &&
  one.y >= other.y &&
  one.x + one.width <= other.x + other.width &&
  one.y + one.height <= other.y + other.height;

/** The circle around the centre of `one` meets the other target, or the circle of the other where that is small too. */
function isTooNear(one: RenderedTarget, other: RenderedTarget): boolean {
  const centre = findCentre(one);
  const nearest = {
    x: Math.min(Math.max(centre.x, other.x), other.x + other.width),
    y: Math.min(Math.max(centre.y, other.y), other.y + other.height),
  };
  const radius = LEAST_TARGET_PX / 2 - TOLERANCE_PX;
  if (Math.hypot(centre.x - nearest.x, centre.y - nearest.y) < radius) return true;
  const theirs = findCentre(other);
  return isSmall(other) && Math.hypot(centre.x - theirs.x, centre.y - theirs.y) < 2 * radius;
}
