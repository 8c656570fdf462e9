import { completeOlderNode } from './cli/core/older-node.ts';
import { keepCompiled } from './cli/core/compile-cache.ts';

// Before anything else is loaded: what is compiled earlier is not in the cache.
keepCompiled();
completeOlderNode();
const { runCommandLine } = await import('./cli/core/main.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
