import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The build goes into the package, so that an installed Tablewright serves it without Node.
export default defineConfig({
  plugins: [svelte()],
  base: "/",
  build: { outDir: "../src/tablewright/server/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/v1": { target: "http://127.0.0.1:8000", ws: true } } },
});
