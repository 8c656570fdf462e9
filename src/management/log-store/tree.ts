/** The container that a name is in: `projects/p`. */
export const getNameContainer = (name: string): string => name.split('/', 2).join('/');

/**
 * Whether what an organization or folder includes reaches a container. All containers of a tenant are one tree here: an
 * organization is above every folder, project and billing account, a folder above every project and every other folder.
 */
export function isBelow(container: string, owner: string): boolean {
  if (container === owner || container.startsWith('organizations/')) return false;
  return owner.startsWith('organizations/') || /^(?:projects|folders)\//.test(container);
}
