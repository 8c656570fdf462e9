// `npm run buy -- full_audit http://...`: buys from the running local stack as its demo buyer.
import { buyCommand } from '../src/cli/buy/buy-command.ts';

process.exitCode = await buyCommand(process.argv.slice(2));
