export { readSeller } from './reading/read-seller.ts';
export { reportSeller } from './seller-report.ts';
