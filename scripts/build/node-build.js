// How a program for Node is bundled. Plain JavaScript, because `npm ci` builds by it, with whatever Node the machine has.

/** Options of esbuild that the command line and the emulator share. */
export const nodeBuild = {
  bundle: true,
  minify: true,
  // Letters beyond ASCII stay as they are: escaped, those of word lists take two to three times the room.
  charset: 'utf8',
  keepNames: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  inject: ['scripts/build/node-20.js'],
};
