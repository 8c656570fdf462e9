export { google } from 'googleapis';
