import type { Translated } from '../../language/language.ts';

type FilesWords = {
  title: string;
  nothing: string;
  hash: string;
  count: (count: number) => string;
  bytes: (count: string) => string;
  download: string;
  /** Where files of a site belong, without and with a ZIP file. */
  serve: string;
  put: readonly [before: string, behind: string];
  drafts: (inFolder: boolean) => readonly [before: string, behind: string];
  forAgent: string;
  unpack: (zipped: boolean) => string;
  places: readonly [claude: string, others: string];
  finds: readonly [before: string, behind: string];
  copyFile: string;
};

const en: FilesWords = {
  title: 'Files',
  nothing: 'There was nothing to make a file from.',
  hash: 'The hash of a file shows whether a copy is the same.',
  count: (count) => (count === 1 ? '1 file' : `${count} files`),
  bytes: (count) => `${count} ${count === '1' ? 'byte' : 'bytes'}`,
  download: 'Download all files (ZIP)',
  serve: 'Serve each from the root of the site, under the path shown above it.',
  put: ['Put what is in its folder', 'at the root of the site.'],
  drafts: (inFolder) => [
    `Drafts${inFolder ? ', in the folder drafts/,' : ''} wait for facts: fill in each`,
    'before you publish them.',
  ],
  forAgent:
    'They are for a coding agent that works on the site, not for the site. Do not publish them: they say what is wrong with it.',
  unpack: (zipped) =>
    `In the project that holds the sources of the site, ${zipped ? 'unpack the ZIP into' : 'put them into'} the skills folder of your agent:`,
  places: ['for Claude Code,', 'for most others.'],
  finds: ['The agent then finds', '; ask it to improve the AI visibility of the website.'],
  copyFile: 'Copy the file',
};

const de: FilesWords = {
  title: 'Dateien',
  nothing: 'Es gab nichts, woraus eine Datei entstehen konnte.',
  hash: 'Der Hash einer Datei zeigt, ob eine Kopie dieselbe ist.',
  count: (count) => (count === 1 ? '1 Datei' : `${count} Dateien`),
  bytes: (count) => `${count} Byte`,
  download: 'Alle Dateien herunterladen (ZIP)',
  serve: 'Liefern Sie jede von der Wurzel der Website aus, unter dem Pfad, der über ihr steht.',
  put: ['Legen Sie den Inhalt des Ordners', 'in die Wurzel der Website.'],
  drafts: (inFolder) => [
    `Entwürfe${inFolder ? ' im Ordner drafts/' : ''} warten auf Angaben: Füllen Sie jedes`,
    'aus, bevor Sie sie veröffentlichen.',
  ],
  forAgent:
    'Sie sind für einen Coding-Agenten, der an der Website arbeitet, nicht für die Website. Veröffentlichen Sie sie nicht: In ihnen steht, was an der Website nicht stimmt.',
  unpack: (zipped) =>
    zipped
      ? 'Entpacken Sie das ZIP im Projekt mit den Quellen der Website in den Skills-Ordner Ihres Agenten:'
      : 'Legen Sie sie im Projekt mit den Quellen der Website in den Skills-Ordner Ihres Agenten:',
  places: ['für Claude Code,', 'für die meisten anderen.'],
  finds: ['Der Agent findet dann', '; bitten Sie ihn, die KI-Sichtbarkeit der Website zu verbessern.'],
  copyFile: 'Datei kopieren',
};

export const filesWords: Translated<FilesWords> = { en, de };
