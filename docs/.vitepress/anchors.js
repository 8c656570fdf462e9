/** The anchors of GitHub, so that a link works in both places. @param {string} text the words of a heading */
export const makeAnchor = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
