import { HTTP_ROLES, extractValidators } from '../facts/http-behaviour.ts';
import type { Gather, Gatherer } from '../../core/gatherer.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { PAGE_ACCEPT } from '../../page/gather/page.ts';
import { DROPPED } from '../../hidden-text/gather/secrets.ts';

/** Asks for the head of the start page, and for the page again on condition that it has changed. */
export const gatherHttpBehaviour: Gatherer = async (gather) => {
  const answer = gather.find('page')?.answer;
  if (!answer?.ok || answer.status < 200 || answer.status > 299) return;
  const url = getFinalUrl(gather, answer);
  const headers = { accept: PAGE_ACCEPT };
  const validators = extractValidators(answer);
  await Promise.all([
    gather.read(HTTP_ROLES.head, { url, method: 'HEAD', headers }),
    ...(Object.keys(validators).length === 0
      ? []
      : [gather.read(HTTP_ROLES.replay, { url, headers: { ...headers, ...validators } })]),
  ]);
};

/** Where redirects ended, so that they are not walked again; the start URL where a secret was dropped from that address. */
const getFinalUrl = (gather: Gather, answer: SnapshotAnswer): string =>
  answer.redirects.length === 0 || answer.url.includes(DROPPED) ? gather.start.href : answer.url;
