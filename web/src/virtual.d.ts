declare module "virtual:icons" {
  /** Addresses of sprites: `interface`, `common`, and one per game with its own icons. */
  export const sheets: Record<string, string>;
  /** Icons by words of a name, per game and for `common`; the empty word is the fallback. */
  export const iconWords: Record<string, { heads: Record<string, string>; verbs: Record<string, string> }>;
}
declare module "virtual:fonts.css";
