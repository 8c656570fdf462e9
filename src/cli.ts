import { keepCompiled, runCommandLine } from './cli/core/main.ts';

keepCompiled();
process.exitCode = await runCommandLine(process.argv.slice(2));
