// Settings of the frame: the game that sets colours and title face, and a page's own tabs on a phone.

export interface FrameTab {
  label: string;
  icon: string;
  chosen: boolean;
  count?: number;
  act: () => void;
}

interface Frame {
  game: string | null;
  tabs: FrameTab[] | null;
  /** No frame: joining page and projector. */
  bare: boolean;
}

export const frame = $state<Frame>({ game: null, tabs: null, bare: false });

/** Wear the theme of a game while the page is open; call during setup. */
export function wearGame(game: () => string | null | undefined): void {
  $effect(() => {
    frame.game = game() ?? null;
    return () => (frame.game = null);
  });
}

/** Hide the frame while the page is open and the condition holds; call during setup. */
export function standAlone(alone: () => boolean = () => true): void {
  $effect(() => {
    frame.bare = alone();
    return () => (frame.bare = false);
  });
}

/** Replace the tabs on a phone while the page is open; call during setup. */
export function showTabs(tabs: () => FrameTab[] | null): void {
  $effect(() => {
    frame.tabs = tabs();
    return () => (frame.tabs = null);
  });
}
