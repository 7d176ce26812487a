// What is sent is sent once: its buttons are closed while it is under way, and a double click is one click.
import { hush } from "./dialogs.svelte";

const DOUBLE_CLICK = 400;
const SENDS = 'button:not([type="button"])';

const isClosed = (button: Element | null): boolean => button?.getAttribute("aria-disabled") === "true";

/**
 * Attached to a button or a form: does the work when it is clicked or sent. While that lasts, it and everything beside it
 * in the same `data-together` is closed. The keyboard stays where it is, which `disabled` would not let it.
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

    // The second click of a double click counts nowhere, also where something else stands by then.
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
