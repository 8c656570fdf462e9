/** Characters that search results show of a description. */
const MAX_DESCRIPTION = 155;
const MIN_DESCRIPTION = 50;

/** The first words of a page, for search results: whole sentences as far as they fit. */
export function describePage(markdown, title) {
  const text = markdown
    .split(/\n{2,}/)
    .map((block) => block.replaceAll('\n', ' ').trim())
    .filter((block) => /^[\p{L}*"`[]/u.test(block) && !block.startsWith('```'))
    .map((block) => block.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\\(?=\W)|[`*]/g, ''))
    .join(' ');
  const sentences = text.split(/(?<=[.!?]) /);
  let short = '';
  for (const sentence of sentences) {
    if (`${short} ${sentence}`.trim().length > MAX_DESCRIPTION) break;
    short = `${short} ${sentence}`.trim();
  }
  if (short.length >= MIN_DESCRIPTION) return short;
  const cut = text.slice(0, MAX_DESCRIPTION).replace(/\s\S*$/, '');
  return cut.length >= MIN_DESCRIPTION ? `${cut} …` : `${title}: a page of the documentation.`;
}
