import { classifyHost } from '../../../net/address.ts';
import { MAX_TEXT_BYTES } from '../../agent-files/facts/agent-places.ts';
import { findRobots } from '../facts/robots-file.ts';
import { RSL_ROLE, RSL_TYPE, listRslDeclarations } from '../facts/rsl.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import type { Gatherer } from '../../core/gatherer.ts';
import { readAgentFile } from '../../agent-files/gather/agent-files.ts';

/** Reads the first licence of RSL that the site declares; a private site sends us to no stranger. */
export const gatherRsl: Gatherer = async (gather) => {
  const robots = findRobots(gather.find, gather.start.href);
  const declared = listRslDeclarations(gather.find, robots.state === 'ready' ? robots.value : undefined);
  const url = declared.find((one) => one.url !== undefined)?.url;
  if (url === undefined) return;
  const isLocal = classifyHost(gather.start.hostname).kind !== 'public';
  if (isLocal && !isSameOwner(new URL(url), gather.start)) return;
  const headers = { accept: `${RSL_TYPE}, application/xml;q=0.9, text/xml;q=0.8` };
  await gather.read(RSL_ROLE, { url, headers, maxBytes: MAX_TEXT_BYTES });
};

/** Reads the directory of keys with which bots of the site sign their requests. */
export const gatherSignatureDirectory: Gatherer = async (gather) => {
  await readAgentFile(gather, 'signature-directory');
};
