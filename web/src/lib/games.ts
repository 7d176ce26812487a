// What is said of a game beside its title: a mood and a sentence where there is one, otherwise the book's own summary.
import moods from "../strings/games.json";

const known = moods as Record<string, { mood: string; about: string }>;

export const moodOf = (game: string): string => known[game]?.mood ?? "";
export const aboutGame = (game: string, summary = ""): string => known[game]?.about ?? summary;
