export { check } from 'recheck';
