import { mkdtempSync, readFileSync } from 'node:fs';
import { startServer, runNode } from './children.ts';
import { startOurs, startPeer } from './x402/servers.ts';
const folder = mkdtempSync('/tmp/slbench-');
const stub = await startServer(new URL('x402/stub-services.ts', import.meta.url).pathname);
const payTo = '0x00000000000000000000000000000000000a11ce';
await runNode([new URL('x402/payloads.ts', import.meta.url).pathname, '20', '20', payTo, `${folder}/p.json`]);
const ps = JSON.parse(readFileSync(`${folder}/p.json`,'utf8'));
const around = { folder, payTo, stubPort: stub.port };
for (const s of [await startOurs('ours', 'lifted', around), await startOurs('ours-kept', 'kept', around), await startPeer('peer', true, around), await startPeer('peer-plain', false, around)]) {
  let r = await fetch(s.url, { method: 'POST', body: '{"url":"https://example.com"}', headers: {'content-type':'application/json'} });
  console.log(s.name, r.status, (r.headers.get('payment-required')??'').length, (await r.text()).length);
  for (const p of ps.slice(0,2)) { r = await fetch(s.url, { method: 'POST', body: '{"url":"https://example.com"}', headers: {'content-type':'application/json', 'payment-signature': s.headerOf(p)} });
  console.log(s.name, r.status, s.headerOf(p).length, (await r.text()).slice(0, 300)); }
}
console.log(await (await fetch(`http://127.0.0.1:${stub.port}/counts`)).text());
process.exit(0);
