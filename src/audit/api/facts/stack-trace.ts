/** Characters of an answer that are searched. */
const MAX_CHARS = 100_000;

/**
 * Whether an answer shows where a program failed: frames of JavaScript, Python, Java, Go, Ruby, PHP or .NET, plain
 * or inside a JSON string. Such text reveals file names and libraries to strangers.
 */
export function hasStackTrace(body: string): boolean {
  const text = body.slice(0, MAX_CHARS);
  return FRAMES.some((frame) => frame.test(text));
}

const FRAMES: readonly RegExp[] = [
  /Traceback \(most recent call last\)/,
  /\bFile \\?"[^"\n]{1,200}", line \d{1,6}/,
  /\bat (?:async |new )?[^\s()]{1,100} \([^\s()]{1,200}:\d{1,6}:\d{1,6}\)/,
  /\bat (?:file|node|webpack-internal):[^\s()]{1,200}:\d{1,6}:\d{1,6}/,
  /\bat [\w.$]{3,100}\([\w$]{1,60}\.java:\d{1,6}\)/,
  /\bgoroutine \d{1,6} \[running\]/,
  /\.rb:\d{1,6}:in [`']/,
  /#\d{1,3} \/[^\s()]{1,200}\.php\(\d{1,6}\)/,
  /\.cs:line \d{1,6}/,
];
