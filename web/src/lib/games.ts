// Description of a game: mood and sentence, or the summary of its book.
import moods from "../strings/games.json";

const known = moods as Record<string, { mood: string; about: string }>;

export const moodOf = (game: string): string => known[game]?.mood ?? "";
export const aboutGame = (game: string, summary = ""): string => known[game]?.about ?? summary;
