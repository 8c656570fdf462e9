import type { CheckReport } from '../../deploy/checks/check.ts';
import type { DeployEnd } from '../../deploy/deploy.ts';
import type { DeployEvent } from '../../deploy/run.ts';
import { formatSafeLine } from '../core/terminal.ts';

const TITLE_WIDTH = 26;
const marks = { pass: '✓', warn: '~', fail: '✗', unknown: '?' } as const;

/** One line of progress; a call of a dry run may have several. */
export function formatEvent({ title, kind, text }: DeployEvent): string {
  const head = formatSafeLine(title).padEnd(TITLE_WIDTH);
  const word = kind === 'would' ? 'would run: ' : '';
  const [first = '', ...more] = text.split('\n').map((line) => formatSafeLine(line, 4_000));
  return [`${head} ${word}${first}`, ...more.map((line) => `${' '.repeat(TITLE_WIDTH)} ${line}`)].join('\n');
}

/** The results of the smoke test that need a reader. */
const listFindings = ({ results }: CheckReport): readonly string[] =>
  results
    .filter(({ status }) => status !== 'pass')
    .flatMap(({ status, title, detail, next }) => [
      `  ${marks[status]} ${formatSafeLine(title)}: ${formatSafeLine(detail)}`,
      ...(next === undefined ? [] : [`    ${formatSafeLine(next)}`]),
    ]);

/** The end of a deployment: addresses, what was found, what is missing, and what to do next. */
export function formatDeployEnd(end: DeployEnd): string {
  const { addresses, report, missing, handedOver, env } = end;
  const places = Object.entries(addresses).flatMap(([worker, address]) =>
    address === undefined ? [] : [`  ${worker.padEnd(8)} ${address}`],
  );
  const lines = ['', 'Addresses', ...places];
  if (report === undefined) return [...lines, '', `Nothing was changed: this was a dry run for ${env}.`, ''].join('\n');
  const { counts } = report;
  lines.push(
    '',
    `Smoke test: ${counts.pass} passed, ${counts.warn} ${counts.warn === 1 ? 'warning' : 'warnings'}, ${counts.fail} failed, ${counts.unknown} could not be checked`,
  );
  lines.push(...listFindings(report));
  if (missing.length > 0)
    lines.push('', 'Not set', ...missing.map(({ name, without }) => `  ${name}: without it ${without}`));
  if (handedOver !== undefined)
    lines.push(
      '',
      `Secrets that were made are in ${handedOver}.`,
      'Move them into your password manager, then delete the file. The platform never shows them again.',
    );
  lines.push('', describeEnd(end), ...formatNext(end), '');
  return lines.join('\n');
}

function describeEnd({ env, isChanged, isReturn }: DeployEnd): string {
  if (isReturn === true) return `${env} runs the previous code.`;
  return isChanged ? `${env} is deployed.` : `${env} was deployed already; nothing was changed.`;
}

function formatNext({ report, addresses, env, isReturn }: DeployEnd): readonly string[] {
  const check = `sightline doctor --base ${addresses.api}`;
  if (isReturn === true) {
    const ahead = `npm run deploy -- --env ${env}`;
    return report?.status === 'fail'
      ? [`Next: ${check} asks again. Where it still fails, ${ahead} brings back the code of this clone.`]
      : [`Next: ${check}. Then correct the code, and deploy it: ${ahead}`];
  }
  if (report?.status === 'fail') return ['Next: correct what failed, then run the same command again.'];
  if (env === 'staging') return [`Next: ${check}, then the same with --env production.`];
  return [
    `Next: ${check}, any day; and sign in to ${addresses.control ?? addresses.api}${addresses.control === undefined ? '' : '/console/'} with OPERATOR_SECRET.`,
  ];
}
