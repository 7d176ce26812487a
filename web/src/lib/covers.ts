// Covers of games, by file name.
const found = import.meta.glob<string>("../covers/*.svg", { query: "?url", import: "default", eager: true });
const byGame = new Map(Object.entries(found).map(([path, address]) => [path.split("/").at(-1)?.replace(".svg", ""), address]));

export const coverOf = (game: string): string | null => byGame.get(game) ?? null;
