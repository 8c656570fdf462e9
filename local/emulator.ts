// The program `sightline-emulator`, and `sightline emulator` where the emulator is installed.
import { runEmulator } from './emulator/run.ts';

process.exitCode = await runEmulator(process.argv.slice(2));
