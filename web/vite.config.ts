import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { assets } from "./tools/assets.js";

// The build goes into the package, so that an installed Tablewright serves it without Node.
export default defineConfig({
  // Short names of classes: they stand thousands of times in what is sent.
  plugins: [assets(), svelte({ compilerOptions: { cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 5)}` } })],
  base: "/",
  build: {
    outDir: "../src/tablewright/server/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false },
    // One chunk for the components that a table needs at first: many small style sheets compress badly.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "components", test: /src\/components\/(?!Gauge|Tabs|Markdown|Panel|Term)/ }] } } },
  },
  server: { proxy: { "/v1": { target: "http://127.0.0.1:8000", ws: true } } },
});
