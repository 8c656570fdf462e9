/** Of the library of Web Bot Auth what is loaded on use, by name: a bundle has all of a package that is loaded whole. */
export { directoryResponseHeaders, signatureHeaders } from 'web-bot-auth';
