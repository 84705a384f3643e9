/** All conversations: find, make, rename, delete, import. */
export function Sidebar(_: { currentId: string | null }) {
  return null;
}
