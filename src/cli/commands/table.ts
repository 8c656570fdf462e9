import type { CommandRow } from './rows.ts';
import { serviceCommands } from './service-commands-data.ts';
import { siteCommands } from './site-commands-data.ts';

/** Every command, in the order of help. */
export const commandTable = { ...siteCommands, ...serviceCommands };
export type CommandTable = typeof commandTable;
export type CommandName = keyof CommandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandTable, name);

/** The row of a command, as any command has it. */
export const getCommandRow = (name: CommandName): CommandRow => commandTable[name];
