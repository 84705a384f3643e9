/** What can be done with the open conversation: rename, export, settings, compact, delete. */
export function SessionMenu() {
  return null;
}
