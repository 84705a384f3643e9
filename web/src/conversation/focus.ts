/** To the field for the next question. On a touch screen that would open the keyboard over what one wants to see. */
export function focusComposer(): void {
  if (window.matchMedia("(pointer: coarse)").matches) return;
  document.querySelector<HTMLElement>("[data-composer]")?.focus({ preventScroll: true });
}
