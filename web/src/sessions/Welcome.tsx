/** What is shown where no conversation is open. */
export function Welcome() {
  return null;
}
