import { offerCopies } from './parts/copying.ts';

offerCopies(document);
