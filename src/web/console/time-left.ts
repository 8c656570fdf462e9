const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** From now until a time in two units at most: `in 2 d 3 h`, `in 12 min`, `5 min ago`. @param ms negative: it is over */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / MINUTE_MS);
  if (minutes === 0) return ms < 0 ? 'just now' : 'in less than a minute';
  const text = lengthOf(minutes);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

function lengthOf(minutes: number): string {
  if (minutes < HOUR_MIN) return `${minutes} min`;
  const [large, small] = minutes < DAY_MIN ? [HOUR_MIN, 1] : [DAY_MIN, HOUR_MIN];
  const units = minutes < DAY_MIN ? (['h', 'min'] as const) : (['d', 'h'] as const);
  const rest = Math.floor((minutes % large) / small);
  const whole = `${Math.floor(minutes / large)} ${units[0]}`;
  return rest === 0 ? whole : `${whole} ${rest} ${units[1]}`;
}
