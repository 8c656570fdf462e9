// `npm run buy -- full_audit http://...`: buys from the running local stack as its demo buyer.
import { runCommandLine } from '../src/cli/core/main.ts';

process.exitCode = await runCommandLine(['buy', ...process.argv.slice(2)]);
