/** Reads and judges one page of the worst shapes by the engine: `heap-child.ts <shape>`. Ends with 0 when the heap sufficed. */
import { judge, onePage, record } from '../audit/in-memory.ts';
import { pageOf } from './pages.ts';

await judge(await record(onePage(pageOf(process.argv[2] ?? ''))));
