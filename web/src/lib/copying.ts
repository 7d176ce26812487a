import { strings } from "../strings";
import { say } from "./dialogs.svelte";

/** Copy text and confirm it. Without HTTPS, as in a local network, browsers offer only the old API. */
export async function copy(text: string, done = strings.copied): Promise<void> {
  const copied = navigator.clipboard ? await navigator.clipboard.writeText(text).then(() => true, () => false) : copyOldWay(text);
  say(copied ? done : strings.notCopied);
}

function copyOldWay(text: string): boolean {
  const before = document.activeElement;
  const box = document.createElement("textarea");
  box.value = text;
  box.readOnly = true;
  document.body.append(box);
  box.select();
  const copied = document.execCommand("copy");
  box.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
