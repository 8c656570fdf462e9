export { v1 } from '@google-cloud/cloudquotas';
