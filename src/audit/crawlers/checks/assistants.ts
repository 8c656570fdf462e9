import type { OutcomeStatus } from '../../core/check.ts';
import type { AiAgent } from '../facts/ai-agents-data.ts';
import { listSearchCrawlers, listUserFetchers } from '../facts/ai-agents.ts';
import { ASSISTANT_NAMES } from '../facts/assistants-data.ts';
import { EVERY_READER_REFUSED, SHUT_OUT_AT_EDGE, UNASKED_AT_EDGE } from './edge.ts';
import { KEPT_OUT_BY_ROBOTS, REFUSED_BY_ROBOTS } from './robots.ts';
import { REFUSED_TO_AGENTS } from './user-agents.ts';

/** `partly`: of the agents of one assistant, some are let in and some are not. */
export type AssistantState = 'allowed' | 'partly' | 'refused' | 'unknown';

/**
 * Why an assistant is refused (`robots`, `server`) or why it is not known: robots.txt gave no answer, no request under its
 * name was answered, every reader was refused, or the start page itself is an error or behind a wall.
 */
export type AssistantCause =
  | 'robots'
  | 'server'
  | 'robots_unread'
  | 'unanswered'
  | 'every_reader_refused'
  | 'error_page'
  | 'wall';

/** One assistant by the name of its product. */
export type Assistant = { name: string; state: AssistantState; cause?: AssistantCause };

/** `isBlank`: who runs no script finds hardly any text on the page. */
export type AssistantAccess = { assistants: readonly Assistant[]; isBlank: boolean };

type JudgedCheck = {
  id: string;
  status: OutcomeStatus;
  note: string;
  evidence: readonly { excerpt?: string | undefined }[];
};
type Judged = ReadonlyMap<string, JudgedCheck>;

/**
 * Which assistants may read the start page and get it, by the verdicts on crawler access; undefined where an audit has
 * none of them. An assistant is as its search crawlers and the fetchers that act for its users are.
 */
export function readAssistantAccess(checks: readonly JudgedCheck[]): AssistantAccess | undefined {
  const judged: Judged = new Map(checks.map((check) => [check.id, check]));
  const agents = [
    ...(judged.has('aeo.robots.ai-search-bots') ? listSearchCrawlers() : []),
    ...(judged.has('aeo.robots.user-fetchers') ? listUserFetchers() : []),
  ];
  if (agents.length === 0) return undefined;
  const blocked = findPageCause(judged);
  const assistants = Object.entries(ASSISTANT_NAMES).flatMap(([owner, name]) => {
    const reaches = agents.filter((agent) => agent.owner === owner).map((agent) => judgeAgent(agent, judged));
    return reaches.length === 0 ? [] : [{ name, ...joinReaches(reaches, blocked) }];
  });
  return { assistants, isBlank: judged.get('aeo.render.ssr-text')?.status === 'fail' };
}

/** Why the page is known to be read by none of them. */
function findPageCause(judged: Judged): AssistantCause | undefined {
  const edge = judged.get('aeo.reach.edge-policy');
  if (edge?.status === 'fail' && edge.note.startsWith(EVERY_READER_REFUSED)) return 'every_reader_refused';
  if (judged.get('aeo.reach.http-200')?.status === 'fail') return 'error_page';
  return judged.get('aeo.reach.no-interstitial')?.status === 'fail' ? 'wall' : undefined;
}

type Reach = Omit<Assistant, 'name'>;

function joinReaches(reaches: readonly Reach[], blocked: AssistantCause | undefined): Reach {
  const refused = reaches.filter(({ state }) => state === 'refused');
  const [first] = refused;
  if (first && refused.length === reaches.length) return first;
  if (blocked !== undefined) return { state: 'unknown', cause: blocked };
  const isAllowed = reaches.some(({ state }) => state === 'allowed');
  if (first) return { ...first, state: isAllowed ? 'partly' : 'refused' };
  return isAllowed ? { state: 'allowed' } : (reaches[0] ?? { state: 'unknown', cause: 'unanswered' });
}

/** One agent by what robots.txt says to it, where it obeys, and by what it got. */
function judgeAgent(agent: AiAgent, judged: Judged): Reach {
  const declared = judgeDeclaredAccess(agent, judged);
  const observed = judgeObservedAccess(agent.token, judged);
  if (observed === 'refused') return { state: 'refused', cause: 'server' };
  if (declared === 'refused') return { state: 'refused', cause: 'robots' };
  if (declared === 'unknown') return { state: 'unknown', cause: 'robots_unread' };
  return observed === 'allowed' ? { state: 'allowed' } : { state: 'unknown', cause: 'unanswered' };
}

type Known = Exclude<AssistantState, 'partly'>;

function judgeDeclaredAccess({ token, class: kind, obeysRobots }: AiAgent, judged: Judged): Known {
  if (!obeysRobots) return 'allowed';
  const check = judged.get(kind === 'user' ? 'aeo.robots.user-fetchers' : 'aeo.robots.ai-search-bots');
  if (check === undefined || check.status === 'unknown') return 'unknown';
  if (check.status === 'pass') return 'allowed';
  if (kind === 'user') return isNamed(check, REFUSED_BY_ROBOTS, token) ? 'refused' : 'allowed';
  return check.status === 'fail' || isNamed(check, KEPT_OUT_BY_ROBOTS, token) ? 'refused' : 'allowed';
}

/** An answer that is the page, as the comparison of whole pages says it of an agent. */
const IS_PAGE = /^(?:the same bytes|status 2\d\d)/;

function judgeObservedAccess(token: string, judged: Judged): Known {
  const [edge, parity] = [judged.get('aeo.reach.edge-policy'), judged.get('aeo.reach.ua-parity')];
  if (edge && isNamed(edge, SHUT_OUT_AT_EDGE, token)) return 'refused';
  if (parity && isNamed(parity, REFUSED_TO_AGENTS, token)) return 'refused';
  if (edge && edge.status !== 'unknown' && !isNamed(edge, UNASKED_AT_EDGE, token)) return 'allowed';
  const said = `${token}: `;
  const isSeen = parity?.evidence.some(
    ({ excerpt = '' }) => excerpt.startsWith(said) && IS_PAGE.test(excerpt.slice(said.length)),
  );
  return isSeen === true ? 'allowed' : 'unknown';
}

/** Whether a note lists an agent in the sentence that begins so; tokens have no full stop. */
function isNamed({ note }: JudgedCheck, beginning: string, token: string): boolean {
  const start = note.indexOf(beginning);
  if (start === -1) return false;
  const [sentence = ''] = note.slice(start + beginning.length).split('.');
  return sentence.split(/[\s,;]+/).includes(token);
}
