import { buyOnce } from './web-program.mjs';

console.log(JSON.stringify(await buyOnce(JSON.parse(process.argv[2]))));
