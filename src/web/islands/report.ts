import { filterAnswers } from './parts/answer-filter.ts';
import { filterChecks } from './parts/check-filter.ts';
import { showCopyButtons } from './parts/copying.ts';
import { followTargets } from './parts/open-target.ts';
import { showShareButtons } from './parts/sharing.ts';

showCopyButtons(document);
showShareButtons(document);
filterChecks(document);
filterAnswers(document);
followTargets();
