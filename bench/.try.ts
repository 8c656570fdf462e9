import { measureEngine, measureCorpus } from './audit/engine.ts';
import { measureCommandLines } from './audit/command-lines.ts';
import { startServer } from './children.ts';
console.log(await measureEngine());
console.log(JSON.stringify(await measureCorpus(),null,1));
const s = await startServer(new URL('audit/site-server.ts', import.meta.url).pathname);
console.log(JSON.stringify(measureCommandLines(`http://127.0.0.1:${s.port}/`),null,1));
process.exit(0);
