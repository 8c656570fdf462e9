/** Whether two texts are the same, in a time that depends on their lengths alone. For secrets, hash both first. */
export function isSameText(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index); // Past the end of `right`: NaN, which counts as 0.
  }
  return difference === 0;
}
