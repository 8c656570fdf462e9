/**
 * Two-sided p value of Student's t, exact for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4): alerts are judged
 * far out in the tail, where approximations are off by more than what they are compared with.
 * @param freedom a whole number from 1 on
 */
export function computeStudentTail(t: number, freedom: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const cosine = Math.cos(angle);
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let total = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < freedom; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    total += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * total) : Math.sin(angle) * total;
  return Math.max(0, 1 - within);
}
