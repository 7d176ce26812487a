// Markdown of notes and handouts as data: headings, lists, quotes, rules, emphasis, code and links. Components render the
// data, so nothing in it can become HTML, and links lead only to web addresses.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong" | "em" | "strike"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; parts: Inline[] }
  | { kind: "break" };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "code"; text: string }
  | { kind: "rule" };

const MOST_DEPTH = 6;
const TOKEN = /\\([\\`*_~[\]()#>-])|`([^`\n]+)`|\*\*(?=\S)(.+?\S?)\*\*|(?<![\w*])\*(?=\S)([^*]+?)\*(?!\w)|(?<!\w)_(?=\S)([^_]+?)_(?!\w)|~~(?=\S)(.+?)~~|\[([^\]\n]{1,300})\]\(([^()\s]{1,500})\)|\n/g;

/** Web address of a link, or null if it is not allowed. */
export function safeAddress(text: string): string | null {
  try {
    const address = new URL(text);
    return address.protocol === "https:" || address.protocol === "http:" ? address.href : null;
  } catch {
    return null;
  }
}

export function inlineOf(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  const plain = (end: number): void => {
    if (end > at) found.push({ kind: "text", text: text.slice(at, end) });
  };
  if (depth >= MOST_DEPTH) return [{ kind: "text", text }];
  for (const match of text.matchAll(TOKEN)) {
    const [whole, escaped, code, strong, star, underscore, strike, label, address] = match;
    if (match.index < at) continue;
    const href = address === undefined ? null : safeAddress(address);
    if (address !== undefined && href === null) continue;
    plain(match.index);
    at = match.index + whole.length;
    if (escaped !== undefined) found.push({ kind: "text", text: escaped });
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", parts: inlineOf(strong, depth + 1) });
    else if (strike !== undefined) found.push({ kind: "strike", parts: inlineOf(strike, depth + 1) });
    else if (star !== undefined || underscore !== undefined) found.push({ kind: "em", parts: inlineOf((star ?? underscore)!, depth + 1) });
    else if (href !== null && label !== undefined) found.push({ kind: "link", href, parts: inlineOf(label, depth + 1) });
    else found.push({ kind: "break" });
  }
  plain(text.length);
  return found;
}

export function blocksOf(text: string, depth = 0): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  const taken = (fits: RegExp): string[] => {
    const some: string[] = [];
    while (at < lines.length && fits.test(lines[at]!)) some.push(lines[at++]!.replace(fits, ""));
    return some;
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const heading = /^(#{1,3})\s+(.+?)\s*#*$/.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]!.length as 1 | 2 | 3, parts: inlineOf(heading[2]!) });
      at += 1;
    } else if (/^```/.test(line)) {
      const end = lines.findIndex((one, place) => place > at && /^```/.test(one));
      blocks.push({ kind: "code", text: lines.slice(at + 1, end < 0 ? undefined : end).join("\n") });
      at = end < 0 ? lines.length : end + 1;
    } else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) {
      blocks.push({ kind: "rule" });
      at += 1;
    } else if (/^ {0,3}[-*+]\s+/.test(line)) blocks.push({ kind: "list", ordered: false, items: taken(/^ {0,3}[-*+]\s+/).map((one) => inlineOf(one)) });
    else if (/^ {0,3}\d{1,4}[.)]\s+/.test(line)) blocks.push({ kind: "list", ordered: true, items: taken(/^ {0,3}\d{1,4}[.)]\s+/).map((one) => inlineOf(one)) });
    else if (/^>\s?/.test(line)) {
      const inside = taken(/^>\s?/).join("\n");
      blocks.push({ kind: "quote", blocks: depth < MOST_DEPTH ? blocksOf(inside, depth + 1) : [{ kind: "paragraph", parts: [{ kind: "text", text: inside }] }] });
    } else {
      const start = at;
      while (at < lines.length && lines[at]!.trim() !== "" && (at === start || !/^(#{1,3}\s|```|>| {0,3}([-*+]|\d{1,4}[.)])\s)/.test(lines[at]!))) at += 1;
      blocks.push({ kind: "paragraph", parts: inlineOf(lines.slice(start, at).join("\n")) });
    }
  }
  return blocks;
}
