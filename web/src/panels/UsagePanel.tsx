export function UsagePanel() {
  return null;
}
