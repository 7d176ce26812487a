import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { assets } from "./tools/assets.js";

// The build goes into the package, so that an installed Tablewright serves it without Node.
export default defineConfig({
  // Short names of classes: they stand thousands of times in what is sent.
  plugins: [assets(), svelte({ compilerOptions: { cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 4)}` } })],
  base: "/",
  build: {
    outDir: "../src/tablewright/server/web", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false },
    // Many small style sheets compress badly: what a table needs at first is one chunk, and so are its forms.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "components", test: /fonts\.css|src\/(styles\/|App\.svelte|(api|strings)\/|lib\/(TallyView|RuleLink|[a-z]+(\.svelte)?\.ts)|pages\/play\/(WhyTree|[a-z]+\.ts)|components\/(?!Gauge|Tabs|Markdown|Figures|Field|ParameterField|Switch|PictureButton|LinkCode|Term))/ },
            { name: "forms", test: /src\/(components\/Markdown|pages\/play\/(forms|DicePanel|PlayerTools|campaign\/HandoutPage))/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/v1": { target: "http://127.0.0.1:8000", ws: true } } },
});
