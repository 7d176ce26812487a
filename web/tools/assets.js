// Files that the build makes itself: fonts cut to the letters that are used, and SVG sprites of the icons that are used.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import subsetFont from "subset-font";

const ROOT = join(import.meta.dirname, "..");
const ICONS = join(ROOT, "src", "icons");
const FONTS = join(ROOT, "node_modules", ".tablewright");
const require = createRequire(import.meta.url);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const range = (first, last) => Array.from({ length: last - first + 1 }, (_unused, at) => String.fromCodePoint(first + at)).join("");
const PUNCTUATION = "–—‘’“”„…−×•·«»€";
const LATIN = range(0x20, 0x7e) + range(0xa0, 0xff) + PUNCTUATION + "ŒœŠšŽžŁłŻżŚśŃńĆćĘęĄą";
const TITLES = range(0x20, 0x7e) + PUNCTUATION + "ÄÖÜäöüßÀÁÂÇÈÉÊÑàáâãåæçèéêëíîïñóôõøúûýÿ";

/** A file name that changes with the content. */
function hashed(name, source) {
  const [stem, ending] = name.split(".");
  return `assets/${stem}-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.${ending}`;
}

async function cut(file, letters, axes) {
  return subsetFont(readFileSync(join(ROOT, "node_modules", file)), letters, { targetFormat: "woff2", variationAxes: axes });
}

const LUCIDE = `Lucide (lucide.dev), ISC License.
Copyright (c) Lucide Contributors; portions copyright (c) 2013-2022 Cole Bemis, as part of Feather (MIT).

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;

/** The licences of what is built into the page, word for word: of the fonts, and of the packages whose code is in it. */
function licences(packages) {
  const { text, titles } = readJson(join(ROOT, "tools", "fonts.json"));
  const parts = [text, ...Object.values(titles)].map((font) => [font.family, readLicence(font.file.split("/files/")[0])]);
  for (const name of packages) parts.push([name, readLicence(name)]);
  parts.push(["Interface icons", LUCIDE]);
  parts.push(["Drawings", "game-icons.net: Lorc, Delapouite and contributors, CC BY 3.0 (creativecommons.org/licenses/by/3.0)."]);
  return `${parts.map(([name, text]) => `${name}\n${"=".repeat(name.length)}\n\n${text}`).join("\n\n\n")}\n`;
}

/** Packages that the bundle has modules of. */
function packagesIn(bundle) {
  const ids = Object.values(bundle).flatMap((one) => [...Object.keys(one.modules ?? {}), ...(one.moduleIds ?? [])]);
  const named = ids.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(id)?.[1] ?? "");
  return [...new Set(named.filter(Boolean))].sort();
}

function readLicence(name) {
  const folder = join(ROOT, "node_modules", name);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return readFileSync(join(folder, file), "utf8").trim();
}

const face = (family, weight, address, only = "") =>
  `@font-face{font-family:"${family}";src:url(${address}) format("woff2");font-weight:${weight};font-display:swap${only}}\n`;

/** Write the font files and the style sheet that names them. A game's name has a font of its own letters alone, for its cover. */
async function makeFonts() {
  const { text, titles } = readJson(join(ROOT, "tools", "fonts.json"));
  mkdirSync(FONTS, { recursive: true });
  let style = "";
  const add = (name, source) => {
    writeFileSync(join(FONTS, name), source);
    return `./${name}`;
  };
  style += face(text.family, text.weight, add("figtree.woff2", await cut(text.file, LATIN)));
  const more = readFileSync(join(ROOT, "node_modules", text.more));
  style += face(text.family, text.weight, add("letters.woff2", more), ";unicode-range:U+100-2AF,U+1E00-1EFF");
  for (const [game, title] of Object.entries(titles)) {
    // A licence that reserves the font's name allows no cut version under it.
    const whole = title.whole && readFileSync(join(ROOT, "node_modules", title.file));
    style += face(title.family, title.weight, add(`title-${game}.woff2`, whole || (await cut(title.file, TITLES, title.axes))));
    if (!whole) style += face(`${title.family} name`, title.weight, add(`name-${game}.woff2`, await cut(title.file, title.name, title.axes)));
  }
  writeFileSync(join(FONTS, "fonts.css"), style);
}

const STROKES = 'fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"';

/** Path data with one decimal: a drawing of 512 units is never shown so large that more would be seen. */
function shorten(data) {
  if (/[aA]/.test(data)) return data; // the flags of an arc may stand without a space
  return data.replace(/-?(?:\d+\.?\d*|\.\d+)/g, (number, at) => {
    const short = String(Math.round(Number(number) * 10) / 10).replace(/^(-?)0\./, "$1.").replace(/^-0$/, "0");
    return /[\d.]/.test(data[at - 1] ?? "") && !short.startsWith("-") ? ` ${short}` : short;
  });
}

function sprite(names, set, size, paint) {
  const symbols = [...new Set(names)].sort().map((name) => {
    const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent];
    if (!icon) throw new Error(`There is no icon "${name}".`);
    const body = icon.body.replace(/ fill="(currentColor|none)"| stroke="currentColor"| stroke-(linecap|linejoin)="round"| stroke-width="2"/g, "");
    const drawn = body.replace(/ d="([^"]+)"/g, (_all, data) => ` d="${size > 100 ? shorten(data) : data}"`);
    return `<symbol id="${name}" viewBox="0 0 ${size} ${size}" ${paint}>${drawn}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}

/** One sprite for the interface, one for every game, and one for a game that brings no list of its own. */
function makeIcons() {
  const lucide = require("@iconify-json/lucide/icons.json");
  const drawings = require("@iconify-json/game-icons/icons.json");
  const common = readJson(join(ICONS, "common.json"));
  const files = new Map();
  const sheets = {};
  const words = {};
  const add = (name, source) => {
    const path = hashed(`icons-${name}.svg`, source);
    files.set(path, source);
    sheets[name] = `/${path}`;
  };
  const named = (list) => [...list.marks, ...Object.values(list.heads), ...Object.values(list.verbs)];
  add("interface", sprite(readJson(join(ICONS, "interface.json")), lucide, 24, STROKES));
  add("common", sprite(named(common), drawings, 512, 'fill="currentColor"'));
  for (const file of readdirSync(join(ICONS, "games"))) {
    const game = basename(file, ".json");
    const list = { marks: [], ...readJson(join(ICONS, "games", file)) };
    const heads = { ...common.heads, ...list.heads };
    const verbs = { ...common.verbs, ...list.verbs };
    words[game] = { heads, verbs };
    add(game, sprite([...common.marks, ...named({ marks: list.marks, heads, verbs })], drawings, 512, 'fill="currentColor"'));
  }
  words.common = { heads: common.heads, verbs: common.verbs };
  return { files, module: `export const sheets=${JSON.stringify(sheets)};export const iconWords=${JSON.stringify(words)};` };
}

export function assets() {
  let fonts;
  let icons;
  return {
    name: "tablewright-assets",
    async buildStart() {
      fonts ??= makeFonts();
      await fonts;
      icons = makeIcons();
      for (const file of readdirSync(join(ICONS, "games"))) this.addWatchFile(join(ICONS, "games", file));
    },
    resolveId: (id) => (id === "virtual:icons" ? "\0virtual:icons" : id === "virtual:fonts.css" ? join(FONTS, "fonts.css") : undefined),
    load: (id) => (id === "\0virtual:icons" ? icons.module : undefined),
    generateBundle(_options, bundle) {
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licences(packagesIn(bundle)) });
      for (const [fileName, source] of icons.files) this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const href = Object.keys(bundle ?? {}).find((name) => name.startsWith("assets/figtree-"));
        return href ? [{ tag: "link", attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `/${href}` }, injectTo: "head-prepend" }] : [];
      },
    },
    // Copies that the server sends as they are, so that nothing is compressed twice.
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((one) => /\.(js|css|svg|html|txt)$/.test(one))) {
        const text = readFileSync(join(dir, name));
        if (text.length < 600) continue;
        writeFileSync(join(dir, `${name}.gz`), gzipSync(text, { level: 9 }));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(text));
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const source = icons?.files.get((request.url ?? "").slice(1));
        if (!source) return next();
        response.setHeader("Content-Type", "image/svg+xml");
        response.end(source);
      });
    },
  };
}
