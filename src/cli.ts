import { keepCompiled, runCommandLine } from './cli/core/main.ts';
import { completeOlderNode } from './cli/core/older-node.ts';

completeOlderNode();
keepCompiled();
process.exitCode = await runCommandLine(process.argv.slice(2));
