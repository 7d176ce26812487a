// Send once: buttons close while a request is under way, and a double click counts as one.
import { hush } from "./dialogs.svelte";

const DOUBLE_CLICK = 400;
const SENDS = 'button:not([type="button"])';

const isClosed = (button: Element | null): boolean => button?.getAttribute("aria-disabled") === "true";

/**
 * Attach to a button or form: runs the work on click or submit. Meanwhile the element and all others in the same
 * `data-together` are closed, by `aria-disabled`, because `disabled` would lose the keyboard focus.
 */
export function once(work: (event: Event) => unknown): (element: HTMLElement) => () => void {
  return (element) => {
    const form = element instanceof HTMLFormElement;

    async function run(event: Event): Promise<void> {
      event.preventDefault();
      const button = form ? ((event as SubmitEvent).submitter ?? element.querySelector(SENDS)) : element;
      if (isClosed(button)) return;
      const around = element.closest("[data-together]") ?? element;
      const closed = around.matches("button") ? [around] : [...around.querySelectorAll(SENDS)].filter((one) => !isClosed(one));
      for (const one of closed) one.setAttribute("aria-disabled", "true");
      hush();
      const pause = new Promise((go) => setTimeout(go, DOUBLE_CLICK));
      try {
        await work(event);
      } finally {
        await pause;
        for (const one of closed) one.removeAttribute("aria-disabled");
      }
    }

    // Ignore the second click of a double click everywhere, even if another element is below the pointer by then.
    function skip(event: Event): void {
      const button = (event.target as Element | null)?.closest("button");
      if ((event as MouseEvent).detail < 2 || !button?.matches(SENDS)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }

    const heard = (event: Event): void => void run(event);
    element.addEventListener("click", skip, true);
    element.addEventListener(form ? "submit" : "click", heard);
    return () => {
      element.removeEventListener("click", skip, true);
      element.removeEventListener(form ? "submit" : "click", heard);
    };
  };
}
