import { keepCompiled, runCommandLine } from './cli/core/main.ts';
import { watchOutput } from './cli/core/output.ts';
import { completeOlderNode } from './cli/core/older-node.ts';

completeOlderNode();
keepCompiled();
watchOutput();
process.exitCode = await runCommandLine(process.argv.slice(2));
