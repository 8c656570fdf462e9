import { showCopyButtons } from './parts/copying.ts';

showCopyButtons(document);
