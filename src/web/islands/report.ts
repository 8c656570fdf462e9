import { filterChecks } from './parts/check-filter.ts';
import { showCopyButtons } from './parts/copying.ts';
import { followTargets } from './parts/open-target.ts';

showCopyButtons(document);
filterChecks(document);
followTargets();
