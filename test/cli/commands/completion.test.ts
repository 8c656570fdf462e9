import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatCompletion, shells } from '../../../src/cli/commands/completion.ts';
import { commandNames, getCommandRow } from '../../../src/cli/commands/table.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-completion-'));
  writeFileSync(join(folder, 'sightline.bash'), formatCompletion('bash'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers behind these words; the last one is under way. */
function completeInBash(...words: readonly string[]): readonly string[] {
  const script = `source ${join(folder, 'sightline.bash')}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sightline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return text.split('\n').filter((word) => word !== '');
}

describe('in bash', () => {
  test('commands', () => {
    expect(completeInBash('sightline', '')).toEqual([...commandNames, '--help', '--version']);
    expect(completeInBash('sightline', 'au')).toEqual(['audit']);
  });

  test('options of a command', () => {
    const options = Object.keys(getCommandRow('audit').options).map((name) => `--${name}`);
    expect(completeInBash('sightline', 'audit', '--')).toEqual([...options, '--help']);
    expect(completeInBash('sightline', 'audit', 'x.test', '--min')).toEqual(['--min-score']);
  });

  test('values of an option', () => {
    expect(completeInBash('sightline', 'audit', '--format', '')).toEqual([
      'text',
      'json',
      'md',
      'html',
      'sarif',
      'junit',
      'pdf',
    ]);
    expect(completeInBash('sightline', 'visibility', '--engine', 'rec')).toEqual(['recorded']);
  });

  test('actions and their options', () => {
    expect(completeInBash('sightline', 'channels', 're')).toEqual(['renew', 'replay']);
    expect(completeInBash('sightline', 'channels', 'create', '--do')).toEqual(['--domain']);
    expect(completeInBash('sightline', 'help', 'vis')).toEqual(['visibility']);
  });
});

test.each(shells)('the script of %s has every command and option', (shell) => {
  const script = formatCompletion(shell);
  for (const name of commandNames) {
    expect(script).toContain(name);
    for (const option of Object.keys(getCommandRow(name).options))
      expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
  }
});

const isInstalled = (shell: string): boolean =>
  execFileSync('sh', ['-c', `command -v ${shell} || true`], { encoding: 'utf8' }) !== '';

test.skipIf(!isInstalled('zsh'))('zsh takes its script', () => {
  writeFileSync(join(folder, '_sightline'), formatCompletion('zsh'));
  expect(() => execFileSync('zsh', ['-n', join(folder, '_sightline')])).not.toThrow();
});

test.skipIf(!isInstalled('fish'))('fish completes by its script', () => {
  const file = join(folder, 'sightline.fish');
  writeFileSync(file, formatCompletion('fish'));
  const complete = (line: string): string =>
    execFileSync('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`], { encoding: 'utf8' });
  expect(complete('sightline au')).toMatch(/^audit\t/m);
  expect(complete('sightline audit --min')).toMatch(/^--min-score\t/m);
  expect(complete('sightline channels create --do')).toMatch(/^--domain\t/m);
});
