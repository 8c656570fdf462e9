import { spawnSync } from 'node:child_process';
import type { Reporter, TestModule } from 'vitest/node';
import { JUDGES, type JudgeLanguage } from '../judges-data.ts';
import { MISSES } from '../misses-data.ts';

const DPKG_QUERY = '/usr/bin/dpkg-query';

/** Vitest reporter that closes a run with a line for each client of another language: its version, and how its cases went. */
export default class JudgeLines implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const language of Object.keys(JUDGES) as JudgeLanguage[]) {
      const module = modules.find(({ relativeModuleId }) => relativeModuleId.endsWith(`judges/${language}.test.ts`));
      if (module !== undefined) console.log(formatCounts(language, module));
    }
  }
}

function formatCounts(language: JudgeLanguage, module: TestModule): string {
  const { client } = JUDGES[language];
  const missed = new Set(MISSES.filter((one) => one.language === language).map(({ name }) => name));
  const cases = [...module.children.allTests()].filter(({ name }) => name.includes(': '));
  const count = (isCounted: (state: string, isMiss: boolean) => boolean): number =>
    cases.filter((one) => isCounted(one.result().state, missed.has(one.name))).length;
  const counts = [
    `${count((state, isMiss) => state === 'passed' && !isMiss)} passed`,
    `${count((state, isMiss) => state === 'passed' && isMiss)} known misses`,
    `${count((state) => state === 'failed')} failed`,
    `${count((state) => state !== 'passed' && state !== 'failed')} skipped`,
  ];
  return `${client} ${readInstalledVersion(client)}: ${cases.length} cases, ${counts.join(', ')}`;
}

function readInstalledVersion(name: string): string {
  const { status, stdout } = spawnSync(DPKG_QUERY, ['-W', '-f=${Version}', name], { encoding: 'utf8' });
  return status === 0 && stdout !== '' ? stdout : '(not installed)';
}
