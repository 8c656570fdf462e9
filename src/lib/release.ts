/**
 * Whether the packages are on the registry. While they are not, others could take their names: no text of ours may ask anyone to
 * run or install them by name. The owner sets it to true with the first release, then runs `npm run docs`.
 */
export const IS_PUBLISHED: boolean = false;

/** The command line as a package; `scripts/build-package.js` builds it under this name in dist/package. */
export const CLI_PACKAGE = '@sightline/cli';
/** The emulator as a package, in dist/emulator. */
export const EMULATOR_PACKAGE = '@sightline/emulator';

/** The client for programs as a package, in dist/client. */
export const CLIENT_PACKAGE = '@sightline/client';

/** How a page writes a command. Until there is a package to run, `sightline` is what `listInstallSteps` installs. */
export const formatCliCommand = (words: string, isPublished = IS_PUBLISHED): string =>
  `${isPublished ? `npx ${CLI_PACKAGE}` : 'sightline'} ${words}`;

/** What to run once so that `sightline` is a command on this machine. */
export const listInstallSteps = (isPublished = IS_PUBLISHED): readonly string[] =>
  isPublished
    ? [`npm install --global ${CLI_PACKAGE}`]
    : ['npm ci                                 # in a clone of this repository', 'npm install --global ./dist/package'];

/** How a project installs the emulator for its tests. */
export const formatEmulatorInstall = (isPublished = IS_PUBLISHED): string =>
  `npm install --save-dev ${isPublished ? EMULATOR_PACKAGE : '<clone of this repository>/dist/emulator'}`;

/** How a project installs the client, with what signs its payments. */
export const formatClientInstall = (isPublished = IS_PUBLISHED): string =>
  `npm install ${isPublished ? CLIENT_PACKAGE : '<clone of this repository>/dist/client'} viem`;

/** The server of MCP over stdio, as clients are configured. It works from any folder: desktop clients start in the home folder. */
export const buildMcpLaunch = (isPublished = IS_PUBLISHED): { command: string; args: readonly string[] } =>
  isPublished ? { command: 'npx', args: ['-y', CLI_PACKAGE, 'mcp'] } : { command: 'sightline', args: ['mcp'] };
