// How the page calls somebody back: the title of a hidden tab, a dot on its icon, a sound, a short vibration, a notification.
import { play } from "../../strings/play";

const KEY = "tablewright-sound";

function stored(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? !matchMedia("(max-width: 699px)").matches : kept === "on";
  } catch {
    return false;
  }
}

export const sound = $state({ on: stored() });

export function switchSound(): void {
  sound.on = !sound.on;
  try {
    localStorage.setItem(KEY, sound.on ? "on" : "off");
  } catch {
    // it holds as long as the page is open
  }
}

const NOTICES = "tablewright-notices";
const allowed = (): boolean => "Notification" in globalThis && Notification.permission === "granted";

function wantsNotices(): boolean {
  try {
    return allowed() && localStorage.getItem(NOTICES) === "on";
  } catch {
    return false;
  }
}

/** Notifications are off until the player asks for them; `possible` is false where the browser has none. */
export const notices = $state({ on: wantsNotices(), possible: "Notification" in globalThis });

/** Switch notifications; asks the browser first. False where it refuses. */
export async function switchNotices(): Promise<boolean> {
  const on = !notices.on;
  if (on && !allowed() && (await Notification.requestPermission()) !== "granted") return false;
  notices.on = on;
  try {
    localStorage.setItem(NOTICES, on ? "on" : "off");
  } catch {
    // it holds as long as the page is open
  }
  return true;
}

function notify(text: string, about: string): void {
  try {
    const notice = new Notification(text, { body: about, icon: "/icon.svg", tag: "tablewright" });
    notice.onclick = () => {
      focus();
      notice.close();
    };
  } catch {
    // the title and the icon still call
  }
}

let speaker: AudioContext | null = null;

async function ring(): Promise<void> {
  try {
    speaker ??= new AudioContext();
    await speaker.resume(); // a new one starts later; one that is not allowed yet waits until the page is used
    if (!document.hidden) return;
    const [tone, loud, now] = [speaker.createOscillator(), speaker.createGain(), speaker.currentTime];
    tone.frequency.setValueAtTime(660, now);
    tone.frequency.setValueAtTime(880, now + 0.09);
    loud.gain.setValueAtTime(0.0001, now);
    loud.gain.exponentialRampToValueAtTime(0.12, now + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, now + 0.4);
    tone.connect(loud).connect(speaker.destination);
    tone.start(now);
    tone.stop(now + 0.42);
  } catch {
    // a browser without sound still shows it
  }
}

function dot(on: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = on ? "/icon-dot.svg" : "/icon.svg";
}

export type Call = "turn" | "defend" | "asked" | null;

/** Called while the page is set up: the title is the table's, and calls while the tab is hidden and something is asked. */
export function callBack(title: () => string, call: () => Call, key: () => string): void {
  let hidden = $state(document.hidden);
  $effect(() => {
    const look = (): void => void (hidden = document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
  $effect(() => {
    const [name, wants] = [title(), call()];
    document.title = name;
    if (!hidden || wants === null) return dot(false);
    dot(true);
    let turn = true;
    const shout = (): void => {
      document.title = turn ? `${play.title[wants]} · ${name}` : name;
      turn = !turn;
    };
    shout();
    const again = setInterval(shout, 1_000);
    return () => {
      clearInterval(again);
      document.title = name;
      dot(false);
    };
  });
  let last = "";
  $effect(() => {
    const now = call() === null ? "" : `${call()} ${key()}`;
    if (now === last) return;
    const first = last === "" && now !== "";
    last = now;
    if (!first) return;
    if (sound.on && document.hidden) void ring();
    const wants = call();
    if (notices.on && document.hidden && wants) notify(play.title[wants].replace("● ", ""), title());
    if (document.hidden && "vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(call() === "turn" ? 60 : [40, 60, 40]);
  });
}
