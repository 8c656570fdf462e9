import {
  buildMcpLaunch,
  formatClientInstall,
  formatEmulatorInstall,
  listInstallSteps,
} from '../../../src/lib/release.ts';

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** What a text between `<!-- name:start -->` and `<!-- name:end -->` says of installing, by whether the packages are published. */
const releaseParts: Readonly<Record<string, (isPublished: boolean | undefined) => string>> = {
  install: (isPublished) => fence('sh', listInstallSteps(isPublished).join('\n')),
  'install-emulator': (isPublished) => fence('sh', formatEmulatorInstall(isPublished)),
  'install-client': (isPublished) => fence('sh', formatClientInstall(isPublished)),
  'mcp-stdio': (isPublished) => {
    const { command, args } = buildMcpLaunch(isPublished);
    const words = args.map((word) => JSON.stringify(word)).join(', ');
    return fence('json', `{ "mcpServers": { "sightline": { "command": "${command}", "args": [${words}] } } }`);
  },
};

/** A document with its parts about installing made anew. Most documents have none. */
export const withReleaseParts = (text: string, isPublished?: boolean): string =>
  Object.entries(releaseParts).reduce((written, [name, make]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [from, to] = [written.indexOf(start), written.indexOf(end)];
    if (from === -1 || to < from) return written;
    return `${written.slice(0, from + start.length)}\n\n${make(isPublished)}\n\n${written.slice(to)}`;
  }, text);
