import { completeOlderNode } from './cli/core/older-node.ts';
import { keepCompiled } from './cli/core/compile-cache.ts';

// Before anything else is loaded: what is compiled earlier is not in the cache.
keepCompiled();
completeOlderNode();
const { startCommandLine } = await import('./cli/core/main.ts');
process.exitCode = await startCommandLine(process.argv.slice(2));
