/**
 * Writes agent-lighthouse.json anew: `node bench/truth/peers/record.ts <commit> [<address>]`, with AGENT_LIGHTHOUSE naming
 * the checkout of that commit. The address is one of this machine: the tool follows no links to loopback.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peerRules } from '../../audit/peers.ts';
import { readPlantedSites } from '../planted.ts';
import { clockArgs } from '../peers.ts';
import { servePlanted } from '../serve-planted.ts';
import {
  describeLighthouse,
  findLighthouseCheckout,
  type LighthouseRecording,
  readLighthouseReport,
  readLighthouseVersion,
} from './agent-lighthouse.ts';

const [commit, address = '127.0.0.1'] = process.argv.slice(2);
const checkout = findLighthouseCheckout();
if (commit === undefined || checkout === undefined) throw new Error('see the head of this file');

const folder = mkdtempSync(join(tmpdir(), 'sightline-peers-'));
const sites: Record<string, Readonly<Record<string, string>>> = {};
try {
  for (const site of readPlantedSites()) {
    const own = join(folder, site.folder);
    mkdirSync(own);
    const running = await servePlanted(site, address);
    await peerRules(describeLighthouse(checkout, own), running.origin + site.start, own, clockArgs);
    await running.close();
    sites[site.folder] = readLighthouseReport(own);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const recording: LighthouseRecording = {
  name: 'agent-lighthouse',
  version: readLighthouseVersion(checkout),
  repository: 'https://github.com/ForkPoint/agent-lighthouse',
  commit,
  date: new Date().toISOString().slice(0, 10),
  address,
  sites,
};
writeFileSync(new URL('agent-lighthouse.json', import.meta.url), `${JSON.stringify(recording, null, 2)}\n`);
