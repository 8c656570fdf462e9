/** A fenced block of Markdown, whose fence is longer than any in the text. */
export function fenceCode(text: string, language: string): string {
  const longest = [...text.matchAll(/`{3,1000}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}
