import type { ResultName } from '../../../capabilities/capability-name.ts';
import type { ReportFile } from '../parts/words.ts';

/** Where files belong: below the root of the site, or in the skills folder of the agent that works on it. */
export type FilePlace = 'site' | 'agent';

/** Instructions for an agent are never served: anyone could read what is wrong with the site. */
export const getFilePlace = (capability: ResultName): FilePlace => (capability === 'generate_skill' ? 'agent' : 'site');

/** Its path in the archive. A skill brings its own folder; what still has slots lies apart from what can be served. */
export const formatArchivePath = (place: FilePlace, { path, draft = false }: ReportFile): string =>
  place === 'agent' ? path : `${draft ? 'drafts' : 'site'}/${path}`;
