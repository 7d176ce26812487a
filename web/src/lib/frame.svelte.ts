// What a page tells the frame around it: the game whose colours and title face it has, and its own tabs on a phone.

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
  /** Nothing around the page: the joining page, and a projector. */
  bare: boolean;
}

export const frame = $state<Frame>({ game: null, tabs: null, bare: false });

/** Called while a page is set up: the page has the look of this game for as long as it is open. */
export function wearGame(game: () => string | null | undefined): void {
  $effect(() => {
    frame.game = game() ?? null;
    return () => (frame.game = null);
  });
}

/** Called while a page is set up: the page stands alone for as long as it is open and this is so. */
export function standAlone(alone: () => boolean = () => true): void {
  $effect(() => {
    frame.bare = alone();
    return () => (frame.bare = false);
  });
}

/** Called while a page is set up: these are the tabs on a phone, in place of those to other pages. */
export function showTabs(tabs: () => FrameTab[] | null): void {
  $effect(() => {
    frame.tabs = tabs();
    return () => (frame.tabs = null);
  });
}
