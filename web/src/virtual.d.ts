declare module "virtual:icons" {
  /** Addresses of the sprites: `interface`, `common`, and one for each game that has a list of icons. */
  export const sheets: Record<string, string>;
  /** Icons by words of a name, for each game and for `common`; the empty word is the icon of everything else. */
  export const iconWords: Record<string, { heads: Record<string, string>; verbs: Record<string, string> }>;
}
declare module "virtual:fonts.css";
