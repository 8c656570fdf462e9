// Stands for `sightline emulator`: the program of the command line with that word first.
process.argv.splice(2, 0, 'emulator');
await import('../../../dist/cli.js');
