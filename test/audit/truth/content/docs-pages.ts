/** Documentation of an invented command line tool: commands, tabs and a film with its transcript. */
export const quickstart = `# Tarn quickstart: install and sync your first folder

Tarn is a command line tool that keeps two folders the same over a slow or broken line. The quickstart takes you from an empty machine to a folder that syncs by itself, and it needs nothing but a shell.

## Install Tarn

Installing Tarn takes one command on each of the systems that we build for. The program is a single file of 6 MB without libraries, so there is nothing to clean up if you change your mind.

1. Open a terminal on the machine that holds the folder.
2. Run the command for your system from the panels below.
3. Ask for the version, to see that your shell finds the program.

\`\`\`bash
tarn --version
\`\`\`

The version that the command prints should be 3.2 or later. Earlier versions read the same folders, but they do not know the option that limits the use of the line.

## Sync a folder

A pair is the name that Tarn gives to two folders which it keeps the same. You describe the pair once, and every later run takes the description from there.

\`\`\`bash
tarn pair create notes --from ~/notes --to backup.acme.example:/srv/notes
tarn sync notes
\`\`\`

The first run copies everything and prints a line for each file. A later run looks at dates and sizes only, which takes less than 2 seconds for 10,000 files. If the line breaks, start the command once more, and the transfer goes on where it stopped.

## Keep a pair in sync

The watcher starts a sync whenever a file of the pair has changed. It waits for 5 seconds after the last change, so that a program which writes many files causes one run and not hundreds.

\`\`\`yaml
pair: notes
watch: true
limit: 200 kB/s
\`\`\`

Put the lines above into the file \`tarn.yaml\` beside the folder, and run \`tarn watch\`. The same file may hold a list of names to leave out, one on each line, with a star for any part of a name.

## What happens when both sides change

Tarn never throws a change away. When the same file was changed on both sides, the newer one wins, and the older one is kept beside it with the date in its name. The command \`tarn conflicts\` lists such files, and \`tarn conflicts clear\` removes the old copies once you have looked at them.

- A file that was deleted on one side is moved to a bin on the other.
- A folder that was renamed is renamed, and none of its files is sent again.
- A file that is open for writing is left for the next run.
`;

export const transcript = `Hello and welcome. In the next three minutes we sync a folder of notes from a laptop to a small server in the next room. First we install the program, which is one file, and ask for its version. Then we create a pair, give it the name notes, and say where both folders are. The first sync copies four hundred files and takes about a minute. Now I pull the cable out while the second one runs. The program says that the line is gone and waits. I put the cable back, start the command again, and it goes on with the file that it was sending. Last of all we start the watcher, change a note in the editor, and see on the server how the change arrives five seconds later. Thank you for watching.`;

export const commands = `# Commands of Tarn

Every command reads its pair from the description that you created. The table of options is the same for all of them.

## tarn sync

The command compares both folders and sends what is missing. It ends with status 0 when both sides are equal and with status 2 when files are left for the next run.

\`\`\`bash
tarn sync notes --limit 200kB
\`\`\`

## tarn watch

The watcher runs until you stop it and syncs the pair after each change. It writes one line for each run into the log of the system.
`;

export const configuration = `# Configuration of a pair

A pair is described by one file of a few lines. Tarn looks for the file beside the folder, then in the home of the user.

## Names to leave out

List one name on each line below the word ignore. A star stands for any part of a name, and two stars stand for folders of any depth.

\`\`\`yaml
ignore:
  - "*.tmp"
  - "**/cache"
\`\`\`
`;

export const troubleshooting = `# Troubleshooting

Most trouble with a pair comes from clocks that differ or from a folder that belongs to somebody else. Both are quick to see and quick to mend.

## The sync starts from the beginning

Compare the clocks of both machines. If they differ by more than a minute, let both ask the same time server, and run the sync once more. Files that were sent before are recognised by their sums and are not sent again.
`;
