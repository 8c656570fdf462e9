import { createEngine } from '@secretlint/node';

const PRESET = '@secretlint/secretlint-rule-preset-recommend';
type Judged = readonly { messages: readonly { ruleId: string }[] }[];

/** Rules of secretlint's recommended preset that find something in captured lines, each once. What they found is not told. */
export async function secretsIn(lines: readonly string[]): Promise<readonly string[]> {
  const engine = await createEngine({ color: false, formatter: 'json', configFileJSON: { rules: [{ id: PRESET }] } });
  const { output } = await engine.executeOnContent({ content: lines.join('\n'), filePath: 'captured.log' });
  const found = (JSON.parse(output) as Judged).flatMap(({ messages }) => messages);
  return [...new Set(found.map(({ ruleId }) => ruleId.replace('@secretlint/secretlint-rule-', '')))];
}

/**
 * Texts of the form of known secrets, and the rules that find them. They are put together here: no scanner of the
 * repository should find them, and none was ever in use.
 */
export const PLANTED: readonly (readonly [rule: string, secret: string])[] = [
  ['github', ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')],
  ['anthropic', ['sk', 'ant', 'api03', `${'aB3'.repeat(31)}AA`].join('-')],
  ['slack', ['xoxb', '123456789012', '1234567890123', 'abcdefABCDEF123456789012'].join('-')],
  ['basicauth', 'https://user:hunter2word@example.com/'],
];
