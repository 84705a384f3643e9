export function SearchPanel() {
  return null;
}
